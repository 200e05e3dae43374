/** Products whose price has another name at Stripe: an organization is granted what it pays for. */
import { describe, expect, it } from 'vitest';
import { newOwner } from '../support/actors/tenants.ts';
import { bearer, post } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  deliver,
  newProviderId,
  subscriptionEvent,
  subscriptionOf,
  webhookSecret,
} from '../support/servers/payments.ts';

const service = serviceFixture({ STRIPE_WEBHOOK_SECRET: webhookSecret }, 'none', {
  application: {
    scopes: { 'notes:write': 'Write notes' },
    products: { free: {}, team: { scopes: '*', members: 5, stripe: 'acme_team_2026' } },
  },
});

const paid = (organizationId: string, lookupKey: string) =>
  subscriptionEvent({
    id: newProviderId('sub'),
    customer: newProviderId('cus'),
    status: 'active',
    organizationId,
    product: lookupKey,
  });

describe('A product with a price of another name', () => {
  // Contract: application#grants-of-a-product — Stripe's price look-up key is `stripe`, else the product's name
  it('is the product of the organization that pays this price', async () => {
    const owner = await newOwner(service);
    expect(await deliver(service, paid(owner.organizationId, 'acme_team_2026'))).toBe(200);
    expect(await subscriptionOf(service, owner.organizationId)).toMatchObject({ product: 'team', status: 'ACTIVE' });
    const { text } = await post(service.url, '{ me { currentMembership { scopes } } }', {}, bearer(owner.tokens));
    expect(text).toContain('notes:write');
  });

  // Contract: organizations#owner-and-product-of-a-subscription — A subscription of which nothing was ever readable
  //   replaces nothing
  it('is not granted by an unknown price, nor by its own name', async () => {
    const owner = await newOwner(service);
    for (const key of ['acme_old', 'team']) {
      expect(await deliver(service, paid(owner.organizationId, key))).toBe(200);
      expect(await subscriptionOf(service, owner.organizationId)).toMatchObject({ product: 'free', status: 'ACTIVE' });
    }
    const { text } = await post(service.url, '{ me { currentMembership { scopes } } }', {}, bearer(owner.tokens));
    expect(text).not.toContain('notes:write');
  });
});
