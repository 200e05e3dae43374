/** Operation createCheckoutSession: an address at which an owner can subscribe their organization to a product. */
import { invalidInput, requireValidInput } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import type { Actor } from '../access/actor.ts';
import { requireLiveSession } from '../access/authorize.ts';
import { products } from '../scopes/scopes.ts';
import { authorizePayer } from './authorize-payer.ts';
import { findCustomer, hasPaidSubscription } from './payment-events-store.ts';
import type { PaymentProvider } from './payment-provider.ts';

export interface BillingDeps {
  readonly database: Database;
  readonly limits: RateLimits;
  readonly payments: PaymentProvider;
  readonly settings: { readonly frontendUrl: string };
}

/** What the caller of an operation of billing is sent on to. */
export interface BillingRedirect {
  readonly url: string;
}

/**
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN; BAD_USER_INPUT for a product that is not sold, by us or by the
 *   provider, and while the organization pays for one, so that it never pays twice; RATE_LIMITED; UNAVAILABLE when the
 *   provider does not answer; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const openCheckout = async (
  { database, limits, payments, settings }: BillingDeps,
  actor: Actor,
  product: string,
): Promise<BillingRedirect> => {
  const { organizationId } = await authorizePayer(database, actor);
  const isKnown = products.some(({ name }) => name === product);
  requireValidInput({ product: isKnown ? null : 'There is no such plan.' });
  const { isPaid } = await database.one(hasPaidSubscription, [organizationId]);
  requireValidInput({
    product: isPaid ? 'This organization has a plan already. Change it in the billing portal.' : null,
  });
  await limits.take(rateLimits.checkout, organizationId);
  const price = await payments.findPrice(product);
  if (price === null) throw invalidInput({ product: 'This plan cannot be bought right now.' });
  const known = await database.maybeOne(findCustomer, [organizationId]);
  // Turn and price may have been waited for.
  await requireLiveSession(database, actor);
  const url = await payments.openCheckout({
    price,
    organizationId,
    payer: known ?? { email: actor.user.email },
    successUrl: `${settings.frontendUrl}/plan?checkout=done`,
    cancelUrl: `${settings.frontendUrl}/plan?checkout=cancelled`,
  });
  return { url };
};
