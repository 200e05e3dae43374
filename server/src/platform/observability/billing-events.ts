/** Owns the events of payments, a part of the closed list in `events.ts`. */
import { operation, security } from './event-facts.ts';

export const billingEvents = {
  'billing.event': operation('info', 'paymentEventId type isNew organizationId', 'a payment event was received'),
  'billing.event_refused': security(
    'info',
    'ip refusals',
    'a request to the payment webhook was refused; many from Stripe mean a wrong `STRIPE_WEBHOOK_SECRET`. The first refusal at once, later ones once a minute, with their number and the details of the last one',
  ),
  'billing.event_unreadable': operation(
    'warn',
    'paymentEventId type isNew organizationId',
    'a payment event was stored but could not be read: subscriptions may be out of date',
  ),
  'billing.price_unreadable': operation(
    'warn',
    'paymentEventId type isNew organizationId subscriptionId',
    'a payment event was received, and neither a price nor the metadata of its subscription names a product: the organization keeps the one that it has',
  ),
  'billing.provider_failed': operation(
    'error',
    'call type code statusCode requestId',
    'Stripe failed to create a checkout or billing portal; `requestId` is that of Stripe',
  ),
} as const;
