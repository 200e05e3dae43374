/**
 * Checkout and billing portal: who may open them, the requests to the provider, and the result when it does not answer.
 */

import { beforeEach, describe, expect, it } from 'vitest';
import { createStripeApi } from '../../src/platform/stripe.ts';
import { newMember, newOwner, runAs, type Tenant } from '../support/actors/tenants.ts';
import { range, tally } from '../support/checks/concurrency.ts';
import { expectNoEffect, expectRefusal } from '../support/checks/refusals.ts';
import { type Answer, operations, post, registerAndSignIn } from '../support/clients/clients.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import {
  checkoutCompleted,
  checkoutPath,
  deliver,
  newProviderId,
  type ProviderAnswer,
  portalPath,
  pricesPath,
  secretKey,
  startFakeStripe,
  subscriptionEvent,
  webhookSecret,
} from '../support/servers/payments.ts';

const provider = fixture(startFakeStripe);
const service = serviceFixture(() => ({
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_API_BASE: provider.url,
  RATE_LIMITS_ENABLED: 'true',
}));

let owner: Tenant;
beforeEach(async () => {
  provider.reset();
  owner = await newOwner(service);
});

const checkout = (tokens = owner.tokens, product = 'free'): Promise<Answer> =>
  runAs(service, { tokens }, operations.createCheckoutSession, { product });

const portal = (tokens = owner.tokens): Promise<Answer> =>
  runAs(service, { tokens }, operations.createBillingPortalSession);

const pay = async (): Promise<string> => {
  const customer = newProviderId('cus');
  expect(await deliver(service, checkoutCompleted(customer, owner.organizationId))).toBe(200);
  return customer;
};

const calls = (): readonly string[] => provider.requests.map(({ method, path }) => `${method} ${path}`);

describe('A checkout', () => {
  // Contract: organizations#checkout-and-billing-portal — createCheckoutSession sets client_reference_id,
  //   metadata.organizationId and metadata.product
  it('asks for the price by its lookup key, and opens a session for the organization', async () => {
    const answer = await checkout();
    expect(answer.data).toEqual({ createCheckoutSession: { url: 'https://checkout.stripe.example/c/pay/cs_1' } });
    expect(calls()).toEqual([`GET ${pricesPath}`, `POST ${checkoutPath}`]);
    const [prices, session] = provider.requests;
    expect(Object.fromEntries(prices?.query ?? [])).toEqual({ 'lookup_keys[0]': 'free', active: 'true', limit: '1' });
    expect(Object.fromEntries(session?.form ?? [])).toEqual({
      mode: 'subscription',
      'line_items[0][price]': 'price_of_free',
      'line_items[0][quantity]': '1',
      client_reference_id: owner.organizationId,
      'subscription_data[metadata][organizationId]': owner.organizationId,
      'subscription_data[metadata][product]': 'free',
      customer_email: owner.email,
      success_url: `${service.portalUrl}/plan?checkout=done`,
      cancel_url: `${service.portalUrl}/plan?checkout=cancelled`,
    });
    expect(new Set(provider.requests.map(({ authorization }) => authorization))).toEqual(
      new Set([`Bearer ${secretKey}`]),
    );
  });

  it('reuses the customer of an earlier payment', async () => {
    const customer = await pay();
    await checkout();
    const form = provider.requests[1]?.form;
    expect([form?.get('customer'), form?.has('customer_email')]).toEqual([customer, false]);
  });

  it('is available to owners whose subscription grants nothing', async () => {
    const { organizationId } = owner;
    const customer = newProviderId('cus');
    await deliver(service, subscriptionEvent({ customer, organizationId, status: 'canceled' }));
    expect((await checkout()).code).toBeNull();
    expect((await portal()).code).toBeNull();
  });

  it('of an unlisted product is refused', async () => {
    for (const product of ['canary', 'FREE', '', 'free ', 'constructor']) {
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => checkout(owner.tokens, product));
      expect(answer.extensions['fields']).toEqual({ product: 'There is no such plan.' });
    }
    expect(calls()).toEqual([]);
  });

  it.each(['active', 'trialing', 'past_due'])('is refused while a subscription is %s', async (status) => {
    const { organizationId } = owner;
    const byName = subscriptionEvent({ id: newProviderId('sub'), customer: 'cus_x', organizationId, status });
    const byCustomer = subscriptionEvent({ id: newProviderId('sub'), customer: await pay(), status });
    for (const event of [byName, byCustomer]) {
      await deliver(service, event);
      const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => checkout());
      expect(answer.extensions['fields']).toEqual({
        product: 'This organization has a plan already. Change it in the billing portal.',
      });
      await service.sql('DELETE FROM payment_events WHERE event_id = $1', [event.id]);
    }
    expect(calls()).toEqual([]);
  });

  it('is available after a first payment that failed', async () => {
    const { organizationId } = owner;
    const first = { id: newProviderId('sub'), customer: newProviderId('cus'), organizationId };
    await deliver(service, subscriptionEvent({ ...first, type: 'created', status: 'incomplete' }));
    expect((await checkout()).code).toBeNull();
  });

  it('of a product without an active price is refused', async () => {
    provider.answers.set(pricesPath, { body: '{"object":"list","data":[]}' });
    const answer = await checkout();
    expect([answer.code, answer.status]).toEqual(['BAD_USER_INPUT', 400]);
    expect(answer.extensions['fields']).toEqual({ product: 'This plan cannot be bought right now.' });
    expect(calls()).toEqual([`GET ${pricesPath}`]);
  });
});

