/** The payment provider's webhook: which requests it accepts, what it stores, and the effect on the next request. */

import { fastify } from 'fastify';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import { mountFailures } from '../../src/http/fallbacks.ts';
import { mountStripeWebhook } from '../../src/http/stripe-webhook.ts';
import { BodyBudget } from '../../src/http-kit/request-bodies.ts';
import { newId } from '../../src/kernel/ids.ts';
import { DatabaseUnavailable, databaseNow } from '../../src/platform/database/database.ts';
import { createStripeVerifier } from '../../src/platform/stripe.ts';
import { newOwner, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations, type Tokens } from '../support/clients/clients.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { everythingStored } from '../support/database/stored-rows.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { forgeries, messageFor, messages, signed } from '../support/servers/payment-forgeries.ts';
import {
  checkoutCompleted,
  deliver,
  newProviderId,
  postToWebhook,
  secretKey,
  signatureOf,
  someTime,
  subscriptionEvent,
  subscriptionOf,
  webhookSecret,
} from '../support/servers/payments.ts';

let owner: Tokens;
let organizationId: string;
const service = serviceFixture({ STRIPE_WEBHOOK_SECRET: webhookSecret });
beforeAll(async () => {
  ({ tokens: owner, organizationId } = await newOwner(service));
});

/** An event that would cancel the plan of the organization if it were accepted. */
const harmful = () =>
  JSON.stringify(
    subscriptionEvent({ id: newProviderId('sub'), customer: newProviderId('cus'), status: 'canceled', organizationId }),
  );

