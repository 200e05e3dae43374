/** Sequences of payment events, each with the subscriptions of its two organizations in every order of arrival. */
import { checkoutCompleted, type EventBody, type StoredSubscription, someTime, subscriptionEvent } from './payments.ts';

/** The subjects of a sequence of events, created anew for each order of delivery. */
export interface Cast {
  readonly organizationId: string;
  readonly other: string;
  readonly customer: string;
  readonly sub: string;
}

export type Story = (cast: Cast) => readonly EventBody[];

const end = (seconds: number): Date => new Date((someTime + seconds) * 1000);
const untouched: StoredSubscription = { status: 'ACTIVE', product: 'free', endsAt: null };

const lifeOf = ({ customer, sub }: Cast, metadata: { organizationId?: string } = {}) => {
  const base = { id: sub, customer, ...metadata };
  return {
    created: subscriptionEvent({
      ...base,
      type: 'created',
      status: 'incomplete',
      created: someTime,
      periodEnd: someTime + 5,
    }),
    updated: subscriptionEvent({ ...base, status: 'active', created: someTime + 1, periodEnd: someTime + 50 }),
    deleted: subscriptionEvent({
      ...base,
      type: 'deleted',
      status: 'canceled',
      created: someTime + 2,
      periodEnd: someTime + 60,
    }),
  };
};

