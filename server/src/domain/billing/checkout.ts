/**
 * Operations createCheckoutSession and createBillingPortalSession: where an owner subscribes, and manages the subscription.
 */
import { invalidInput, Refusal, requireValidInput } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import type { Actor } from '../access/actor.ts';
import { membershipRequired, requireLiveSession } from '../access/authorize.ts';
import { findMembership } from '../organizations/organizations-store.ts';
import { products } from '../scopes/scopes.ts';
import { findCustomer, hasPaidSubscription } from './billing-store.ts';

// Operation createCheckoutSession: an address at which an owner can subscribe their organization to a product.

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

// Operation createBillingPortalSession: an address at which an owner can see and change what their organization pays.

/**
 * @throws Refusal MEMBERSHIP_REQUIRED, FORBIDDEN; NOT_FOUND when nobody ever paid for the organization; RATE_LIMITED;
 *   UNAVAILABLE when the provider does not answer; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const openBillingPortal = async (
  { database, limits, payments, settings }: BillingDeps,
  actor: Actor,
): Promise<BillingRedirect> => {
  const { organizationId } = await authorizePayer(database, actor);
  const known = await database.maybeOne(findCustomer, [organizationId]);
  if (known === null) {
    throw new Refusal('NOT_FOUND', 'This organization has paid for nothing yet. Choose a plan first.');
  }
  await limits.take(rateLimits.billingPortal, organizationId);
  // The turn may have been waited for.
  await requireLiveSession(database, actor);
  const url = await payments.openPortal({ ...known, returnUrl: `${settings.frontendUrl}/plan` });
  return { url };
};

// Who may pay for an organization: its owners, whatever its subscription grants. A scope would not do, because it needs
// the subscription that is about to be paid.

/**
 * The caller's active organization, as it is now.
 * @throws Refusal MEMBERSHIP_REQUIRED without one; FORBIDDEN to anyone but its owners
 */
export const authorizePayer = async (
  database: Database,
  actor: Actor,
): Promise<{ readonly organizationId: string }> => {
  if (actor.membership === null) throw membershipRequired();
  const organizationId = actor.membership.organization.id;
  const membership = await database.maybeOne(findMembership, [actor.user.id, organizationId]);
  if (membership === null) throw membershipRequired();
  if (membership.role === 'OWNER') return { organizationId };
  throw new Refusal('FORBIDDEN', 'Only an owner of the organization can do this.');
};

// What billing needs of the payment provider; `platform/stripe.ts` has it.

export interface CheckoutRequest {
  readonly price: string;
  readonly organizationId: string;
  /** Who paid for the organization before; else the address of who pays now. */
  readonly payer: { readonly customer: string } | { readonly email: string };
  /** Where the browser goes on afterwards. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Each call throws Refusal UNAVAILABLE when the provider does not answer, or not as it should. */
export interface PaymentProvider {
  /** The price at which this product can be bought now, or null. */
  findPrice(product: string): Promise<string | null>;
  /** An address at which the browser can pay. */
  openCheckout(request: CheckoutRequest): Promise<string>;
  /** An address at which the customer can see and change what they pay for. */
  openPortal(request: { readonly customer: string; readonly returnUrl: string }): Promise<string>;
}