describe('The webhook', () => {
  // Contract: organizations#payment-webhook — The payment webhook is verified by the provider's signature: missing,
  //   forged, stale, of another secret, tampered body
  it.each(Object.entries(forgeries))('refuses %s', async (name, forge) => {
    const { body, headers } = forge(harmful());
    const response = await expectNothingStored(service, () => postToWebhook(service, body, headers));
    expect(response.status).toBe(400);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({
      error: { code: 'BAD_USER_INPUT', message: messageFor(name) },
    });
  });

  // Contract: organizations#payment-webhook — An unsigned webhook costs nothing: refused before its body
  it.each([
    ['none', ''],
    ['an empty one', 'Stripe-Signature: \r\n'],
    ['a word', 'Stripe-Signature: canary\r\n'],
    ['a timestamp alone', `Stripe-Signature: t=${someTime}\r\n`],
    ['a signature alone', `Stripe-Signature: v1=${'0'.repeat(64)}\r\n`],
    ['an invalid timestamp', `Stripe-Signature: t=now,v1=${'0'.repeat(64)}\r\n`],
    ['a signature that is too short', `Stripe-Signature: t=${someTime},v1=${'0'.repeat(63)}\r\n`],
    ['a signature that is not hexadecimal', `Stripe-Signature: t=${someTime},v1=${'g'.repeat(64)}\r\n`],
    ['another scheme', `Stripe-Signature: t=${someTime},v0=${'0'.repeat(64)}\r\n`],
    ['two headers', `Stripe-Signature: t=${someTime}\r\nStripe-Signature: canary\r\n`],
    ['a very long one', `Stripe-Signature: t=${someTime},v1=${'0'.repeat(64)},${'x'.repeat(2048)}\r\n`],
  ])('refuses an impossible signature before the body: %s', async (_name, header) => {
    const connection = await RawConnection.open(service.url);
    const answer = await expectNothingStored(service, () => {
      connection.write(
        `POST /webhooks/stripe HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n${header}\r\n`,
      );
      return connection.closed();
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^connection: close\r$/m);
    const message = /^(Stripe-Signature: \r\n)?$/.test(header) ? messages.missing : messages.malformed;
    expect(answer).toContain(JSON.stringify({ error: { code: 'BAD_USER_INPUT', message } }));
  });

  it('accepts an event of 256 KB', async () => {
    const start = JSON.stringify({ id: newProviderId('evt'), type: 'x', created: someTime });
    const { body, headers } = signed(`${start.slice(0, -1).padEnd(256 * 1024 - 1)}}`);
    expect((await postToWebhook(service, body, headers)).status).toBe(200);
  });

  // Contract: organizations#payment-webhook — The webhook takes 256 KB at most
  it('refuses a body over 256 KB unread', async () => {
    const response = await expectNothingStored(service, () => {
      const { body, headers } = signed(harmful().replace('"sub', `"${'x'.repeat(256 * 1024)}`));
      return postToWebhook(service, body, headers);
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      error: { code: 'BAD_USER_INPUT', message: messages.tooLong },
    });
  });

  it.each(['GET', 'PUT', 'DELETE', 'OPTIONS'])('answers 404 to %s', async (method) => {
    const response = await fetch(`${service.url}/webhooks/stripe`, { method });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('verifies the signature over the bytes, with any media type', async () => {
    for (const type of ['text/plain', 'application/octet-stream']) {
      const { body, headers } = signed(JSON.stringify({ id: newProviderId('evt'), type: 'x', created: someTime }));
      expect((await postToWebhook(service, body, { ...headers, 'content-type': type })).status).toBe(200);
    }
  });

  it('accepts a second signature in the header, as the provider sends during the rotation of a secret', async () => {
    const body = JSON.stringify({ id: newProviderId('evt'), type: 'x', created: someTime });
    const [time = '', right = ''] = signatureOf(body).split(',');
    const header = `${time},v1=${'0'.repeat(64)},${right}`;
    expect((await postToWebhook(service, body, { 'stripe-signature': header })).status).toBe(200);
  });

  // Contract: organizations#payment-webhook — Absent without STRIPE_WEBHOOK_SECRET
  it('is 404 without its secret', async () => {
    const without = await testFixture(startService());
    const { body, headers } = signed(harmful());
    const response = await expectNothingStored(without, () => postToWebhook(without, body, headers));
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' },
    });
  });
});

const kept = async (id: string): Promise<number> => {
  const rows = await service.sql('SELECT 1 FROM payment_events WHERE event_id = $1', [id]);
  return rows.length;
};

/** Every table except the ledger. */
const effects = async (): Promise<readonly string[]> =>
  (await everythingStored(service)).filter((line) => !line.startsWith('payment_events '));

const sub = (change: Partial<Parameters<typeof subscriptionEvent>[0]> = {}) =>
  subscriptionEvent({ id: newProviderId('sub'), customer: newProviderId('cus'), status: 'past_due', ...change });

const about = (event: ReturnType<typeof sub>, change: object) => ({
  ...event,
  data: { object: { ...event.data.object, ...change } },
});

const withoutEffect = {
  'of the second kind': () => ({
    id: newProviderId('evt'),
    object: 'v2.core.event',
    type: 'v1.billing.meter.no_meter_found',
    created: '2026-11-20T09:30:00.000Z',
  }),
  'of an unknown type': () => ({ ...sub({ organizationId }), type: 'customer.telepathy.updated' }),
  'of another type that names the organization': () => ({ ...sub({ organizationId }), type: 'invoice.paid' }),
  'of an unknown customer': () => sub(),
  'of an unknown organization': () => sub({ organizationId: newId() }),
  'of an invalid organization id': () => sub({ organizationId: "' OR 1=1 --" }),
  'of a checkout without an organization': () =>
    about(checkoutCompleted('cus', organizationId), { client_reference_id: null }),
  'of a checkout without a customer': () => about(checkoutCompleted('cus', organizationId), { customer: null }),
  'without an object': () => ({ ...sub({ organizationId }), data: undefined }),
  'with a string as object': () => ({ ...sub({ organizationId }), data: { object: 'canary' } }),
  'with an unknown status': () => sub({ organizationId, status: 'canary' }),
  'without a customer': () => about(sub({ organizationId }), { customer: null }),
  'with a subscription without an id': () => about(sub({ organizationId }), { id: 7 }),
  'with NUL in the customer': () => sub({ organizationId, customer: 'cus\u0000' }),
};

describe('A verified event', () => {
  // Contract: organizations#payment-webhook — POST /webhooks/stripe: 200 for every verified event, known or not
  it.each(Object.entries(withoutEffect))('%s is recorded, and changes nothing', async (_name, make) => {
    const event = make();
    const before = await effects();
    expect(await deliver(service, event)).toBe(200);
    expect(await effects()).toEqual(before);
    expect(await kept(event.id)).toBe(1);
  });

  it('with unreadable content is logged as a warning', () => {
    const warnings = service.logs.filter((line) => line.includes('billing.event_unreadable'));
    expect(warnings.length).toBeGreaterThan(3);
    expect(warnings.every((line) => line.includes('"level":"warn"'))).toBe(true);
  });

  // Contract: organizations#ledger-of-events — Each event id is applied once, also under concurrent deliveries
  it('delivered 50 times at once is applied once', async () => {
    const event = sub({ organizationId, status: 'trialing' });
    const before = await versionOfOrganization();
    const answers = await Promise.all(range(50).map(() => deliver(service, event)));
    expect(answers).toEqual(range(50).map(() => 200));
    expect(await kept(event.id)).toBe(1);
    expect(await versionOfOrganization()).toBe(before + 1);
    expect(await subscriptionOf(service, organizationId)).toMatchObject({ status: 'TRIALING' });
  });

  // Contract: organizations#ledger-of-events — A repeated event id is not applied
  it('delivered again does nothing, even with other content', async () => {
    const event = sub({ organizationId, status: 'active', created: someTime + 10 });
    expect(await deliver(service, event)).toBe(200);
    await expectNothingStored(service, async () => {
      expect(await deliver(service, event)).toBe(200);
      expect(await deliver(service, about({ ...event, created: someTime + 20 }, { status: 'canceled' }))).toBe(200);
    });
  });

  // Contract: organizations#owner-and-product-of-a-subscription — The organization: metadata.organizationId, else that
  //   of the customer; the product: lookup key, else metadata.product
  it('reads the period and the product from an older format of the provider too', async () => {
    const event = about(sub({ organizationId, status: 'active', created: someTime + 30 }), {
      current_period_end: someTime + 77,
      items: { data: [{ price: { lookup_key: null } }] },
      metadata: { organizationId, product: 'free' },
    });
    expect(await deliver(service, event)).toBe(200);
    expect(await subscriptionOf(service, organizationId)).toEqual({
      status: 'ACTIVE',
      product: 'free',
      endsAt: new Date((someTime + 77) * 1000),
    });
  });
});

const versionOfOrganization = async (): Promise<number> =>
  (await service.sql.value<number>('SELECT version FROM organizations WHERE id = $1', [organizationId])) ?? -1;

describe('The status of the subscription', () => {
  const scopesNow = async (): Promise<unknown> => {
    const { data } = await runAs(service, { tokens: owner }, operations.me);
    const { me } = data as { me: { currentMembership: { scopes: string[]; organization: object } } };
    return { scopes: me.currentMembership.scopes.length, ...me.currentMembership.organization };
  };

  // Contract: organizations#status-of-a-subscription — ACTIVE and TRIALING grant; PAST_DUE and CANCELED deny, on the
  //   very next request
  it.each([
    ['past_due', 'PAST_DUE', 0],
    ['active', 'ACTIVE', 9],
    ['unpaid', 'CANCELED', 0],
    ['trialing', 'TRIALING', 9],
    ['paused', 'CANCELED', 0],
    ['active', 'ACTIVE', 9],
    ['incomplete', 'CANCELED', 0],
    ['incomplete_expired', 'CANCELED', 0],
    ['active', 'ACTIVE', 9],
    ['canceled', 'CANCELED', 0],
  ])('%s shows as %s on the very next request', async (status, shown, granted) => {
    statusTime += 1;
    const event = subscriptionEvent({
      id: 'sub_of_statuses',
      customer: 'cus_of_statuses',
      created: someTime + statusTime,
      organizationId,
      status,
    });
    await endOthers();
    expect(await deliver(service, event)).toBe(200);
    expect(await scopesNow()).toMatchObject({ scopes: granted, subscription: { status: shown, product: 'free' } });
  });
});

let statusTime = 1000;

/** Other tests of this file added subscriptions, which would win as long as they grant. */
const endOthers = async (): Promise<void> => {
  await service.sql(`DELETE FROM payment_events WHERE organization_id = $1 AND subscription_id <> 'sub_of_statuses'`, [
    organizationId,
  ]);
};

// Contract: organizations#payment-webhook — A database that does not answer: 503, so that the provider retries
it('While the database does not answer the webhook answers 503, so that the provider retries', async () => {
  const down = { ...service.database, transaction: () => Promise.reject(new DatabaseUnavailable('out of reach')) };
  const app = fastify();
  mountFailures(app);
  const verify = await createStripeVerifier(webhookSecret, () => databaseNow(service.database));
  await mountStripeWebhook(app, {
    application: defaultApplication,
    database: down,
    logger: silentLogger,
    settings: { defaultProduct: null },
    verify,
    bodies: new BodyBudget(),
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => app.close());
  const event = sub({ organizationId, status: 'canceled' });
  await expectNothingStored(service, async () => expect(await deliver({ url }, event)).toBe(503));
});

it('The log contains no secret, signature or body', () => {
  const log = service.logs.join('\n');
  expect(log).toContain('billing.event');
  for (const text of [webhookSecret, secretKey, 'v1=', 'stripe-signature', 'lookup_key', 'canary']) {
    expect(log.replaceAll('customer.telepathy', '')).not.toContain(text);
  }
});