export const paymentStories: readonly (readonly [string, Story, readonly StoredSubscription[]])[] = [
  [
    'A checkout and the life of a subscription linked to the organization only by its customer',
    (cast) => [checkoutCompleted(cast.customer, cast.organizationId), ...Object.values(lifeOf(cast))],
    [{ status: 'CANCELED', product: 'free', endsAt: end(60) }, untouched],
  ],
  [
    'A checkout and the life of a subscription that names the organization',
    (cast) => [checkoutCompleted(cast.customer, cast.organizationId), ...Object.values(lifeOf(cast, cast))],
    [{ status: 'CANCELED', product: 'free', endsAt: end(60) }, untouched],
  ],
  [
    'A subscription that is created, on trial and paid within one second',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, type: 'created', status: 'incomplete' }),
      subscriptionEvent({ id, customer, organizationId, status: 'trialing' }),
      subscriptionEvent({ id, customer, organizationId, status: 'active' }),
    ],
    [{ status: 'ACTIVE', product: 'free', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A subscription that fails and is paid for a longer period within one second',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, status: 'active', periodEnd: someTime + 8 }),
      subscriptionEvent({ id, customer, organizationId, status: 'past_due', periodEnd: someTime + 9 }),
      subscriptionEvent({ id, customer, organizationId, status: 'trialing', periodEnd: someTime + 10 }),
    ],
    [{ status: 'TRIALING', product: 'free', endsAt: end(10) }, untouched],
  ],
  [
    'A subscription that ends within the second in which it was renewed',
    ({ customer, sub: id, organizationId }) => [
      checkoutCompleted(customer, organizationId),
      subscriptionEvent({ id, customer, status: 'active', periodEnd: someTime + 99 }),
      subscriptionEvent({ id, customer, type: 'deleted', status: 'canceled', periodEnd: someTime + 10 }),
      subscriptionEvent({ id, customer, type: 'created', status: 'incomplete', periodEnd: someTime + 10 }),
    ],
    [{ status: 'CANCELED', product: 'free', endsAt: end(10) }, untouched],
  ],
  [
    'A new subscription, and an older one that ends later',
    ({ customer, sub, organizationId }) => [
      subscriptionEvent({ id: `${sub}_old`, customer, organizationId, status: 'active' }),
      subscriptionEvent({ id: sub, customer, organizationId, status: 'active', created: someTime + 5, product: 'new' }),
      subscriptionEvent({
        id: `${sub}_old`,
        customer,
        organizationId,
        type: 'deleted',
        status: 'canceled',
        created: someTime + 9,
        periodEnd: someTime + 9,
      }),
    ],
    [{ status: 'ACTIVE', product: 'new', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A customer who later checks out for another organization, to which the subscription moves',
    ({ customer, sub: id, organizationId, other }) => [
      checkoutCompleted(customer, organizationId, someTime),
      subscriptionEvent({ id, customer, status: 'active', created: someTime + 1 }),
      checkoutCompleted(customer, other, someTime + 2),
    ],
    [
      { status: 'CANCELED', product: 'free', endsAt: end(2_592_000) },
      { status: 'ACTIVE', product: 'free', endsAt: end(2_592_000) },
    ],
  ],
  [
    'A subscription that names another organization later',
    ({ customer, sub: id, organizationId, other }) => [
      subscriptionEvent({ id, customer, organizationId, status: 'active', created: someTime + 1 }),
      subscriptionEvent({ id, customer, organizationId: other, status: 'trialing', created: someTime + 2 }),
    ],
    [
      { status: 'CANCELED', product: 'free', endsAt: end(2_592_000) },
      { status: 'TRIALING', product: 'free', endsAt: end(2_592_000) },
    ],
  ],
  [
    'Two customers of one organization',
    ({ customer, sub, organizationId }) => [
      checkoutCompleted(`${customer}_a`, organizationId),
      checkoutCompleted(`${customer}_b`, organizationId, someTime + 5),
      subscriptionEvent({ id: `${sub}_a`, customer: `${customer}_a`, status: 'active', product: 'a' }),
      subscriptionEvent({ id: `${sub}_b`, customer: `${customer}_b`, status: 'past_due', created: someTime + 5 }),
    ],
    [{ status: 'ACTIVE', product: 'a', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A first payment that fails beside a free plan, and expires',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, type: 'created', status: 'incomplete' }),
      subscriptionEvent({ id, customer, organizationId, status: 'incomplete_expired', created: someTime + 9 }),
      checkoutCompleted(customer, organizationId),
    ],
    [untouched, untouched],
  ],
  [
    'A first payment that fails, of a subscription that is deleted then',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, type: 'created', status: 'incomplete' }),
      subscriptionEvent({ id, customer, organizationId, type: 'deleted', status: 'canceled', created: someTime + 9 }),
    ],
    [untouched, untouched],
  ],
  [
    'A first payment that fails beside a paid plan, and expires',
    ({ customer, sub, organizationId }) => [
      subscriptionEvent({ id: `${sub}_paid`, customer, organizationId, status: 'active', product: 'a' }),
      subscriptionEvent({ id: sub, customer, organizationId, status: 'incomplete', created: someTime + 5 }),
      subscriptionEvent({ id: sub, customer, organizationId, status: 'incomplete_expired', created: someTime + 9 }),
    ],
    [{ status: 'ACTIVE', product: 'a', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A first payment that fails beside a plan that is not paid any more',
    ({ customer, sub, organizationId }) => [
      subscriptionEvent({ id: `${sub}_paid`, customer, organizationId, status: 'past_due', product: 'a' }),
      subscriptionEvent({ id: sub, customer, organizationId, status: 'incomplete', created: someTime + 5 }),
    ],
    [{ status: 'PAST_DUE', product: 'a', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A first payment that succeeds at the second try',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, type: 'created', status: 'incomplete' }),
      subscriptionEvent({ id, customer, organizationId, status: 'active', created: someTime + 5, product: 'a' }),
    ],
    [{ status: 'ACTIVE', product: 'a', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A price whose look-up key moves to another one, of a subscription that ends later',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, status: 'active', product: 'pro_2026' }),
      subscriptionEvent({ id, customer, organizationId, status: 'active', created: someTime + 5, product: null }),
      subscriptionEvent({ id, customer, organizationId, status: 'active', created: someTime + 6, product: 'pro_2025' }),
    ],
    [{ status: 'ACTIVE', product: 'pro', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A subscription made by hand whose price never names a product',
    ({ customer, sub: id, organizationId }) => [
      checkoutCompleted(customer, organizationId),
      subscriptionEvent({ id, customer, status: 'active', product: null }),
      subscriptionEvent({ id, customer, status: 'canceled', product: 'pro_2025', created: someTime + 5 }),
    ],
    [untouched, untouched],
  ],
  [
    'A subscription that ends, before one that is not paid any more',
    ({ customer, sub, organizationId }) => [
      subscriptionEvent({ id: sub, customer, organizationId, status: 'past_due', product: 'a' }),
      subscriptionEvent({ id: `${sub}_old`, customer, organizationId, status: 'canceled', created: someTime + 5 }),
    ],
    [{ status: 'PAST_DUE', product: 'a', endsAt: end(2_592_000) }, untouched],
  ],
  [
    'A subscription whose metadata is removed',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, status: 'active', product: 'a' }),
      subscriptionEvent({ id, customer, status: 'active', product: 'new', created: someTime + 5 }),
    ],
    [{ status: 'ACTIVE', product: 'new', endsAt: end(2_592_000) }, untouched],
  ],
];