describe('The billing portal', () => {
  it('opens for the customer who paid', async () => {
    const customer = await pay();
    const answer = await portal();
    expect(answer.data).toEqual({ createBillingPortalSession: { url: 'https://billing.stripe.example/p/session/1' } });
    expect(calls()).toEqual([`POST ${portalPath}`]);
    expect(Object.fromEntries(provider.requests[0]?.form ?? [])).toEqual({
      customer,
      return_url: `${service.portalUrl}/plan`,
    });
  });

  it('is NOT_FOUND for an organization that never paid', async () => {
    await expectRefusal(service, 'NOT_FOUND', () => portal());
    expect(calls()).toEqual([]);
  });

  it('of one organization never shows the customer of another', async () => {
    await pay();
    const { tokens } = await registerAndSignIn(service);
    await expectRefusal(service, 'NOT_FOUND', () => portal(tokens));
  });
});

describe.each([
  ['createCheckoutSession', checkout],
  ['createBillingPortalSession', portal],
])('%s', (_name, open) => {
  it('is refused without a sign-in', async () => {
    const signedOut = { accessToken: '', refreshToken: '' };
    await expectRefusal(service, 'UNAUTHENTICATED', () => open(signedOut));
    expect(calls()).toEqual([]);
  });

  it('is refused without an active organization', async () => {
    await service.sql('DELETE FROM organization_members WHERE id = $1', [owner.memberId]);
    await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () => open(owner.tokens));
    expect(calls()).toEqual([]);
  });

  // Contract: organizations#checkout-and-billing-portal — Checkout and billing portal: only for owners
  it.each(['ADMIN', 'MEMBER'] as const)(
    'is refused to a %s, including one who owns another organization',
    async (role) => {
      await pay();
      const { tokens } = await newMember(service, owner.organizationId, role);
      await expectRefusal(service, 'FORBIDDEN', () => open(tokens));
      expect(calls()).toEqual([]);
    },
  );

  it('is refused to a super admin who is not an owner', async () => {
    await service.sql(`UPDATE users SET is_super_admin = true WHERE email = $1`, [owner.email]);
    await service.sql('DELETE FROM organization_members WHERE id = $1', [owner.memberId]);
    await expectRefusal(service, 'MEMBERSHIP_REQUIRED', () => open(owner.tokens));
  });

  // Contract: organizations#checkout-and-billing-portal — Limits of payment mutations
  it('is limited to ten an hour and five at once, for each organization', async () => {
    await pay();
    const answers = await Promise.all(range(8).map(() => open(owner.tokens)));
    expect(tally(answers.map(({ code }) => code ?? 'OK'))).toEqual({ OK: 5, RATE_LIMITED: 3 });
    const refused = await expectRefusal(service, 'RATE_LIMITED', () => open(owner.tokens));
    const wait = Number(refused.extensions['retryAfterSeconds']);
    expect(wait).toBeGreaterThan(300);
    expect(wait).toBeLessThanOrEqual(360);
    await service.sql(`UPDATE rate_limits SET due_at = due_at - interval '1 second' * $1`, [wait]);
    expect((await open(owner.tokens)).code).toBeNull();
    await expectRefusal(service, 'RATE_LIMITED', () => open(owner.tokens));
    const another = await registerAndSignIn(service);
    expect((await open(another.tokens)).code).not.toBe('RATE_LIMITED');
  });
});

