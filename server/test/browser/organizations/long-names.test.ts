/** Names of a hundred letters without a space, and names that run against the text, of people and of organizations. */
import type { Frame, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createSuperAdminAccount } from '../../support/actors/super-admins.ts';
import { button, field, openStage, signedInVisitor } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { authorizationQuery, redirectUri } from '../../support/clients/authorization.ts';
import { bearer, newAddress, operations, post, register, signIn } from '../../support/clients/clients.ts';
import { newClient } from '../../support/clients/oauth.ts';
import { organizationPath } from '../../support/clients/organization-mcp.ts';
import { fixture } from '../../support/fixture.ts';

const widths = [360, 1280] as const;

const ownPages = [
  '/',
  '/account',
  '/account/security',
  '/account/tokens',
  '/account/clients',
  '/account/data',
  '/members',
  '/plan',
  '/organizations/new',
  '/organization/delete',
  '/organization/security',
  '/organization/tokens',
  '/organization/clients',
  '/organization/audit',
];

/** How far the page and each of its boxes that do not scroll reach beyond the screen or are cut off, in pixels. */
const tooWide = (page: Page | Frame, root = '#portal'): Promise<readonly string[]> =>
  page.evaluate((within) => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const wide = scrollWidth > clientWidth ? [`the page by ${scrollWidth - clientWidth}`] : [];
    const spilling = [...document.querySelectorAll(`${within} *`)].filter((element) => {
      const { overflowX, display } = getComputedStyle(element);
      if (overflowX !== 'visible' || display === 'inline' || element.closest('.sr-only, svg') !== null) return false;
      return element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
    });
    return [...wide, ...spilling.map(({ tagName, className }) => `${tagName} ${String(className)}`)];
  }, root);

describe.skipIf(chromiumPath === null)('A name of a hundred letters without a space', () => {
  const stage = fixture(() => openStage({ environment: { ORGANIZATION_MCP_ENABLED: 'true' } }));

  const rename = async (email: string) => {
    const [person] = await stage.service.sql<{ readonly id: string; readonly organization: string }>(
      `UPDATE users SET name = repeat('W', 100) FROM organization_members AS member
       WHERE email = $1 AND member.user_id = users.id RETURNING users.id, member.organization_id AS organization`,
      [email],
    );
    if (person === undefined) throw new Error('The person is not there');
    await stage.service.sql(`UPDATE organizations SET name = repeat('M', 100) WHERE id = $1`, [person.organization]);
    return person;
  };

  const expectToFit = async (page: Page, path: string): Promise<void> => {
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle');
      expect.soft(await tooWide(page), `${path} at ${width}`).toEqual([]);
    }
  };

  it('fits on the pages of the person', { timeout: 240_000 }, async () => {
    const email = await register(stage.service);
    await rename(email);
    const { page } = await signedInVisitor(stage, email);
    for (const path of ownPages) await expectToFit(page, path);
    await page.goto('/');
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole('button', { name: 'M'.repeat(100) }).click();
    await page.getByRole('menuitem').first().waitFor();
    expect(await tooWide(page)).toEqual([]);
  });

  it('fits where nothing is left but the name', { timeout: 60_000 }, async () => {
    const email = await register(stage.service);
    const { id } = await rename(email);
    const { page } = await signedInVisitor(stage, email);
    await stage.service.sql('UPDATE credentials SET organization_id = NULL WHERE user_id = $1', [id]);
    await expectToFit(page, '/members');
    await page.goto('/signin?error=ACCOUNT_MISMATCH');
    await page.getByRole('button', { name: 'W'.repeat(100) }).waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page), `the button at ${width}`).toEqual([]);
    }
  });

  it('fits on the consent for an organization, beside the names of others', async () => {
    const email = await register(stage.service);
    const input = { name: 'M'.repeat(100) };
    await post(stage.service.url, operations.createOrganization, { input }, bearer(await signIn(stage.service, email)));
    await rename(email);
    const { page } = await signedInVisitor(stage, email);
    const query = authorizationQuery(await newClient(stage.service, { redirect_uris: [redirectUri] }), {
      resource: `${stage.service.url}${organizationPath}`,
    });
    await page.goto(`/auth/mcp/authorize?${query}`);
    await page.getByRole('link', { name: 'M'.repeat(100) }).waitFor();
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page, 'body'), `the consent at ${width}`).toEqual([]);
    }
  });

  it('fits in a mail, and in the development mailbox', async () => {
    const email = await register(stage.service);
    await rename(email);
    const { page } = await signedInVisitor(stage, email);
    await page.goto('/members');
    await button(page, 'Invite a member').click();
    const guest = newAddress();
    await field(page, 'E-mail address').fill(guest);
    await button(page, 'Send invitation').click();
    await page.getByRole('row').filter({ hasText: guest }).waitFor();
    await page.goto('/dev/mailbox');
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      expect(await tooWide(page, 'body'), `the mailbox at ${width}`).toEqual([]);
      const [, mail] = page.frames();
      if (mail === undefined) throw new Error('No mail is shown');
      await mail.getByRole('heading', { name: 'M'.repeat(100) }).waitFor();
      expect(await tooWide(mail, 'body'), `the mail at ${width}`).toEqual([]);
    }
  });

  it('fits on the pages of a super admin', { timeout: 120_000 }, async () => {
    const { id, organization } = await rename(await register(stage.service));
    const email = await createSuperAdminAccount(stage.service);
    const { page } = await signedInVisitor(stage, email);
    const paths = ['people', `people/${id}`, 'organizations', `organizations/${organization}`, 'sessions', 'sign-ins'];
    for (const path of paths) await expectToFit(page, `/admin/super/${path}`);
  });
});

describe.skipIf(chromiumPath === null)('A name that is written from right to left', () => {
  const stage = fixture(openStage);

  it('leaves the English text around it in order', async () => {
    const email = await register(stage.service);
    const { page } = await signedInVisitor(stage, email);
    const name = 'شركة\u200f (A)';
    await stage.service.sql('UPDATE organizations SET name = $1', [name]);
    await page.goto('/members');
    await page.getByText(`Who belongs to \u2068${name}\u2069, and who is invited.`).waitFor();
  });
});
