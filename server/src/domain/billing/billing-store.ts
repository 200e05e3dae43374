/** SQL of `payment_events`, the ledger of the provider's events, and of `subscriptions`, which follow from it. */
import { statement } from '../../platform/database/database.ts';
import type { SubscriptionStatus } from '../scopes/scopes.ts';

/** First statement of every transaction that writes the ledger: events of one customer are serialized. */
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

/** Organizations that an event of this customer names, in lock order: each may depend on any of their events. */
export const listOrganizationsOfCustomer = statement<{ readonly id: string }, [customer: string]>(
  'payment_events.organizations_of_customer',
  `SELECT DISTINCT o.id FROM payment_events e JOIN organizations o ON o.id = e.organization_id
   WHERE e.customer = $1 ORDER BY o.id`,
);

/** The customer of this organization's latest payment event that has one. */
export const findCustomer = statement<{ readonly customer: string }, [organizationId: string]>(
  'payment_events.find_customer',
  `SELECT customer FROM payment_events WHERE organization_id = $1 AND customer IS NOT NULL
   ORDER BY created_at DESC, event_id DESC LIMIT 1`,
);

/** The order of precedence; within one second that of contract/organizations.md#ledger-of-events. */
const newestFirst = `created_at DESC, is_final DESC, coalesce(current_period_ends_at, '-infinity') DESC, lifecycle DESC,
     event_id DESC`;

/**
 * Common table expressions: the subscriptions of organization $1, from the ledger alone, whatever the order of events.
 *
 * `bound`: customers who checked out for the organization. `named`: subscriptions that any event assigned to it, by
 * name or through such a customer. `newest`: the event that decides each of them, the product and the organization that
 * events last named, and whether it was ever in use: an end alone says so, but not where a first payment was awaited.
 * `owned`: those in use, with the organization that each belongs to now; it has ended for every other one.
 */
const ownedSubscriptions = `bound AS (
     SELECT DISTINCT customer FROM payment_events
     WHERE organization_id = $1 AND subscription_id IS NULL
   ), named AS (
     SELECT subscription_id FROM payment_events WHERE organization_id = $1 AND subscription_id IS NOT NULL
     UNION
     SELECT e.subscription_id FROM payment_events e JOIN bound b ON b.customer = e.customer
     WHERE e.organization_id IS NULL AND e.subscription_id IS NOT NULL
   ), newest AS (
     SELECT DISTINCT ON (e.subscription_id) e.*,
       first_value(product) OVER (PARTITION BY e.subscription_id ORDER BY product IS NULL, ${newestFirst}) AS known_product,
       first_value(organization_id) OVER (PARTITION BY e.subscription_id ORDER BY organization_id IS NULL,
         ${newestFirst}) AS known_organization,
       bool_or(lifecycle > 0 AND NOT is_final) OVER of_subscription
         OR bool_and(lifecycle > 0) OVER of_subscription AS was_in_use
     FROM payment_events e JOIN named n ON n.subscription_id = e.subscription_id
     WINDOW of_subscription AS (PARTITION BY e.subscription_id)
     ORDER BY e.subscription_id, ${newestFirst}
   ), owned AS (
     SELECT n.*, is_final OR owner IS DISTINCT FROM $1 AS has_ended
     FROM newest n CROSS JOIN LATERAL (SELECT coalesce(n.organization_id, (
       SELECT c.organization_id FROM payment_events c
       WHERE c.customer = n.customer AND c.organization_id IS NOT NULL AND c.subscription_id IS NULL
       ORDER BY c.created_at DESC, c.event_id DESC LIMIT 1), known_organization) AS owner) AS o
     WHERE was_in_use
   )`;

/** Whether the provider bills the organization: of its subscriptions one is in use and has not ended. */
export const hasPaidSubscription = statement<{ readonly isPaid: boolean }, [organizationId: string]>(
  'payment_events.has_paid_subscription',
  `WITH ${ownedSubscriptions}
   SELECT EXISTS (SELECT 1 FROM owned WHERE NOT has_ended AND status <> 'CANCELED') AS "isPaid"`,
);

/**
 * Computes the subscription of an organization, unless it is deleted: the ledger keeps what happens meanwhile.
 *
 * A subscription that was never in use, or whose product was never known, replaces nothing. Of the others, one that
 * grants takes precedence, then one that has not ended, then the newest. Without any, the organization has what it had
 * before the first payment event.
 * @param productAfterEnd what an ended subscription leaves; null: nothing
 */
export const computeSubscription = statement<unknown, [organizationId: string, productAfterEnd: string | null]>(
  'payment_events.compute_subscription',
  `WITH ${ownedSubscriptions}, shown AS (
     (SELECT 1 AS choice, CASE WHEN has_ended THEN 'CANCELED' ELSE status END AS status, known_product AS product,
        current_period_ends_at, has_ended AND $2::text IS NOT NULL AS is_replaced
      FROM owned WHERE known_product IS NOT NULL
      ORDER BY NOT has_ended AND status IN ('ACTIVE', 'TRIALING') DESC, has_ended, ${newestFirst} LIMIT 1)
     UNION ALL
     SELECT 2, CASE initial_product WHEN '' THEN 'NONE' ELSE 'ACTIVE' END, nullif(initial_product, ''), NULL, false
     FROM subscriptions WHERE organization_id = $1 AND initial_product IS NOT NULL
     UNION ALL
     SELECT 3, status, product, current_period_ends_at, false FROM subscriptions WHERE organization_id = $1
     UNION ALL
     SELECT 4, 'NONE', NULL, NULL, false FROM owned
     ORDER BY choice LIMIT 1
   )
   INSERT INTO subscriptions AS s
     (organization_id, initial_product, status, product, current_period_ends_at, unread_subscription)
   SELECT $1, '', CASE WHEN is_replaced THEN 'ACTIVE' ELSE status END, CASE WHEN is_replaced THEN $2 ELSE product END,
     CASE WHEN NOT is_replaced THEN current_period_ends_at END,
     (SELECT subscription_id FROM owned WHERE NOT has_ended AND product IS NULL ORDER BY ${newestFirst} LIMIT 1)
   FROM shown WHERE EXISTS (SELECT 1 FROM organizations WHERE id = $1 AND deletes_at IS NULL)
   ON CONFLICT (organization_id) DO UPDATE SET status = excluded.status, product = excluded.product,
     current_period_ends_at = excluded.current_period_ends_at, unread_subscription = excluded.unread_subscription,
     initial_product = coalesce(s.initial_product,
       CASE WHEN s.status = 'ACTIVE' AND s.current_period_ends_at IS NULL THEN s.product END)
   WHERE (s.status, s.product, s.current_period_ends_at, s.unread_subscription)
     IS DISTINCT FROM (excluded.status, excluded.product, excluded.current_period_ends_at, excluded.unread_subscription)`,
);

// Table `subscriptions`: the subscription of each organization. No row means no subscription.

export const insertActiveSubscription = statement<unknown, [organizationId: string, product: string]>(
  'subscriptions.insert_active',
  `INSERT INTO subscriptions (organization_id, status, product) VALUES ($1, 'ACTIVE', $2)`,
);