const page = (url: unknown): ProviderAnswer => ({ body: JSON.stringify({ id: 'cs_1', url }) });

const badAnswers: Readonly<Record<string, ProviderAnswer>> = {
  'an internal error': { status: 500, body: '{"error":{"type":"api_error","message":"canary"}}' },
  'an error without a form': { status: 503, body: '<html>canary</html>' },
  'a refused key': { status: 401, body: `{"error":{"type":"invalid_request_error","message":"No: ${secretKey}"}}` },
  'a refused customer': { status: 400, body: '{"error":{"code":"resource_missing","message":"canary"}}' },
  'not JSON': { body: 'canary' },
  'an empty body': { body: '' },
  'a string': { body: '"canary"' },
  'a list': { body: '["canary"]' },
  null: { body: 'null' },
  'an error that is a number': { body: '{"error":7}' },
  'nothing, elsewhere': { status: 302, body: '{"url":"https://canary.example"}' },
  'no URL': page(null),
  'an invalid URL': page('canary'),
  'a URL of another scheme': page('javascript:alert(1)//canary'),
};

describe('A provider that answers with', () => {
  // Contract: organizations#checkout-and-billing-portal — A provider that is slow, down or answers garbage
  it.each(Object.entries(badAnswers))('%s is unavailable', async (_name, given) => {
    await pay();
    provider.answers.set(checkoutPath, given).set(portalPath, given);
    for (const answer of await Promise.all([checkout(), portal()])) {
      expect([answer.code, answer.status]).toEqual(['UNAVAILABLE', 503]);
      expect(answer.text).not.toMatch(/canary|stripe/i);
      const correlationId = String(answer.extensions['correlationId']);
      const line = service.logs.find((text) => text.includes(correlationId)) ?? '';
      expect(JSON.parse(line)).toMatchObject({ level: 'error', event: 'billing.provider_failed', correlationId });
    }
  });

  it.each(['{"data":"canary"}', '{}', 'canary', '{"data":[{"id":7}]}'])(
    '%s for the price is unavailable too',
    async (body) => {
      provider.answers.set(pricesPath, { body });
      expect((await checkout()).code).toBe('UNAVAILABLE');
      expect(calls()).not.toContain(`POST ${checkoutPath}`);
    },
  );
});

describe('A provider', () => {
  const api = (url: string) =>
    createStripeApi({
      secretKey,
      apiBase: url,
      logger: silentLogger,
      timeoutMilliseconds: 200,
    });

  it('that never answers is retried once, then unavailable', async () => {
    provider.answers.set(pricesPath, null);
    await expect((await api(provider.url)).findPrice('free')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(calls()).toEqual([`GET ${pricesPath}`, `GET ${pricesPath}`]);
  });

  it('that refuses connections is unavailable', async () => {
    await expect((await api('http://127.0.0.1:1')).findPrice('free')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

// Contract: organizations#checkout-and-billing-portal — Checkout mutations are absent without STRIPE_SECRET_KEY
it('Without a key of the provider both mutations are absent from the schema, which is otherwise complete', async () => {
  const without = await testFixture(startService());
  for (const name of ['createCheckoutSession', 'createBillingPortalSession'] as const) {
    const answer = await expectNoEffect(without, () => post(without.url, operations[name], { product: 'free' }));
    expect([answer.code, answer.status]).toEqual(['BAD_USER_INPUT', 400]);
  }
  const types = await post(without.url, '{ __schema { types { name } mutationType { fields { name } } } }');
  expect(types.text).toContain('signInWithPassword');
  expect(types.text).not.toMatch(/checkout|billing[A-Z]|BillingRedirect/i);
  const person = await registerAndSignIn(without);
  expect((await runAs(without, person, operations.me)).code).toBeNull();
});

it('The log contains neither the key nor the secret, nor the URL of a session', () => {
  const log = service.logs.join('\n');
  expect(log).toContain('billing.provider_failed');
  for (const text of [secretKey, webhookSecret, 'canary', '/c/pay/', '/p/session']) expect(log).not.toContain(text);
});
