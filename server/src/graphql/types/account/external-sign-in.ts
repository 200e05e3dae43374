/** GraphQL operations on external sign-in: its last step, and what a person decides about it. */
import { exchangeAuthTokens } from '../../../domain/external-sign-in/exchange-auth-tokens.ts';
import { reviewPassword, unlinkExternalIdentity } from '../../../domain/external-sign-in/own-identity.ts';
import { readAuthCookies } from '../../../http-kit/cookies.ts';
import {
  clearExchangeCookie,
  type ExchangeCookies,
  readExchangeMarker,
  readExchangeSecret,
} from '../../../http-kit/exchange-cookie.ts';
import { portalAlone, requirePortalOrigin } from '../../../http-kit/origins.ts';
import { consumeNetworkPermits } from '../../../http-kit/rate-limit-headers.ts';
import { Refusal, type RefusalCode } from '../../../kernel/errors.ts';
import { rateLimits } from '../../../platform/rate-limit/rate-limit-table.ts';
import { builder } from '../../builder.ts';
import type { GraphqlContext } from '../../context.ts';
import { type DeliveredPair, deliverPair, presentTokens, signInContextOf } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { AuthPayload } from '../sessions.ts';
import { User } from '../user.ts';

/** Clears the cookie once its secret is useless; keeps it when the same secret may succeed on a retry. */
const clearingCookie = async (
  { reply, services }: GraphqlContext,
  work: () => Promise<DeliveredPair>,
): Promise<DeliveredPair> => {
  try {
    const delivered = await work();
    clearExchangeCookie(reply, services.settings);
    return delivered;
  } catch (error) {
    if (error instanceof Refusal && endings.has(error.code)) clearExchangeCookie(reply, services.settings);
    throw error;
  }
};

const endings: ReadonlySet<string> = new Set<RefusalCode>([
  'EXCHANGE_REFUSED',
  'ACCOUNT_MISMATCH',
  'ACCOUNT_SUSPENDED',
  'SECOND_FACTOR_REQUIRED',
]);

const exchange = async (context: GraphqlContext, shown: ExchangeCookies): Promise<DeliveredPair> => {
  const { delivery, ...signInContext } = signInContextOf(context);
  const { externalExchange: network, externalExchangeOfSite: site } = rateLimits;
  await consumeNetworkPermits(context, { network, site });
  const pair = await exchangeAuthTokens(context.services, {
    ...shown,
    ...signInContext,
    ...presented(context, signInContext),
  });
  return deliverPair(context, pair, delivery);
};

/** With a Bearer token the session cookies are not read: the Bearer alone identifies the caller, and is replaced. */
const presented = (
  { access, request }: GraphqlContext,
  { replacedTokens }: { readonly replacedTokens: readonly string[] },
) =>
  access.source === 'bearer'
    ? { presentedTokens: [access.token], replacedTokens: [access.token] }
    : { presentedTokens: presentTokens(readAuthCookies(request)), replacedTokens };

builder.mutationFields((t) => ({
  exchangeAuthTokens: t.field({
    type: AuthPayload,
    description:
      'Burns the one-time auth_exchange secret and mints the pair. If another person is signed in, nothing else changes. SECOND_FACTOR_REQUIRED, as for signInWithPassword, where the operator asks for one-time codes after the provider too.',
    resolve: guarded(operations.exchangeAuthTokens, (context) => {
      const { request, services } = context;
      const secret = readExchangeSecret(request);
      if (secret === undefined)
        throw new Refusal('EXCHANGE_REFUSED', 'There is no sign-in to complete in this browser.');
      // The sign-in began at the portal: a page of the application must not complete it, and take the pair in the body.
      requirePortalOrigin(request, portalAlone(services.settings));
      const marker = readExchangeMarker(request, services.settings);
      return clearingCookie(context, () => exchange(context, { secret, marker }));
    }),
  }),
  reviewPassword: t.field({
    type: User,
    description:
      'The answer to hasPasswordToReview, once: keeps the password, or removes it and ends every other session. FORBIDDEN when there is nothing to review.',
    args: { keep: t.arg.boolean({ required: true }) },
    resolve: guarded(operations.reviewPassword, (actor, { keep }, { services }) =>
      reviewPassword(services, actor, keep),
    ),
  }),
  unlinkExternalIdentity: t.field({
    type: User,
    description:
      'Unlinks the identity at the identity provider. Refused without a password, because it is then the only way to sign in. Sessions stay active.',
    resolve: guarded(operations.unlinkExternalIdentity, (actor, _args, { services }) =>
      unlinkExternalIdentity(services, actor),
    ),
  }),
}));
