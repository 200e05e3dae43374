/** Operations createCheckoutSession and createBillingPortalSession: where an owner subscribes an organization. */
import { invalidInput, Refusal, requireValidInput } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { Actor } from '../access/actor.ts';
import { membershipRequired, requireFactorOf, requireLiveSession } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { findMembership } from '../organizations/organizations-store.ts';
import { findCustomer, hasPaidSubscription } from './billing-store.ts';

export interface BillingDeps extends Deps<'application' | 'database' | 'limits'>, Settings<'frontendUrl'> {
  readonly payments: PaymentProvider;
}

/** The URL that the caller of a billing operation is sent to. */
export interface BillingRedirect {
  readonly url: string;
}

/**
 * Operation createCheckoutSession: a URL at which an owner subscribes their organization to a product.
 * @throws Refusal FORBIDDEN: no owner; SECOND_FACTOR_REQUIRED; BAD_USER_INPUT: the product is not sold, or the
 *   organization pays for one already; UNAVAILABLE: the provider does not answer
 */
export const openCheckout = async (
  { application, database, limits, payments, settings }: BillingDeps,
  actor: Actor,
  product: string,
): Promise<BillingRedirect> => {
  const { organizationId } = await authorizePayer(database, actor);
  const offered = application.findProduct(product);
  if (offered === null) throw invalidInput({ product: 'There is no such plan.' });
  const { isPaid } = await database.one(hasPaidSubscription, [organizationId]);
  requireValidInput({
    product: isPaid ? 'This organization has a plan already. Change it in the billing portal.' : null,
  });
  await limits.consume(rateLimits.checkout, organizationId);
  const price = await payments.findPrice(offered.priceKey);
  if (price === null) throw invalidInput({ product: 'This plan cannot be bought right now.' });
  const known = await database.maybeOne(findCustomer, [organizationId]);
  // Session, role or policy may have changed while the permit and the price were awaited.
  await requireLiveSession(database, actor);
  await authorizePayer(database, actor);
  const url = await payments.openCheckout({
    price,
    product: offered.name,
    organizationId,
    payer: known ?? { email: actor.user.email },
    successUrl: `${settings.frontendUrl}/plan?checkout=done`,
    cancelUrl: `${settings.frontendUrl}/plan?checkout=cancelled`,
  });
  return { url };
};

/** Where an owner manages the subscription. @throws Refusal as {@link openCheckout}; NOT_FOUND: it never paid */
export const openBillingPortal = async (
  { database, limits, payments, settings }: BillingDeps,
  actor: Actor,
): Promise<BillingRedirect> => {
  const { organizationId } = await authorizePayer(database, actor);
  const known = await database.maybeOne(findCustomer, [organizationId]);
  if (known === null) {
    throw new Refusal('NOT_FOUND', 'This organization has not paid for a plan yet. Choose a plan first.');
  }
  await limits.consume(rateLimits.billingPortal, organizationId);
  // Session, role or policy may have changed while the permit was awaited.
  await requireLiveSession(database, actor);
  await authorizePayer(database, actor);
  const url = await payments.openPortal({ ...known, returnUrl: `${settings.frontendUrl}/plan` });
  return { url };
};

// Payers are the owners: a scope would require the subscription that is about to be paid.

/** The caller's active organization, read now. */
const authorizePayer = async (database: Database, actor: Actor): Promise<{ readonly organizationId: string }> => {
  if (actor.membership === null) throw membershipRequired();
  const organizationId = actor.membership.organization.id;
  const membership = await database.maybeOne(findMembership, [actor.user.id, organizationId]);
  if (membership === null) throw membershipRequired();
  if (membership.role !== 'OWNER') throw new Refusal('FORBIDDEN', 'Only an owner of the organization can do this.');
  await requireFactorOf(membership, database, actor);
  return { organizationId };
};

// The interface that billing requires of the payment provider; `platform/stripe.ts` implements it.

interface CheckoutRequest {
  readonly price: string;
  /** Name of the product, which the subscription has for as long as no price of it names another one. */
  readonly product: string;
  readonly organizationId: string;
  /** The customer that paid for the organization before; else the caller's address. */
  readonly payer: { readonly customer: string } | { readonly email: string };
  /** URL at which the browser continues. */
  readonly successUrl: string;
  readonly cancelUrl: string;
}

/** Every call throws Refusal UNAVAILABLE when the provider does not answer, or answers unexpectedly. */
export interface PaymentProvider {
  /** The price with this look-up key, at which a product can be bought now; or null. */
  findPrice(priceKey: string): Promise<string | null>;
  /** A URL at which the user can pay. */
  openCheckout(request: CheckoutRequest): Promise<string>;
  /** A URL at which the customer can see and change their subscription. */
  openPortal(request: { readonly customer: string; readonly returnUrl: string }): Promise<string>;
}
