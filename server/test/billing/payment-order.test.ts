/** The order in which payment events arrive does not matter: what they say does, and when they said it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { inParallel, range } from '../support/concurrency.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import {
  checkoutCompleted,
  deliver,
  type EventBody,
  newProviderId,
  type StoredSubscription,
  someTime,
  subscriptionEvent,
  subscriptionOf,
  webhookSecret,
} from '../support/payments.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ STRIPE_WEBHOOK_SECRET: webhookSecret });
});
afterAll(() => service.close());

/** An organization as it is founded: on the default product. */
const found = async (): Promise<string> => {
  const id = newId();
  await service.sql(`INSERT INTO organizations (id, name) VALUES ($1, 'Of the tests')`, [id]);
  await service.sql(`INSERT INTO subscriptions (organization_id, status, product) VALUES ($1, 'ACTIVE', 'free')`, [id]);
  return id;
};

const orders = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) =>
        orders([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
      );

/** Who and what a story is about, made anew for each order in which it is told. */
interface Cast {
  readonly organizationId: string;
  readonly other: string;
  readonly customer: string;
  readonly sub: string;
}

type Story = (cast: Cast) => readonly EventBody[];

const tell = async (story: Story, order: readonly number[], pace: 'in a row' | 'at once'): Promise<Cast> => {
  const cast = {
    organizationId: await found(),
    other: await found(),
    customer: newProviderId('cus'),
    sub: newProviderId('sub'),
  };
  const events = story(cast);
  const statuses = await inParallel(order, pace === 'in a row' ? 1 : order.length, (index) =>
    deliver(service, events[index] ?? {}),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  return cast;
};

const afterwards = async (cast: Cast): Promise<readonly (StoredSubscription | null)[]> => [
  await subscriptionOf(service, cast.organizationId),
  await subscriptionOf(service, cast.other),
];

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

const stories: readonly (readonly [string, Story, readonly StoredSubscription[]])[] = [
  [
    'A checkout and the life of a subscription that only its customer ties to the organization',
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
    'A subscription that fails and is paid for a longer time within one second',
    ({ customer, sub: id, organizationId }) => [
      subscriptionEvent({ id, customer, organizationId, status: 'active', periodEnd: someTime + 8 }),
      subscriptionEvent({ id, customer, organizationId, status: 'past_due', periodEnd: someTime + 9 }),
      subscriptionEvent({ id, customer, organizationId, status: 'trialing', periodEnd: someTime + 10 }),
    ],
    [{ status: 'TRIALING', product: 'free', endsAt: end(10) }, untouched],
  ],
  [
    'A subscription that is over within the second in which it was renewed',
    ({ customer, sub: id, organizationId }) => [
      checkoutCompleted(customer, organizationId),
      subscriptionEvent({ id, customer, status: 'active', periodEnd: someTime + 99 }),
      subscriptionEvent({ id, customer, type: 'deleted', status: 'canceled', periodEnd: someTime + 10 }),
      subscriptionEvent({ id, customer, type: 'created', status: 'incomplete', periodEnd: someTime + 10 }),
    ],
    [{ status: 'CANCELED', product: 'free', endsAt: end(10) }, untouched],
  ],
  [
    'A new subscription beside one that ends later',
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
    'A customer who checks out for another organization later, which takes the subscription along',
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
];

describe.each(stories)('%s', (_title, story, expected) => {
  const indices = range(story({ organizationId: '', other: '', customer: '', sub: '' }).length);

  // Specification: Payments — `created` orders events, also those that come before their checkout
  it('ends alike in every order of arrival', async () => {
    const endings = await inParallel(orders(indices), 8, async (order) => ({
      order,
      ending: await afterwards(await tell(story, order, 'in a row')),
    }));
    expect(endings).toEqual(endings.map(({ order }) => ({ order, ending: expected })));
  });

  it('ends alike when everything arrives at once', async () => {
    const endings = await inParallel(range(8), 4, async () =>
      afterwards(await tell(story, [...indices, ...indices], 'at once')),
    );
    expect(endings).toEqual(endings.map(() => expected));
  });
});

describe('An older event', () => {
  // Specification: Payments — An older event never undoes a newer one
  it('never undoes a newer one, whatever it says', async () => {
    const organizationId = await found();
    const base = { id: newProviderId('sub'), customer: newProviderId('cus'), organizationId };
    expect(await deliver(service, subscriptionEvent({ ...base, status: 'active', created: someTime + 9 }))).toBe(200);
    const settled = await subscriptionOf(service, organizationId);
    for (const status of ['past_due', 'canceled', 'unpaid', 'trialing', 'incomplete']) {
      const older = subscriptionEvent({ ...base, status, created: someTime + 8, periodEnd: someTime + 9_999_999 });
      expect(await deliver(service, older)).toBe(200);
      expect(await subscriptionOf(service, organizationId)).toEqual(settled);
    }
  });
});

describe('Events of equal seconds that say as much about the subscription', () => {
  // Specification: Payments — Equal seconds by the subscription's own newer state, else by event id
  it('are decided by their ids', async () => {
    for (const flip of [false, true]) {
      const organizationId = await found();
      const base = { id: newProviderId('sub'), customer: newProviderId('cus'), organizationId };
      const first = { ...subscriptionEvent({ ...base, status: 'past_due' }), id: `${newProviderId('evt')}_a` };
      const second = { ...subscriptionEvent({ ...base, status: 'active' }), id: `${first.id.slice(0, -1)}b` };
      for (const event of flip ? [second, first] : [first, second]) expect(await deliver(service, event)).toBe(200);
      expect(await subscriptionOf(service, organizationId)).toMatchObject({ status: 'ACTIVE' });
    }
  });
});
