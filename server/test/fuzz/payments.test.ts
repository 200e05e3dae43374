/** Signed payment events with any content: each is accepted or refused whole, once, for its organization. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { everythingStored } from '../support/database/stored-rows.ts';
import { fixture } from '../support/fixture.ts';
import {
  expectCleanLog,
  expectOften,
  expectValidAnswer,
  hostileJson,
  hostileText,
  mutated,
  secretSettings,
  sendOnWire,
  tries,
  type WireAnswer,
} from '../support/random/fuzz.ts';
import { startFuzzWorld } from '../support/random/fuzz-world.ts';
import { signatureOf, someTime } from '../support/servers/payments.ts';

const world = fixture(startFuzzWorld);
const service = fixture(() => world.service);

/** Most have the right form, or whole events would never be read. */
const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 30, arbitrary },
    { weight: 1, arbitrary: hostileJson },
    { weight: 1, arbitrary: fc.constant(null) },
  );

const seconds = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: someTime, max: someTime + 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0, 253_402_300_799, 253_402_300_800, -1, 1.5, Number.MAX_SAFE_INTEGER),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '2026-01-01T00:00:00Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999999999-23:59',
      '0001-01-01T00:00:00+23:59',
    ),
  },
);

/** Repeats the same few, so that events collide. */
const few = (prefix: string): fc.Arbitrary<string> => fc.nat(3).map((number) => `${prefix}_${number}`);

const organizationId = (): fc.Arbitrary<unknown> =>
  mostly(
    fc.constantFrom(
      world.owner.organizationId,
      world.member.organizationId,
      world.owner.userId,
      '00000000-0000-4000-8000-000000000000',
    ),
  );

const reference = mostly(
  fc.oneof(
    few('cus'),
    few('cus').map((id) => ({ id, object: 'customer' })),
    hostileText,
  ),
);

const subject = (): fc.Arbitrary<unknown> =>
  mostly(
    fc.record(
      {
        id: mostly(few('sub')),
        customer: reference,
        client_reference_id: organizationId(),
        status: mostly(
          fc.constantFrom(
            'incomplete',
            'trialing',
            'active',
            'past_due',
            'unpaid',
            'paused',
            'canceled',
            'toString',
            '__proto__',
          ),
        ),
        metadata: mostly(
          fc.record(
            { organizationId: organizationId(), product: mostly(fc.constantFrom('free', 'pro')) },
            { requiredKeys: ['organizationId'] },
          ),
        ),
        current_period_end: mostly(seconds),
        items: mostly(
          fc.record({
            data: mostly(
              fc.array(
                fc.record({
                  current_period_end: mostly(seconds),
                  price: mostly(
                    fc.record({ lookup_key: mostly(fc.oneof(fc.constantFrom('free', 'pro'), hostileText)) }),
                  ),
                }),
                { maxLength: 2 },
              ),
            ),
          }),
        ),
      },
      { requiredKeys: ['id', 'customer', 'status', 'metadata', 'client_reference_id'] },
    ),
  );

const types = [
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.__proto__',
  'invoice.paid',
] as const;

const event = (): fc.Arbitrary<unknown> =>
  fc.record(
    {
      id: mostly(fc.oneof(few('evt'), { weight: 6, arbitrary: fc.uuid() }, hostileText)),
      type: mostly(
        fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...types) }, { weight: 1, arbitrary: hostileText }),
      ),
      created: mostly(seconds),
      data: mostly(fc.record({ object: subject() })),
      livemode: hostileJson,
    },
    { requiredKeys: ['id', 'type', 'created', 'data'] },
  );

let happened = 0;

/** A valid event of an existing organization, newer than all before it. */
const rightEvent = (): fc.Arbitrary<unknown> =>
  fc.record({
    id: fc.uuid(),
    type: fc.constantFrom('customer.subscription.created', 'customer.subscription.updated'),
    created: fc.constant(someTime).map((time) => {
      happened += 10;
      return time + happened;
    }),
    data: fc.record({
      object: fc.record({
        id: few('right'),
        customer: few('cus'),
        status: fc.constantFrom('trialing', 'active', 'past_due', 'unpaid', 'canceled'),
        metadata: fc.record({
          organizationId: fc.constantFrom(world.owner.organizationId, world.member.organizationId),
          product: fc.constantFrom('free', 'pro'),
        }),
      }),
    }),
  });

const body = (): fc.Arbitrary<string> => {
  const whole = event().map((value) => JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 4, arbitrary: rightEvent().map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: whole.chain(mutated) },
    { weight: 1, arbitrary: hostileJson.map((value) => JSON.stringify(value)) },
  );
};

const deliver = (text: string): Promise<WireAnswer> => {
  // As sent: an unpaired surrogate is not text any more.
  const payload = text.toWellFormed();
  const signature = signatureOf(payload, { secret: secretSettings.STRIPE_WEBHOOK_SECRET });
  return sendOnWire(service.url, {
    method: 'POST',
    path: '/webhooks/stripe',
    headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
    body: payload,
  });
};

/** Every table except the events and subscriptions, whose changes move the version of their organization. */
const ofOthers = (lines: readonly string[]): readonly string[] =>
  lines
    .filter((line) => !/^(payment_events|subscriptions) /.test(line))
    .map((line) => (line.startsWith('organizations ') ? line.replace(/"version": \d+/, '') : line));

const subscriptionsIn = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.startsWith('subscriptions '));

// Contract: requests#any-input-is-answered — Random signed events of the payment provider
it('The payment webhook accepts any signed event once, or refuses it whole, and changes nothing else', async () => {
  let taken = 0;
  let changes = 0;
  let stored = await everythingStored(service);
  await fc.assert(
    fc.asyncProperty(body(), async (text) => {
      const answer = await deliver(text);
      const before = stored;
      const after = await everythingStored(service);
      // Also when this attempt fails: later, smaller ones are compared with its rows.
      stored = after;
      expectValidAnswer(answer, world.credentials);
      expect([200, 400]).toContain(answer.status);
      expect(ofOthers(after)).toEqual(ofOthers(before));
      if (answer.status === 400) expect(after).toEqual(before);
      else taken += 1;
      changes += subscriptionsIn(after).join() === subscriptionsIn(before).join() ? 0 : 1;
      expect((await deliver(text)).status).toBe(answer.status);
      expect(await everythingStored(service)).toEqual(after);
    }),
    tries(250),
  );
  // Otherwise only the envelope was read.
  expectOften(taken, 100);
  expectOften(changes, 5);
  expectCleanLog(service.logs, world.credentials);
});
