/** A required second factor in Chromium: the policy of an organization, and the pages of super admins. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { currentCode, freshCode } from '../../support/actors/one-time-codes.ts';
import { findings, overflowAt360 } from '../../support/browser/accessibility.ts';
import { button, field, heading, openStage, signInNewPerson, signInSuperAdmin } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { fixture } from '../../support/fixture.ts';
import type { Service } from '../../support/gatehouse/gatehouse.ts';

/** Sets up one-time codes on /account/security; returns their secret. */
const setUpCodes = async (service: Service, page: Page): Promise<string> => {
  await button(page, 'Set up').click();
  await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  const secret = ((await page.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  await field(page, 'Six-digit code that the app shows').fill(await currentCode(service, secret));
  await button(page, 'Turn on').click();
  await button(page, 'I have kept them').click();
  return secret;
};

const confirmInDialog = async (service: Service, page: Page, secret: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await dialog.getByLabel(/^Code of your authenticator app/).fill(await freshCode(service, secret));
  await dialog.getByRole('button', { name: 'Confirm with the code' }).click();
  await dialog.waitFor({ state: 'detached' });
};

const isSound = async (page: Page): Promise<void> => {
  expect([await findings(page), await overflowAt360(page)]).toEqual([[], 0]);
};

describe.skipIf(chromiumPath === null)('An organization that requires a second factor', () => {
  const stage = fixture(openStage);

  const openPolicy = async (page: Page): Promise<void> => {
    await page.goto('/members');
    await page.getByRole('link', { name: 'Security of the organization' }).click();
    await heading(page, "Security of Test Person's organization").waitFor();
  };

  // Contract: account#organizations-with-a-factor — setSecondFactorPolicy in the portal
  it('is made so by an owner, who sets up a factor of their own first, and no longer requires it afterwards', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    await openPolicy(page);
    await page.getByText('Not required').waitFor();
    await isSound(page);
    await button(page, 'Require a second factor').click();
    const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dialog.getByRole('link', { name: 'Set up a second factor' }).click();
    await setUpCodes(stage.service, page);
    await button(page, 'Go on with what you began').click();
    await heading(page, "Security of Test Person's organization").waitFor();
    await button(page, 'Require a second factor').click();
    await page.getByText("Test Person's organization requires a second factor now.").waitFor();
    await page.getByText('Required of every member').waitFor();
    await isSound(page);
    await button(page, 'Stop requiring it').click();
    await page.getByText("Test Person's organization no longer requires a second factor.").waitFor();
  });

  // Contract: account#visibility-of-a-missing-factor — Membership.needsSecondFactor in the portal
  it('tells a member on every page, until they have set one up, and again in a session without it', async () => {
    const { page, visitor, email } = await signInNewPerson(stage);
    visitor.forgiveComplaints();
    await stage.service.sql(
      `UPDATE organizations o SET require_second_factor = true FROM users u JOIN organization_members m
         ON m.id = u.current_membership WHERE o.id = m.organization_id AND u.email = $1`,
      [email],
    );
    await page.goto('/members');
    const notice = page.getByText(/ requires a second factor$/);
    await notice.waitFor();
    expect(await button(page, 'Invite a member').count()).toBe(0);
    await isSound(page);
    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    await page.getByText('Set one up below.').waitFor();
    const secret = await setUpCodes(stage.service, page);
    await notice.waitFor({ state: 'detached' });
    await page.goto('/members');
    await button(page, 'Invite a member').waitFor();

    await stage.service.sql('UPDATE credentials SET second_factor_at = NULL');
    await page.goto('/members');
    await button(page, 'Confirm that it is you').click();
    await confirmInDialog(stage.service, page, secret);
    await button(page, 'Invite a member').waitFor();
    expect(await notice.count()).toBe(0);
  });
});

describe.skipIf(chromiumPath === null)('The pages of super admins where they need a second factor', () => {
  const stage = fixture(() => openStage({ environment: { SUPER_ADMIN_SECOND_FACTOR: 'required' } }));

  /** The title of a page of the console that cannot be opened yet. */
  const sessions = { path: '/admin/super/sessions', title: 'Console' };

  // Contract: account#super-admins-with-a-factor — SUPER_ADMIN_SECOND_FACTOR=required in the portal
  it('open once one is set up, or confirmed', async () => {
    const { page, visitor, email } = await signInSuperAdmin(stage, sessions);
    visitor.forgiveComplaints();
    for (const path of ['/admin/super/mcp', '/admin/super/sessions']) {
      await page.goto(path);
      await page.getByText('Super admins need a second factor here').waitFor();
      await isSound(page);
    }
    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    const secret = await setUpCodes(stage.service, page);
    await page.goto('/admin/super/sessions');
    await page.getByText(email).first().waitFor();
    await heading(page, 'Sessions').waitFor();

    await stage.service.sql('UPDATE credentials SET second_factor_at = NULL');
    await page.goto('/admin/super/sessions');
    await button(page, 'Confirm that it is you').click();
    await confirmInDialog(stage.service, page, secret);
    await page.getByText('Super admins need a second factor here').waitFor({ state: 'detached' });

    await stage.service.sql('UPDATE credentials SET second_factor_at = NULL');
    await page.goto('/reauthenticate?redirect=/admin/super/mcp&secondFactor=true');
    await page.getByText('This needs more than your password. You go on after this.').waitFor();
    await isSound(page);
    await page.getByLabel(/^Code of your authenticator app/).fill(await freshCode(stage.service, secret));
    await button(page, 'Confirm with the code').click();
    await page.waitForURL('**/admin/super/mcp**');
  });

  it('are explained to a person without a second factor on the page of the detour', async () => {
    const { page } = await signInSuperAdmin(stage, sessions);
    await page.goto('/reauthenticate?redirect=/admin/super/mcp&secondFactor=true');
    await page.getByText('Your account has no second factor yet.').waitFor();
    await isSound(page);
    await page.getByRole('link', { name: 'Set up a second factor' }).click();
    await setUpCodes(stage.service, page);
    await button(page, 'Go on with what you began').click();
    await page.waitForURL('**/admin/super/mcp**');
  });
});
