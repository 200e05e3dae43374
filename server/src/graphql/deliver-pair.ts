/** Delivers a token pair: in cookies or in the body, never both (contract/credentials.md#caller-and-delivery). */
import { type Person, personOf } from '../domain/access/own-access.ts';
import type { ActorDetail } from '../domain/credentials/actor-store.ts';
import type { IssuedPair, SignInContext, TokenPair } from '../domain/credentials/issue-pair.ts';
import { callerOf } from '../http-kit/authenticate-request.ts';
import { clearAuthCookies, type PresentedTokens, readAuthCookies, setAuthCookies } from '../http-kit/cookies.ts';
import { clearExchangeCookie, holdsExchangeSecret } from '../http-kit/exchange-cookie.ts';
import { wantsCookies } from '../http-kit/origins.ts';
import { Refusal } from '../kernel/errors.ts';
import type { GraphqlContext } from './context.ts';
import { listsOfUser } from './types/user.ts';

export type Delivery = 'cookies' | 'body';

/** The source object of the GraphQL type AuthPayload. */
export interface DeliveredPair {
  readonly pair: TokenPair;
  readonly delivery: Delivery;
  /** Null when the document does not select the person. */
  readonly person: Person | null;
}

/** Synchronous: after the commit, only the delivery to the client can still fail. */
export const deliverPair = (context: GraphqlContext, pair: IssuedPair, delivery: Delivery): DeliveredPair => {
  const { request, reply, services } = context;
  if (delivery === 'cookies') setAuthCookies(request, reply, services.settings, pair);
  const person = pair.actorRow === null ? null : personOf(services.authenticator, pair.accessToken, pair.actorRow);
  return { pair, delivery, person };
};

/** Delivers the pair of a sign-in; with cookies, it also abandons an unfinished external sign-in. */
export const deliverFirstPair = (context: GraphqlContext, pair: IssuedPair, delivery: Delivery): DeliveredPair => {
  if (delivery === 'cookies') forgetUnfinishedSignIn(context);
  return deliverPair(context, pair, delivery);
};

/**
 * After a sign-in or a sign-out, an earlier answer of the external provider must not sign anyone in. Not on a refresh
 * or a switch, which another tab may do meanwhile.
 */
const forgetUnfinishedSignIn = ({ request, reply, services }: GraphqlContext): void => {
  if (holdsExchangeSecret(request)) clearExchangeCookie(reply, services.settings);
};

/** @throws Refusal FORBIDDEN: the configuration would not accept such a pair, so none is issued */
export const signInContextOf = (context: GraphqlContext): SignInContext & { readonly delivery: Delivery } => {
  const { request, services, access } = context;
  const held = presentTokens(readAuthCookies(request));
  // With a Bearer token, cookies are neither read nor changed, so the tokens are delivered in the body.
  const isBesideBearer = access.source === 'bearer' && held.length > 0;
  const inCookies = wantsCookies(request, services.settings) && !isBesideBearer;
  const audience = inCookies ? 'portal' : 'api';
  if (!services.settings.graphqlAudiences.includes(audience)) {
    throw new Refusal('FORBIDDEN', 'This service does not accept sessions of this kind of client.');
  }
  const signInContext = { audience, caller: callerOf(request), detail: detailOf(context) };
  return inCookies
    ? { ...signInContext, delivery: 'cookies', replacedTokens: held }
    : { ...signInContext, delivery: 'body', replacedTokens: [] };
};

/** How much of the person the response contains: by the fields in the document, even if a directive skips them. */
export const detailOf = ({ operation: { fields } }: GraphqlContext): ActorDetail => {
  if (!fields.has('user')) return 'none';
  return listsOfUser.some((field) => fields.has(field)) ? 'lists' : 'actor';
};

/** A pair that replaces the caller's own is delivered the same way as that one. */
export const deliveryOfCaller = ({ access }: GraphqlContext): Delivery =>
  access.source === 'cookie' ? 'cookies' : 'body';

export const presentTokens = ({ accessToken, refreshToken }: PresentedTokens): string[] =>
  [accessToken, refreshToken].filter((token) => token !== undefined);

/** Cookies are left unchanged for a caller with a Bearer token. */
export const clearCookiesOfCaller = (context: GraphqlContext): void => {
  if (context.access.source !== 'cookie') return;
  clearAuthCookies(context.reply, context.services.settings);
  forgetUnfinishedSignIn(context);
};
