/** Operation createBillingPortalSession: an address at which an owner can see and change what their organization pays. */
import { Refusal } from '../../kernel/errors.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { Actor } from '../access/actor.ts';
import { requireLiveSession } from '../access/authorize.ts';
import { authorizePayer } from './authorize-payer.ts';
import type { BillingDeps, BillingRedirect } from './open-checkout.ts';
import { findCustomer } from './payment-events-store.ts';

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
