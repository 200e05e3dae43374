/** Session governance by a super admin: finding a session, revoking it, and the report. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seedSessions } from '../../support/actors/seeding.ts';
import {
  answerInstead,
  button,
  field,
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  liveFamilies,
  openStage,
  signInNewPerson,
  signInPerson,
  signInSuperAdmin,
} from '../../support/browser/browser.ts';
import { controlsOutsideCards } from '../../support/browser/cards.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { goodPassword, operations, post } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

const path = '/admin/super/sessions';

const rows = (page: Page, email: string) =>
  page.getByRole('region', { name: 'Active sessions' }).getByRole('listitem').filter({ hasText: email });

const revoke = (page: Page, email: string) =>
  rows(page, email)
    .getByRole('button', { name: `Revoke session of ${email}` })
    .first();

const everywhere = (page: Page, email: string) => button(page, `Sign out everywhere: ${email}`).first();

const total = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor();

const filters = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);

describe.skipIf(chromiumPath === null)('Session governance', () => {
  const stage = fixture(openStage);

  /** A super admin on the governance page, with the filters of this query. */
  const openGovernance = (query = '', scopes?: readonly string[]) =>
    signInSuperAdmin(stage, { path: `${path}${query}`, title: 'Sessions' }, scopes);

  // Specification: Portal — /admin/super/sessions: super-admin session governance
  it('is reached from the navigation, and shows whose sessions began where', async () => {
    const { page, email } = await openGovernance();
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Console' }).click();
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Sessions' }).click();
    await heading(page, 'Sessions').waitFor();
    const mine = rows(page, email);
    // One row for the credential pair, with the expiry of the refresh credential.
    await mine.getByText('This is you').waitFor();
    expect(await mine.count()).toBe(1);
    expect(await mine.textContent()).toMatch(
      /Portal.*signed in with a password.*from 127\.0\.0\.1.*in (4 weeks|30 days|1 month)/s,
    );
  });

  // Specification: Many processes and starts — Buttons of the portal inside their cards, 320 to 1280 pixels
  it('keeps every control inside its card at every width, here and in the cockpit', async () => {
    const { page, email } = await openGovernance();
    await revoke(page, email).waitFor();
    expect(await controlsOutsideCards(page)).toEqual([]);
    await page.goto('/admin/super/mcp?section=audits');
    await field(page, 'From').waitFor();
    expect(await controlsOutsideCards(page)).toEqual([]);
  });

  // Specification: Portal — /admin/super/sessions: search and filters, kept in the URL
  it('finds a person by address, and keeps every filter over a reload', async () => {
    const { page } = await openGovernance();
    const email = await signInNewPerson(stage).then((person) => person.email);
    await field(page, 'Search by e-mail address').fill(email.toUpperCase());
    await total(page, '1 active session');
    await page.getByRole('button', { name: /^For:/ }).click();
    await page.getByRole('menuitemradio', { name: 'Portal' }).click();
    await page.waitForURL(/audience=portal/);
    expect(filters(page)).toEqual({ email: email.toUpperCase(), audience: 'portal' });

    await page.reload();
    await total(page, '1 active session');
    await rows(page, email).getByText('Portal').waitFor();
    expect(await field(page, 'Search by e-mail address').inputValue()).toBe(email.toUpperCase());
    await page.getByRole('button', { name: /^For:/ }).click();
    await page.getByRole('menuitemradio', { name: 'MCP' }).click();
    await page.getByText('No active session matches these filters.').waitFor();
    await button(page, 'Clear filters').click();
    await rows(page, email).first().waitFor();
    expect(filters(page)).toEqual({});
    expect(await field(page, 'Search by e-mail address').inputValue()).toBe('');
  });

  it('filters by one person or organization with a click, and shows all again with the next', async () => {
    const { email } = await signInNewPerson(stage);
    const { page } = await openGovernance(`?email=${encodeURIComponent(email)}`);
    await rows(page, email)
      .getByRole('link', { name: `Only ${email}` })
      .first()
      .click();
    await button(page, `Remove filter: Only ${email}`).waitFor();
    await rows(page, email)
      .getByRole('link', { name: /^Only .*organization/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Remove filter: Only .*organization/ }).waitFor();
    expect(Object.keys(filters(page)).sort()).toEqual(['email', 'organization', 'user']);
    // Focus moves to the total.
    await page.waitForFunction(() => document.activeElement?.textContent === '1 active session');
    await button(page, `Remove filter: Only ${email}`).click();
    await button(page, `Remove filter: Only ${email}`).waitFor({ state: 'detached' });
    expect(Object.keys(filters(page)).sort()).toEqual(['email', 'organization']);
  });

  it('shows no sessions for an invalid filter in the URL, names the filter, and clears it', async () => {
    const { page, email } = await openGovernance();
    const self = await stage.service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    await page.goto(`${path}?user=${self?.toUpperCase()}`);
    await total(page, '1 active session');
    await button(page, `Remove filter: Only ${email}`).waitFor();
    for (const [query, words] of [
      ['user=00000000-0000-4000-8000-000000000000', 'Person: No person has this id.'],
      ['organization=00000000-0000-4000-8000-000000000000', 'Organization: No organization has this id.'],
      ['user=x', 'Person: This is not an id.'],
      ['audience=bogus', 'Audience: This is not an audience.'],
    ] as const) {
      await page.goto(`${path}?${query}`);
      await page.getByRole('alert').getByText(words).waitFor();
      expect(await rows(page, '@').count()).toBe(0);
    }
    await button(page, 'Clear filters').click();
    await rows(page, email).first().waitFor();
    expect(filters(page)).toEqual({});
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows any number of sessions, one row each, page by page', async () => {
    const { page } = await openGovernance('?audience=api');
    await seedSessions(stage.service.database, 30, 15);
    await button(page, 'Refresh').click();
    await page.getByText(/^\d+ shown; there are more$/).waitFor();
    await button(page, 'Show more').click();
    await button(page, 'Show more').waitFor({ state: 'detached' });
    const active = await stage.service.sql.value<number>(
      `SELECT count(DISTINCT session_family_id)::integer AS active FROM credentials
       WHERE audience = 'api' AND revoked_at IS NULL AND expires_at > now()`,
    );
    expect(await rows(page, '@').count()).toBe(active);
  });

  // Specification: Portal — /admin/super/sessions: super-admin revoke of a session, in the portal
  it('ends a session of another user, whom the dialog names, and reports what was ended', async () => {
    const { visitor: victim, email } = await signInNewPerson(stage);
    const elsewhere = await signInPerson(stage, email);
    const { page } = await openGovernance(`?email=${encodeURIComponent(email)}`);
    await total(page, '2 active sessions');
    await revoke(page, email).click();
    const dialog = page.getByRole('alertdialog', { name: `Revoke a session of ${email}?` });
    await dialog.getByText('Its access token and refresh token stop working').waitFor();
    expect(await dialog.getByText('This is the session that you are using now').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await liveFamilies(stage.service, email)).toBe(2);

    await revoke(page, email).click();
    await dialog.getByRole('button', { name: 'Revoke session' }).click();
    await page.getByText(`2 tokens of ${email} were active and have ended. Effective since`).waitFor();
    await total(page, '1 active session');
    await page.waitForFunction(() => document.activeElement?.textContent?.includes('have ended') === true);
    expect(await liveFamilies(stage.service, email)).toBe(1);
    // The second browser is newest, so first.
    await elsewhere.page.reload();
    await isSignInPage(elsewhere.page);
    await victim.page.reload();
    await isHome(victim.page);
  });

  // Specification: Portal — /admin/super/sessions: super-admin revoke of a person's sessions, in the portal
  it('signs another user out everywhere, including programs', async () => {
    const { visitor: victim, email } = await signInNewPerson(stage);
    const input = { email, password: goodPassword };
    await post(stage.service.url, operations.signIn, { input }, { 'user-agent': 'curl/8.14.1' });
    const { page } = await openGovernance(`?email=${encodeURIComponent(email)}`);
    await rows(page, email).getByText('curl, signed in with a password').first().waitFor();
    await everywhere(page, email).click();
    const dialog = page.getByRole('alertdialog', { name: `Sign ${email} out everywhere?` });
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText(`4 tokens of ${email} were active and have ended.`).waitFor();
    await page.getByText('No active session matches these filters.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
    await victim.page.reload();
    await isSignInPage(victim.page);
  });

  // Specification: Portal — /admin/super/sessions: isCurrent, and a warning before the session in use ends
  it('warns before the session in use is ended, and then leads to sign-in calmly', async () => {
    const { visitor, page, email } = await openGovernance();
    await revoke(page, email).click();
    const dialog = page.getByRole('alertdialog', { name: `Revoke a session of ${email}?` });
    await dialog.getByText('This is the session that you are using now. You will be signed out here.').waitFor();
    await dialog.getByRole('button', { name: 'Revoke session' }).click();
    await isSignInPage(page);
    await page.getByText('You have signed out.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
    expect((await visitor.context.cookies()).filter(({ name }) => /access|refresh/.test(name))).toEqual([]);

    await page.goto(`/signin?redirect=${encodeURIComponent(path)}`);
    await fillSignIn(page, email);
    await everywhere(page, email).click();
    const all = page.getByRole('alertdialog', { name: `Sign ${email} out everywhere?` });
    await all.getByText('This is you.').waitFor();
    await all.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('You are signed out on every device.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
  });

  // Specification: Portal — /admin/super/sessions: without sessions:revoke
  it('is readable without the scope to revoke, and explains why it ends nothing', async () => {
    const { page, email } = await openGovernance('', ['sessions:view']);
    await page.getByText('You can view sessions, but not end them').waitFor();
    await page.getByText('You were not granted sessions:revoke: the operator of this service can grant it.').waitFor();
    await rows(page, email).first().waitFor();
    expect(await page.getByRole('button', { name: /^Revoke session|^Sign out everywhere/ }).count()).toBe(0);
  });

  it('ends nothing after the scope was withdrawn, and shows that', async () => {
    const { email } = await signInNewPerson(stage);
    const { page, email: admin } = await openGovernance(`?email=${encodeURIComponent(email)}`);
    await revoke(page, email).click();
    await stage.service.sql(`UPDATE users SET platform_scopes = '{}' WHERE email = $1`, [admin]);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke session' }).click();
    await page.getByRole('alertdialog').getByText('so no session was ended').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('You can view sessions, but not end them').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  it('can be loaded again after a failure', async () => {
    const { page, email } = await openGovernance();
    const restore = await answerInstead(page, 'FetchActiveSessions', { status: 500, body: '' });
    await page.reload();
    await page.getByText('Something went wrong').waitFor();
    await restore();
    await button(page, 'Try again').click();
    await rows(page, email).first().waitFor();
  });

  // Specification: Portal — /admin/super/mcp: a person who is not a super admin
  it('explains to other users that it is for super admins, and sends no query', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    expect(await page.getByRole('link', { name: 'Console' }).count()).toBe(0);
    await page.goto(path);
    await heading(page, 'For super admins').waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await isHome(page);
    expect(visitor.count('FetchActiveSessions')).toBe(0);
  });
});
