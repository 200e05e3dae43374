/**
 * SQL of `payment_events`, the ledger of the payment provider's events, and of `subscriptions`, which follow from it.
 */
import { statement } from '../../platform/database/statement.ts';
import type { SubscriptionStatus } from '../scopes/scopes.ts';

/**
 * First statement of every transaction that writes the ledger: events of one customer are applied one after the other.
 */
export const lockCustomer = statement<unknown, [customer: string]>(
  'payment_events.lock_customer',
  `SELECT pg_advisory_xact_lock(hashtextextended('payments of ' || $1::text, 0)) IS NOT NULL`,
);

/** Affects no row when the event is already stored. */
export const insertPaymentEvent = statement<
  unknown,
  [
    eventId: string,
    type: string,
    createdAt: Date,
    customer: string | null,
    organizationId: string | null,
    subscriptionId: string | null,
    status: SubscriptionStatus | null,
    product: string | null,
    currentPeriodEndsAt: Date | null,
    isFinal: boolean | null,
    lifecycle: number | null,
  ]
>(
  'payment_events.insert',
  `INSERT INTO payment_events (event_id, type, created_at, customer, organization_id, subscription_id, status, product,
     current_period_ends_at, is_final, lifecycle)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
   ON CONFLICT (event_id) DO NOTHING`,
);

/**
 * Every organization in use that an event of this customer names: the subscription of each may depend on any event of the
 * customer. Ordered as the organizations are locked.
 */
export const listOrganizationsOfCustomer = statement<{ readonly id: string }, [customer: string]>(
  'payment_events.organizations_of_customer',
  `SELECT DISTINCT o.id FROM payment_events e JOIN organizations o ON o.id = e.organization_id
   WHERE e.customer = $1 AND o.deletes_at IS NULL ORDER BY o.id`,
);

/** The customer of this organization's latest payment event that has one. */
export const findCustomer = statement<{ readonly customer: string }, [organizationId: string]>(
  'payment_events.find_customer',
  `SELECT customer FROM payment_events WHERE organization_id = $1 AND customer IS NOT NULL
   ORDER BY created_at DESC, event_id DESC LIMIT 1`,
);

/**
 * Whether the organization has a continuing subscription at the provider: the state in `subscriptions` counts once an
 * event assigned a subscription to the organization.
 */
export const hasPaidSubscription = statement<{ readonly isPaid: boolean }, [organizationId: string]>(
  'payment_events.has_paid_subscription',
  `SELECT EXISTS (SELECT 1 FROM subscriptions
       WHERE organization_id = $1 AND status IN ('ACTIVE', 'TRIALING', 'PAST_DUE'))
     AND EXISTS (SELECT 1 FROM payment_events e WHERE e.subscription_id IS NOT NULL AND (e.organization_id = $1
       OR e.organization_id IS NULL AND e.customer IN (
         SELECT c.customer FROM payment_events c WHERE c.organization_id = $1 AND c.subscription_id IS NULL)))
     AS "isPaid"`,
);

/** The order in which events take precedence: newest first; the contract defines the order within one second. */
const newestFirst = `created_at DESC, is_final DESC, coalesce(current_period_ends_at, '-infinity') DESC, lifecycle DESC,
     event_id DESC`;

/**
 * Computes an organization's subscription from the ledger alone, so that the order of arrival of events does not
 * matter.
 *
 * `bound`: customers who checked out for the organization. `named`: subscriptions that any event assigned to it, by
 * name or through such a customer. `newest`: the event that decides each of them. A subscription that now belongs to
 * another organization is canceled for this one. A subscription that grants takes precedence, then the newest one.
 * Without any, nothing is written: the organization keeps its initial state.
 */
export const computeSubscription = statement<unknown, [organizationId: string]>(
  'payment_events.compute_subscription',
  `WITH bound AS (
     SELECT DISTINCT customer FROM payment_events
     WHERE organization_id = $1 AND subscription_id IS NULL
   ), named AS (
     SELECT subscription_id FROM payment_events WHERE organization_id = $1 AND subscription_id IS NOT NULL
     UNION
     SELECT e.subscription_id FROM payment_events e JOIN bound b ON b.customer = e.customer
     WHERE e.organization_id IS NULL AND e.subscription_id IS NOT NULL
   ), newest AS (
     SELECT DISTINCT ON (e.subscription_id) e.*
     FROM payment_events e JOIN named n ON n.subscription_id = e.subscription_id
     ORDER BY e.subscription_id, ${newestFirst}
   ), owned AS (
     SELECT n.*, coalesce(n.organization_id, (
       SELECT c.organization_id FROM payment_events c
       WHERE c.customer = n.customer AND c.organization_id IS NOT NULL AND c.subscription_id IS NULL
       ORDER BY c.created_at DESC, c.event_id DESC LIMIT 1)) AS owner
     FROM newest n
   ), shown AS (
     SELECT *, CASE WHEN owner = $1 THEN status ELSE 'CANCELED' END AS shown_status FROM owned
   )
   INSERT INTO subscriptions AS s (organization_id, status, product, current_period_ends_at)
   SELECT $1, shown_status, product, current_period_ends_at FROM shown
   ORDER BY shown_status IN ('ACTIVE', 'TRIALING') DESC, ${newestFirst}
   LIMIT 1
   ON CONFLICT (organization_id) DO UPDATE SET status = excluded.status, product = excluded.product,
     current_period_ends_at = excluded.current_period_ends_at
   WHERE (s.status, s.product, s.current_period_ends_at)
     IS DISTINCT FROM (excluded.status, excluded.product, excluded.current_period_ends_at)`,
);

// Table `subscriptions`: the subscription of each organization. No row means no subscription.

export const insertActiveSubscription = statement<unknown, [organizationId: string, product: string]>(
  'subscriptions.insert_active',
  `INSERT INTO subscriptions (organization_id, status, product) VALUES ($1, 'ACTIVE', $2)`,
);
