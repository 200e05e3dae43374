/** Generated sequences of payment events, in all orders and repeated, against a small model. */
import { describe, expect, it } from 'vitest';
import { applyPaymentEvent, readPaymentEvent } from '../../src/domain/billing/payment-events.ts';
import { readDefinition } from '../../src/domain/scopes/application-definition.ts';
import { newId } from '../../src/kernel/ids.ts';
import { inParallel, orders, range } from '../support/checks/concurrency.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import {
  application,
  type Cast,
  type Expected,
  eventOf,
  modelOf,
  sequenceOf,
  subscriptionIdOf,
  type Told,
} from '../support/random/payment-model.ts';
import { newProviderId } from '../support/servers/payments.ts';

const service = serviceFixture();

const free: Expected = { status: 'ACTIVE', product: 'free', endsAt: null, unread: null };
const none: Expected = { status: 'NONE', product: null, endsAt: null, unread: null };

const newCasts = async (count: number, had: Expected): Promise<readonly Cast[]> => {
  const casts = range(count).map(() => ({ id: newProviderId('m'), own: newId(), other: newId() }));
  await service.sql(
    `WITH founded AS (
       INSERT INTO organizations (id, name) SELECT unnest($1::uuid[]), 'Of the tests' RETURNING id
     )
     INSERT INTO subscriptions (organization_id, status, product) SELECT id, 'ACTIVE', $2 FROM founded WHERE $2 <> ''`,
    [casts.flatMap(({ own, other }) => [own, other]), had.product ?? ''],
  );
  return casts;
};

const stateOf = async (casts: readonly Cast[]): Promise<readonly (readonly Expected[])[]> => {
  const rows = await service.sql<Expected & { readonly id: string }>(
    `SELECT organization_id AS id, status, product, current_period_ends_at AS "endsAt", unread_subscription AS unread
     FROM subscriptions WHERE organization_id = ANY ($1::uuid[])`,
    [casts.flatMap(({ own, other }) => [own, other])],
  );
  const byId = new Map(rows.map(({ id, ...row }) => [id, row]));
  return casts.map(({ own, other }) => [own, other].map((id) => byId.get(id) ?? none));
};

interface Rule {
  readonly endedSubscription: 'DENY' | 'DEFAULT_PRODUCT';
  readonly defaultProduct: string | null;
}

const deliver = async (told: Told, cast: Cast, { endedSubscription, defaultProduct }: Rule): Promise<void> => {
  const event = readPaymentEvent(eventOf(told, cast));
  if (event === null) throw new Error('The event is not readable');
  const definition = readDefinition(
    { ...application, endedSubscription },
    { isHardened: false, taken: [], readLogo: () => null },
  );
  const { database } = service;
  const deps = { application: definition, database, logger: silentLogger, settings: { defaultProduct } };
  await applyPaymentEvent(deps, event);
};

/** What the model expects of both organizations of a cast. */
const expected = (told: readonly Told[], cast: Cast, had: Expected, rule: Rule): readonly object[] => {
  const productAfterEnd = rule.endedSubscription === 'DENY' ? null : rule.defaultProduct;
  return (['own', 'other'] as const).map((place) => {
    const { unread, ...state } = modelOf(told, place, had, productAfterEnd);
    return { ...state, unread: unread === null ? null : subscriptionIdOf(cast, unread) };
  });
};

const length = 4;
const sequences = 4;

describe.each<[string, Expected, Rule]>([
  ['a free plan', free, { endedSubscription: 'DENY', defaultProduct: 'free' }],
  ['a free plan, to which it returns', free, { endedSubscription: 'DEFAULT_PRODUCT', defaultProduct: 'basic' }],
  ['no plan', none, { endedSubscription: 'DENY', defaultProduct: null }],
])('An organization with %s', (_title, had, rule) => {
  // Contract: organizations#ledger-of-events — All orders and repetitions of events lead to the same subscription
  it.each(range(sequences))('has what the model has after each event, sequence %i', async (seed) => {
    const sequence = sequenceOf(
      seed + sequences * (had === none ? 2 : rule.endedSubscription === 'DENY' ? 0 : 1),
      length,
    );
    const all = orders(sequence);
    const deliveries = (await newCasts(all.length, had)).map((cast, at) => ({ cast, order: all[at] ?? [] }));
    const casts = deliveries.map(({ cast }) => cast);
    const wanted = (told: (order: readonly Told[]) => readonly Told[]) =>
      deliveries.map(({ cast, order }) => expected(told(order), cast, had, rule));
    for (const step of range(length)) {
      await inParallel(deliveries, 4, ({ cast, order }) => inTurn(order.slice(step, step + 1), cast, rule));
      expect(await stateOf(casts)).toEqual(wanted((order) => order.slice(0, step + 1)));
    }
    await inParallel(deliveries, 4, ({ cast, order }) => inTurn(order.toReversed(), cast, rule));
    expect(await stateOf(casts)).toEqual(wanted((order) => order));
  });
});

const inTurn = async (told: readonly Told[], cast: Cast, rule: Rule): Promise<void> => {
  for (const each of told) await deliver(each, cast, rule);
};
