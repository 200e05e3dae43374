/** The product of a subscription, whatever the format of its events, and what an ended one leaves. */
import { describe, expect, it } from 'vitest';
import { statement } from '../../src/platform/database/database.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { isOnPostgres } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import {
  deliver,
  newProviderId,
  type SubscriptionChange,
  someTime,
  subscriptionEvent,
  subscriptionOf,
  webhookSecret,
} from '../support/servers/payments.ts';

const service = serviceFixture({ STRIPE_WEBHOOK_SECRET: webhookSecret });

const sub = (change: Pick<SubscriptionChange, 'organizationId' | 'status'>, object: object) => {
  const event = subscriptionEvent({ id: newProviderId('sub'), customer: newProviderId('cus'), ...change });
  return { ...event, data: { object: { ...event.data.object, ...object } } };
};

describe('The product of a subscription', () => {
  const item = (lookup_key: string | null, seconds: number): object => ({
    current_period_end: someTime + seconds,
    price: { lookup_key },
  });

  // Contract: organizations#owner-and-product-of-a-subscription — The product is that of the first item whose price
  //   names one, else metadata.product
  it.each<[string, unknown, object]>([
    ['an add-on before it', [item('add_on', 1), item('free', 2)], {}],
    ['an add-on after it', [item('free', 2), item('add_on', 1)], {}],
    ['an item that is none', [null, item('free', 2)], {}],
    ['an item without a price', [{ price: 'price_1' }, item('free', 2)], {}],
    ['the metadata alone', [item(null, 2)], { product: 'free' }],
    ['a price before the metadata', [item('free', 2)], { product: 'canary' }],
  ])('is read from %s, with the end of its period', async (_name, data, metadata) => {
    const { organizationId } = await newOwner(service);
    const event = sub(
      { organizationId, status: 'active' },
      {
        customer: { id: newProviderId('cus'), object: 'customer' },
        items: { data },
        metadata: { organizationId: organizationId, ...metadata },
      },
    );
    expect(await deliver(service, event)).toBe(200);
    const endsAt = new Date((someTime + 2) * 1000);
    expect(await subscriptionOf(service, organizationId)).toEqual({ status: 'ACTIVE', product: 'free', endsAt });
  });

  // Contract: organizations#owner-and-product-of-a-subscription — Where neither names one: the one before, with a log
  //   line
  it('is the one before, with a warning, where nothing names one', async () => {
    const { organizationId: id } = await newOwner(service);
    const one = { id: newProviderId('sub'), customer: newProviderId('cus'), organizationId: id };
    const unread = { ...one, product: 'canary', created: someTime + 5 };
    await deliver(service, subscriptionEvent({ ...one, status: 'active' }));
    await deliver(service, subscriptionEvent({ ...unread, status: 'past_due' }));
    expect(await subscriptionOf(service, id)).toMatchObject({ status: 'PAST_DUE', product: 'free' });
    await deliver(
      service,
      subscriptionEvent({ ...unread, type: 'deleted', status: 'canceled', created: someTime + 9 }),
    );
    expect(await subscriptionOf(service, id)).toMatchObject({ status: 'CANCELED', product: 'free' });
    const warnings = service.logs.filter((line) => line.includes('billing.price_unreadable') && line.includes(one.id));
    expect(warnings).toHaveLength(1);
  });
});

describe('An ended subscription', () => {
  const returning = fixture(() =>
    startService({ STRIPE_WEBHOOK_SECRET: webhookSecret, DEFAULT_PRODUCT: 'basic' }, 'none', {
      application: { products: { basic: {}, pro: {} }, endedSubscription: 'DEFAULT_PRODUCT' },
    }),
  );

  // Contract: organizations#status-of-a-subscription — An ended subscription denies, unless the definition says
  //   endedSubscription DEFAULT_PRODUCT
  it('leaves DEFAULT_PRODUCT where the definition says so, and only once it has ended', async () => {
    const { organizationId } = await newOwner(returning);
    const one = { id: newProviderId('sub'), customer: newProviderId('cus'), organizationId, product: 'pro' };
    const states = [
      ['past_due', 'PAST_DUE', 'pro'],
      ['unpaid', 'CANCELED', 'pro'],
      ['canceled', 'ACTIVE', 'basic'],
    ] as const;
    for (const [at, [status, shown, product]] of states.entries()) {
      expect(await deliver(returning, subscriptionEvent({ ...one, status, created: someTime + at }))).toBe(200);
      expect(await subscriptionOf(returning, organizationId)).toMatchObject({ status: shown, product });
    }
  });
});

describe.runIf(isOnPostgres)('An event beside the restoration of its organization (PostgreSQL only)', () => {
  // Contract: account#restored-organization — Payment events for a deleted organization count when it is restored
  it('waits for it, and counts', async () => {
    const { organizationId } = await newOwner(service);
    const setDeletion = 'UPDATE organizations SET deletes_at = $2 WHERE id = $1';
    await service.sql(setDeletion, [organizationId, new Date(Date.now() + 86_400_000)]);
    const [isRestored, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const restoring = service.database.transaction(async (transaction) => {
      await transaction.execute(restore, [organizationId]);
      isRestored.resolve();
      await mayCommit.promise;
    });
    await isRestored.promise;
    const delivered = deliver(service, sub({ organizationId, status: 'past_due' }, {}));
    const waits = expect.poll(async () => (await service.database.one(countWaiting, [])).waiting).toBe(1);
    await Promise.race([delivered, waits]);
    mayCommit.resolve();
    await Promise.all([restoring, delivered]);
    expect(await subscriptionOf(service, organizationId)).toMatchObject({ status: 'PAST_DUE' });
  });
});

const restore = statement<unknown, [organizationId: string]>(
  'test.restore',
  'UPDATE organizations SET deletes_at = NULL WHERE id = $1',
);
const countWaiting = statement<{ readonly waiting: number }>(
  'test.count_waiting',
  `SELECT count(*)::integer AS waiting FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);
