/** The order of arrival of payment events does not matter: only their content and their time do. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/kernel/ids.ts';
import { inParallel, orders, range } from '../support/checks/concurrency.ts';
import { sendPlainly } from '../support/clients/plain-http.ts';
import { embedded } from '../support/database/engines.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { type Cast, paymentStories, type Story } from '../support/servers/payment-stories.ts';
import {
  newProviderId,
  type StoredSubscription,
  signatureOf,
  someTime,
  subscriptionEvent,
  webhookSecret,
} from '../support/servers/payments.ts';

const service = serviceFixture({ STRIPE_WEBHOOK_SECRET: webhookSecret }, 'none', {
  application: { products: { free: {}, new: {}, a: {}, pro: { stripe: 'pro_2026' } } },
});

/** New organizations with the default product. */
const found = async (count: number): Promise<readonly string[]> => {
  const ids = range(count).map(() => newId());
  await service.sql(
    `WITH founded AS (
       INSERT INTO organizations (id, name) SELECT unnest($1::uuid[]), 'Of the tests' RETURNING id
     )
     INSERT INTO subscriptions (organization_id, status, product) SELECT id, 'ACTIVE', 'free' FROM founded`,
    [ids],
  );
  return ids;
};

/** The stored subscriptions of organizations, in their order. */
const subscriptionsOf = async (ids: readonly string[]): Promise<readonly (StoredSubscription | null)[]> => {
  const rows = await service.sql<StoredSubscription & { readonly id: string }>(
    `SELECT organization_id AS id, status, product, current_period_ends_at AS "endsAt"
     FROM subscriptions WHERE organization_id = ANY ($1::uuid[])`,
    [ids],
  );
  const byId = new Map(rows.map(({ id, ...subscription }) => [id, subscription]));
  return ids.map((id) => byId.get(id) ?? null);
};

const deliver = async (event: object): Promise<number> => {
  const body = JSON.stringify(event);
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signatureOf(body) };
  return (await sendPlainly(`${service.url}/webhooks/stripe`, { method: 'POST', headers, body })).status;
};

const newCasts = async (count: number): Promise<readonly Cast[]> => {
  const others = await found(count);
  return (await found(count)).map((organizationId, index) => ({
    organizationId,
    other: others[index] ?? '',
    customer: newProviderId('cus'),
    sub: newProviderId('sub'),
  }));
};

const tell = async (story: Story, cast: Cast, order: readonly number[], atOnce: number): Promise<void> => {
  const events = story(cast);
  const statuses = await inParallel(order, atOnce, (index) => deliver(events[index] ?? {}));
  expect(new Set(statuses)).toEqual(new Set([200]));
};

/** For each set of subjects, the subscriptions of its two organizations. */
const afterwards = async (casts: readonly Cast[]): Promise<readonly (readonly (StoredSubscription | null)[])[]> => {
  const stored = await subscriptionsOf(casts.flatMap(({ organizationId, other }) => [organizationId, other]));
  return casts.map((_, index) => stored.slice(2 * index, 2 * index + 2));
};

/** How often a sequence is delivered concurrently; the embedded engine has no concurrent transactions. */
const rounds = embedded ? 2 : 8;

describe.each(paymentStories)('%s', (_title, story, expected) => {
  const indices = range(story({ organizationId: '', other: '', customer: '', sub: '' }).length);

  // Contract: organizations#ledger-of-events — `created` orders events, also those before their checkout
  it('has one result in every order of arrival', async () => {
    const all = orders(indices);
    const reported = (await newCasts(all.length)).map((cast, index) => ({ cast, order: all[index] ?? [] }));
    await inParallel(reported, 8, ({ cast, order }) => tell(story, cast, order, 1));
    const endings = await afterwards(reported.map(({ cast }) => cast));
    expect(endings.map((ending, index) => ({ order: all[index], ending }))).toEqual(
      all.map((order) => ({ order, ending: expected })),
    );
  });

  it('has the same result when all events arrive at once', async () => {
    const casts = await newCasts(rounds);
    const twice = [...indices, ...indices];
    await inParallel(casts, 4, (cast) => tell(story, cast, twice, twice.length));
    expect(await afterwards(casts)).toEqual(casts.map(() => expected));
  });
});

// Contract: organizations#ledger-of-events — An older event never undoes a newer one
it('An older event never overwrites a newer one, whatever its content', async () => {
  const [organizationId = ''] = await found(1);
  const base = { id: newProviderId('sub'), customer: newProviderId('cus'), organizationId };
  expect(await deliver(subscriptionEvent({ ...base, status: 'active', created: someTime + 9 }))).toBe(200);
  const settled = await subscriptionsOf([organizationId]);
  for (const status of ['past_due', 'canceled', 'unpaid', 'trialing', 'incomplete']) {
    const older = subscriptionEvent({ ...base, status, created: someTime + 8, periodEnd: someTime + 9_999_999 });
    expect(await deliver(older)).toBe(200);
    expect(await subscriptionsOf([organizationId])).toEqual(settled);
  }
});

// Contract: organizations#ledger-of-events — Equal seconds by the subscription's own newer state, else by event id
it('Events of one second with equal information about the subscription are ordered by their ids', async () => {
  for (const flip of [false, true]) {
    const [organizationId = ''] = await found(1);
    const base = { id: newProviderId('sub'), customer: newProviderId('cus'), organizationId };
    const first = { ...subscriptionEvent({ ...base, status: 'past_due' }), id: `${newProviderId('evt')}_a` };
    const second = { ...subscriptionEvent({ ...base, status: 'active' }), id: `${first.id.slice(0, -1)}b` };
    for (const event of flip ? [second, first] : [first, second]) expect(await deliver(event)).toBe(200);
    expect(await subscriptionsOf([organizationId])).toMatchObject([{ status: 'ACTIVE' }]);
  }
});
