/** How a pair of tokens reaches its caller: in cookies, or in the body; never both (contract, "Delivery"). */
import { type Person, personOf } from '../domain/access/own-access.ts';
import type { HolderDetail } from '../domain/credentials/holder-store.ts';
import type { MintedPair, SignInContext, TokenPair } from '../domain/credentials/issue-pair.ts';
import { callerOf } from '../http-kit/authenticate-request.ts';
import { clearAuthCookies, type PresentedTokens, readAuthCookies, setAuthCookies } from '../http-kit/cookies.ts';
import { clearExchangeCookie, holdsExchangeSecret } from '../http-kit/exchange-cookie.ts';
import { wantsCookies } from '../http-kit/origins.ts';
import { Refusal } from '../kernel/errors.ts';
import type { GraphqlContext } from './context.ts';
import { listsOfUser } from './types/user.ts';

export type Delivery = 'cookies' | 'body';

/** What stands behind the GraphQL type AuthPayload. */
export interface DeliveredPair {
  readonly pair: TokenPair;
  readonly delivery: Delivery;
  /** Null where the answer says nothing of them. */
  readonly person: Person | null;
}

/** Nothing here waits: from the commit on, only the way to the client can fail. */
export const deliverPair = (context: GraphqlContext, pair: MintedPair, delivery: Delivery): DeliveredPair => {
  const { request, reply, services } = context;
  if (delivery === 'cookies') setAuthCookies(request, reply, services.settings, pair);
  const person = pair.holder === null ? null : personOf(services.authenticator, pair.accessToken, pair.holder);
  return { pair, delivery, person };
};

/** The same for who came in from outside. */
export const deliverFirstPair = (context: GraphqlContext, pair: MintedPair, delivery: Delivery): DeliveredPair => {
  if (delivery === 'cookies') forgetUnfinishedSignIn(context);
  return deliverPair(context, pair, delivery);
};

/**
 * Who came in otherwise, or left, does not come in a moment later by what an outside provider said before. Not with a
 * refresh or a switch: another tab may do either while a sign-in comes back in this one.
 */
const forgetUnfinishedSignIn = ({ request, reply, services }: GraphqlContext): void => {
  if (holdsExchangeSecret(request)) clearExchangeCookie(reply, services.settings);
};

/**
 * How this request comes in from outside: by signing in, or by completing a profile.
 * @throws Refusal FORBIDDEN, before anything is issued, when the configuration would not accept such a pair
 */
export const signInContextOf = (context: GraphqlContext): SignInContext & { readonly delivery: Delivery } => {
  const { request, services, access } = context;
  const held = presentTokens(readAuthCookies(request));
  // Beside a Bearer the cookies are neither read nor changed, so the tokens come in the body.
  const isBesideBearer = access.source === 'bearer' && held.length > 0;
  const inCookies = wantsCookies(request, services.settings) && !isBesideBearer;
  const audience = inCookies ? 'portal' : 'api';
  if (!services.settings.graphqlAudiences.includes(audience)) {
    throw new Refusal('FORBIDDEN', 'This service accepts no sessions of this kind of client.');
  }
  const signInContext = { audience, caller: callerOf(request), detail: detailOf(context) };
  return inCookies
    ? { ...signInContext, delivery: 'cookies', replacedTokens: held }
    : { ...signInContext, delivery: 'body', replacedTokens: [] };
};

/** How much the answer says of the person: what the document mentions anywhere, whether or not a directive skips it. */
export const detailOf = ({ operation: { fields } }: GraphqlContext): HolderDetail => {
  if (!fields.has('user')) return 'none';
  return listsOfUser.some((field) => fields.has(field)) ? 'lists' : 'holder';
};

/** A pair that takes the place of the caller's own goes back the way that one came. */
export const deliveryOfCaller = ({ access }: GraphqlContext): Delivery =>
  access.source === 'cookie' ? 'cookies' : 'body';

export const presentTokens = ({ accessToken, refreshToken }: PresentedTokens): string[] =>
  [accessToken, refreshToken].filter((token) => token !== undefined);

/** The cookies of a caller that came with a Bearer are not touched. */
export const clearCookiesOfCaller = (context: GraphqlContext): void => {
  if (context.access.source !== 'cookie') return;
  clearAuthCookies(context.reply, context.services.settings);
  forgetUnfinishedSignIn(context);
};
