/** The demo Stripe of development: a plan bought and cancelled through its pages, and where it does not exist. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoStripe } from '../../../src/cli/demo/demo-stripe.ts';
import { bearer, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { configOf, type DevelopmentService, serveDevelopment } from '../../support/gatehouse/development.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { freePort } from '../../support/servers/listen.ts';

const submit = async (page: string, answer: string): Promise<string | null> => {
  const body = new URLSearchParams({ answer });
  const { headers } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
  return headers.get('location');
};

describe('The demo Stripe', () => {
  let stored: TestDatabase;
  let service: DevelopmentService;
  let owner: Tokens;
  beforeAll(async () => {
    stored = await createTestDatabase();
    service = await serveDevelopment(stored);
    const input = { email: 'mary@harbor.example', password: 'Demo.gate1' };
    owner = tokensOf(await post(service.url, operations.signIn, { input }));
  });
  afterAll(async () => {
    await service.stop();
    await stored.drop();
  });

  const run = async (document: string, variables: Readonly<Record<string, unknown>> = {}): Promise<string> => {
    const { data } = await post(service.url, document, variables, bearer(owner));
    const [{ url }] = Object.values(data ?? {}) as [{ url: string }];
    return url;
  };
  const checkout = () => run(operations.createCheckoutSession, { product: 'free' });
  const portal = () => run(operations.createBillingPortalSession);

  const subscription = async (): Promise<unknown> => {
    const { data } = await post(service.url, operations.me, {}, bearer(owner));
    return (data as { me: { currentMembership: { organization: { subscription: unknown } } } }).me.currentMembership
      .organization.subscription;
  };

  it('changes nothing when the purchase is cancelled', async () => {
    const before = await subscription();
    expect(await submit(await checkout(), 'no')).toBe(`${service.url}/plan?checkout=cancelled`);
    expect(await subscription()).toEqual(before);
  });

  it('subscribes the organization, once for each page', async () => {
    const page = await checkout();
    const shown = await fetch(page);
    expect(shown.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    expect(await shown.text()).toContain('Nothing is paid');
    expect(await submit(page, 'yes')).toBe(`${service.url}/plan?checkout=done`);
    expect(await subscription()).toEqual({ status: 'ACTIVE', product: 'free' });
    expect((await fetch(page)).status).toBe(404);
  });

  it('ends the subscription where the owner manages it, and sells it again', async () => {
    expect(await submit(await portal(), 'no')).toBe(`${service.url}/plan`);
    expect(await subscription()).toMatchObject({ status: 'ACTIVE' });
    expect(await submit(await portal(), 'yes')).toBe(`${service.url}/plan`);
    expect(await subscription()).not.toMatchObject({ status: 'ACTIVE' });
    expect(await submit(await checkout(), 'yes')).toBe(`${service.url}/plan?checkout=done`);
    expect(await subscription()).toEqual({ status: 'ACTIVE', product: 'free' });
  });

  it('answers its API to the service alone, under its own name alone', async () => {
    const { origin } = new URL(await portal());
    expect((await fetch(`${origin}/v1/prices`)).status).toBe(401);
    expect((await fetch(`${origin}/v1/prices`, { headers: { authorization: 'Bearer sk_demo_guess' } })).status).toBe(
      401,
    );
    expect((await fetch(origin.replace('127.0.0.1', 'localhost'))).status).toBe(421);
    expect((await fetch(origin)).status).toBe(404);
  });
});

describe('The demo Stripe', () => {
  it.each([
    ['a key of Stripe', { STRIPE_SECRET_KEY: 'sk_test_1' }],
    ['a webhook of Stripe', { STRIPE_WEBHOOK_SECRET: 'whsec_1' }],
    ['a host that others reach', { BASE_URL: 'http://gatehouse.internal:4000' }],
  ])('does not exist with %s', async (_, environment) => {
    expect(
      await startDemoStripe(configOf({ PORT: String(await freePort()), ...environment }), silentLogger),
    ).toBeNull();
  });

  it('is left out where its port is taken', async () => {
    const config = configOf({ PORT: String(await freePort()) });
    const first = await startDemoStripe(config, silentLogger);
    expect(await startDemoStripe(config, silentLogger)).toBeNull();
    await first?.close();
  });
});
