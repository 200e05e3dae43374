/** How a pair of tokens reaches its caller: in cookies, or in the body; never both (contract, "Delivery"). */
import type { Entrance } from '../domain/credentials/begin-session.ts';
import type { TokenPair } from '../domain/credentials/issue-pair.ts';
import { Refusal } from '../kernel/errors.ts';
import { callerOf } from '../web/caller.ts';
import { clearAuthCookies, type PresentedTokens, readAuthCookies, setAuthCookies } from '../web/cookies.ts';
import { clearExchangeCookie, readExchangeCookie } from '../web/exchange-cookie.ts';
import { wantsCookies } from '../web/origins.ts';
import type { GraphqlContext } from './context.ts';

export type Delivery = 'cookies' | 'body';

/** What stands behind the GraphQL type AuthPayload. */
export interface DeliveredPair {
  readonly pair: TokenPair;
  readonly delivery: Delivery;
}

export const deliverPair = (context: GraphqlContext, pair: TokenPair, delivery: Delivery): DeliveredPair => {
  if (delivery === 'cookies') setAuthCookies(context.reply, context.services.settings, pair);
  return { pair, delivery };
};

/** The same for who came in from outside. */
export const deliverFirstPair = (context: GraphqlContext, pair: TokenPair, delivery: Delivery): DeliveredPair => {
  if (delivery === 'cookies') forgetUnfinishedSignIn(context);
  return deliverPair(context, pair, delivery);
};

/**
 * Who came in otherwise, or left, does not come in a moment later by what an outside provider said before. Not with a
 * refresh or a switch: another tab may do either while a sign-in comes back in this one.
 */
const forgetUnfinishedSignIn = ({ request, reply, services }: GraphqlContext): void => {
  if (readExchangeCookie(request) !== undefined) clearExchangeCookie(reply, services.settings);
};

/**
 * How this request comes in from outside: by signing in, or by completing a profile.
 * @throws Refusal FORBIDDEN, before anything is issued, when the configuration would not accept such a pair
 */
export const entranceOf = ({
  request,
  services,
  access,
}: GraphqlContext): Entrance & { readonly delivery: Delivery } => {
  const held = presentTokens(readAuthCookies(request));
  // Beside a Bearer the cookies are neither read nor changed, so the tokens come in the body.
  const isBesideBearer = access.source === 'bearer' && held.length > 0;
  const inCookies = wantsCookies(request, services.settings) && !isBesideBearer;
  const audience = inCookies ? 'portal' : 'api';
  if (!services.settings.graphqlAudiences.includes(audience)) {
    throw new Refusal('FORBIDDEN', 'This service accepts no sessions of this kind of client.');
  }
  const caller = callerOf(request);
  return inCookies
    ? { delivery: 'cookies', audience, caller, replacedTokens: held }
    : { delivery: 'body', audience, caller, replacedTokens: [] };
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
