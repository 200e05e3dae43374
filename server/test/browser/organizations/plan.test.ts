/** The plan of an organization in the portal: what it allows its members, and the way to the payment provider. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { addTo, getTenant, newOwner, type RoleName, setActive } from '../../support/actors/tenants.ts';
import {
  answerInstead,
  button,
  heading,
  openStage,
  type Stage,
  signInNewPerson,
  signInPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import type { Visitor } from '../../support/browser/visitors.ts';
import { register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';
import {
  checkoutCompleted,
  checkoutPath,
  deliver,
  newProviderId,
  pricesPath,
  secretKey,
  someTime,
  startFakeStripe,
  subscriptionEvent,
  webhookSecret,
} from '../../support/servers/payments.ts';

const openPlan = async (page: Page, query = ''): Promise<void> => {
  await page.goto(`/plan${query}`);
  await heading(page, 'Plan').waitFor();
};

const currentPlan = (page: Page) => page.getByRole('region', { name: 'Current plan' });
const scope = (page: Page, words: string) =>
  page.getByRole('region', { name: 'What you may do' }).getByRole('listitem').filter({ hasText: words }).first();

/** A user who is active in the organization of another user, in this role. */
const signInColleague = async (stage: Stage, role: RoleName): Promise<Visitor> => {
  const email = await register(stage.service);
  const { organizationId } = await newOwner(stage.service);
  const { userId } = await getTenant(stage.service, email);
  await setActive(stage.service, userId, await addTo(stage.service, userId, organizationId, role));
  return signInPerson(stage, email);
};

describe.skipIf(chromiumPath === null)('A plan with payments enabled', () => {
  const provider = fixture(startFakeStripe);
  const stage = fixture(() =>
    openStage({
      environment: {
        DEFAULT_PRODUCT: '',
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_API_BASE: provider.url,
      },
    }),
  );
  beforeEach(() => provider.reset());

  // Contract: portal#plan-and-checkout — Checkout and billing portal, from the button to the provider's event
  it('is bought at the payment provider, and becomes active when the provider’s event arrives', async () => {
    const { page, email } = await signInNewPerson(stage);
    const { organizationId } = await getTenant(stage.service, email);
    await openPlan(page);
    await currentPlan(page).getByText('Not subscribed').waitFor();
    await scope(page, 'Invite people').getByText('No plan is active.').waitFor();
    await page.route('https://checkout.stripe.example/**', (route) => route.fulfill({ body: 'The payment page' }));
    await button(page, 'Subscribe to Free').click();
    await page.waitForURL('https://checkout.stripe.example/c/pay/cs_1');

    await openPlan(page, '?checkout=done');
    await page.getByText('If you paid, the plan changes here as soon as the payment provider confirms it.').waitFor();
    await currentPlan(page).getByText('We are waiting for confirmation from the payment provider.').waitFor();
    expect(await page.getByRole('button', { name: /^Subscribe/ }).count()).toBe(0);
    const customer = newProviderId('cus');
    await deliver(stage.service, checkoutCompleted(customer, organizationId));
    await deliver(stage.service, subscriptionEvent({ customer, organizationId, status: 'active' }));
    await button(page, 'Refresh').click();
    await currentPlan(page).getByText('Active', { exact: true }).waitFor();
    await page.getByText('The payment is confirmed, and the plan is active.').waitFor();
    expect(await page.getByText('the plan changes here as soon as').count()).toBe(0);
    await scope(page, 'Invite people').getByText('(allowed)').waitFor();

    await page.route('https://billing.stripe.example/**', (route) => route.fulfill({ body: 'The bills' }));
    await button(page, 'Manage billing').click();
    await page.waitForURL('https://billing.stripe.example/p/session/1');
  });

  it('is unchanged when the user cancels on the payment page', async () => {
    const { visitor } = await signInNewPerson(stage);
    await openPlan(visitor.page, '?checkout=cancelled');
    await visitor.page.getByText('You have not bought anything, and the plan has not changed.').waitFor();
    await button(visitor.page, 'Subscribe to Free').waitFor();
  });

  it('explains at the button why the payment page does not open', async () => {
    const { page } = await signInNewPerson(stage);
    const products = page.getByRole('region', { name: 'What each plan includes' });
    await openPlan(page);
    provider.answers.set(pricesPath, { body: JSON.stringify({ object: 'list', has_more: false, data: [] }) });
    await button(page, 'Subscribe to Free').click();
    await products.getByText('This plan cannot be bought right now.').waitFor();
    provider.reset();
    provider.answers.set(checkoutPath, { status: 500, body: '{}' });
    await button(page, 'Subscribe to Free').click();
    await products.getByText('Not available right now').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/plan');
  });

  // Contract: portal#plan-and-checkout — Every state of a subscription in words
  it('is shown by its display name, whatever the provider’s name for it', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const { organizationId } = await getTenant(stage.service, email);
    const customer = newProviderId('cus');
    const states = [
      ['trialing', 'On trial'],
      ['past_due', 'Payment overdue'],
      ['canceled', 'Ended'],
    ] as const;
    for (const [position, [status, words]] of states.entries()) {
      const event = { customer, organizationId, status, created: someTime + position, periodEnd: 1_893_456_000 };
      await deliver(stage.service, subscriptionEvent(event));
      await openPlan(visitor.page);
      await currentPlan(visitor.page).getByText(words, { exact: true }).waitFor();
      await currentPlan(visitor.page).getByText('1 January 2030').waitFor();
      await button(visitor.page, 'Manage billing').waitFor();
    }
  });

  // Contract: portal#plan-and-checkout — Checkout is for owners
  it('is bought by owners: other members are advised to ask them', async () => {
    const { page } = await signInColleague(stage, 'ADMIN');
    await openPlan(page);
    await page.getByText(/^Owners of .* can change the plan/).waitFor();
    expect(await page.getByRole('button', { name: /Subscribe|billing/ }).count()).toBe(0);
  });
});

describe.skipIf(chromiumPath === null)('A plan without payments', () => {
  const stage = fixture(openStage);

  // Contract: portal#plan-and-checkout — Why a scope is granted or not, on the page
  it('explains what each role may do, why not, and whom to ask', async () => {
    const { page } = await signInColleague(stage, 'MEMBER');
    await openPlan(page);
    await scope(page, 'See who belongs to the organization').getByText('(allowed)').waitFor();
    await scope(page, 'Invite people').getByText('Your role does not include it.').click();
    await page.getByText('Your role here is MEMBER, which does not grant MEMBERS_INVITE').waitFor();
    await page.getByText('contact the operator of this service').waitFor();
    expect(await page.getByRole('button', { name: /Subscribe|billing/ }).count()).toBe(0);
  });

  it('belongs to an organization: a user without one is shown the next step', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const { userId } = await getTenant(stage.service, email);
    await stage.service.sql('DELETE FROM organization_members WHERE user_id = $1', [userId]);
    await openPlan(visitor.page);
    await visitor.page.getByText('No organization is active').waitFor();
  });

  it('can be loaded again after a failure', async () => {
    const { page } = await signInNewPerson(stage);
    const restore = await answerInstead(page, 'FetchPlan', { status: 500, body: '' });
    await openPlan(page);
    await page.getByText('Something went wrong').waitFor();
    await restore();
    await button(page, 'Try again').click();
    await currentPlan(page).getByText('Active', { exact: true }).waitFor();
  });
});
