/** GraphQL operations on sign-in by the outside provider: exchangeAuthTokens, unlinkExternalIdentity. */
import { exchangeAuthTokens } from '../../domain/external-identity/exchange-auth-tokens.ts';
import { unlinkExternalIdentity } from '../../domain/external-identity/unlink-identity.ts';
import { Refusal, type RefusalCode } from '../../kernel/errors.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import { readAuthCookies } from '../../web/cookies.ts';
import { clearExchangeCookie, readExchangeCookie } from '../../web/exchange-cookie.ts';
import { requirePortalOrigin } from '../../web/origins.ts';
import { builder } from '../builder.ts';
import type { GraphqlContext } from '../context.ts';
import { type DeliveredPair, deliverPair, entranceOf, presentTokens } from '../deliver-pair.ts';
import { guarded, loggedIn } from '../guards.ts';
import { AuthPayload } from '../objects/auth-payload.ts';
import { User } from '../objects/user.ts';
import { takeTurnOfNetwork } from '../turns.ts';

builder.mutationField('exchangeAuthTokens', (t) =>
  t.field({
    type: AuthPayload,
    description:
      'Burns the one-time auth_exchange secret and mints the pair. When somebody else is signed in, nothing else changes.',
    resolve: (_parent, _args, context) => {
      const secret = readExchangeCookie(context.request);
      if (secret === undefined) throw new Refusal('EXCHANGE_REFUSED', 'There is no sign-in to finish here.');
      requirePortalOrigin(context.request, context.services.settings);
      return clearingCookie(context, () => exchange(context, secret));
    },
  }),
);

/** The cookie goes with what it was good for, and stays where the same secret may succeed the next time. */
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

const endings: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['EXCHANGE_REFUSED', 'ACCOUNT_MISMATCH']);

const exchange = async (context: GraphqlContext, secret: string): Promise<DeliveredPair> => {
  const { delivery, ...entrance } = entranceOf(context);
  await takeTurnOfNetwork(context, rateLimits.externalExchange);
  const pair = await exchangeAuthTokens(context.services, { secret, ...entrance, ...presented(context, entrance) });
  return deliverPair(context, pair, delivery);
};

/** Beside a Bearer the cookies of a session are not read: the Bearer alone says who is signed in, and is replaced. */
const presented = (
  { access, request }: GraphqlContext,
  { replacedTokens }: { readonly replacedTokens: readonly string[] },
) =>
  access.source === 'bearer'
    ? { presentedTokens: [access.token], replacedTokens: [access.token] }
    : { presentedTokens: presentTokens(readAuthCookies(request)), replacedTokens };

builder.mutationField('unlinkExternalIdentity', (t) =>
  t.field({
    type: User,
    description:
      'The outside provider is no way to sign in any more. Never the last way: it needs a password. Sessions go on.',
    resolve: guarded(loggedIn, (actor, _args, { services }) => unlinkExternalIdentity(services, actor)),
  }),
);
