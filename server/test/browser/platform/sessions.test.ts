/** The page of sessions in the console: finding, sorting, choosing and ending them, by pointer and by keyboard. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { storePersonalToken, storeServiceToken } from '../../support/actors/machines/machine-secrets.ts';
import { seedSessions } from '../../support/actors/seeding.ts';
import { newOwner } from '../../support/actors/tenants.ts';
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
import { focused } from '../../support/browser/keyboard.ts';
import { operationOf } from '../../support/browser/visitors.ts';
import { goodPassword, newAddress, operations, post } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

const path = '/admin/super/sessions';

const rows = (page: Page, words: string | RegExp) =>
  page.getByRole('table', { name: 'Active sessions' }).getByRole('row').filter({ hasText: words });

/** Presses an item of the menu of a person's first session. */
const act = async (page: Page, email: string, item: string): Promise<void> => {
  await rows(page, email)
    .getByRole('button', { name: `Actions for the session of ${email}` })
    .first()
    .click();
  await page.getByRole('menuitem', { name: item }).click();
};

const dialogOf = (page: Page, name: string) => page.getByRole('alertdialog', { name });

const total = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor();

const filters = (page: Page): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);

const emailsShown = (page: Page): Promise<readonly string[]> =>
  page.getByRole('table', { name: 'Active sessions' }).getByRole('row').getByRole('link').allTextContents();

/** Presses keys with no frame in between, as they arrive on a busy machine. */
const pressAtOnce = (page: Page, keys: readonly string[]): Promise<void> =>
  page.evaluate(async (all) => {
    for (const key of all) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      // After the microtasks of the page, which render.
      await new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = resolve;
        port2.postMessage(null);
      });
    }
  }, keys);

describe.skipIf(chromiumPath === null)('The sessions of the console', () => {
  const stage = fixture(openStage);

  /** A super admin on the page of sessions, with the filters of this query. */
  const openSessions = (query = '', scopes?: readonly string[]) =>
    signInSuperAdmin(stage, { path: `${path}${query}`, title: 'Sessions' }, scopes);

  // Contract: portal#sessions-of-super-admins — /admin/super/sessions: super-admin session governance
  it('are reached from the navigation, and show whose sessions began where', async () => {
    const { page, email } = await openSessions();
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Console' }).click();
    await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Sessions' }).click();
    await heading(page, 'Sessions').waitFor();
    const mine = rows(page, email);
    // One row for the credential pair, with the expiry of the refresh credential.
    await mine.getByText('You', { exact: true }).waitFor();
    expect(await mine.count()).toBe(1);
    expect(await mine.textContent()).toMatch(/Portal.*Password.*127\.0\.0\.1.*in (4 weeks|30 days|1 month)/s);
  });

  // Contract: operation#portal-before-its-code — Buttons of the portal inside their cards, 320 to 1280 pixels
  it('keep every control inside its card at every width, here and in the cockpit', async () => {
    const { page, email } = await openSessions();
    await rows(page, email).waitFor();
    await button(page, 'More filters').click();
    await field(page, 'Issued after').waitFor();
    expect(await controlsOutsideCards(page)).toEqual([]);
    await page.goto('/admin/super/mcp?section=audits');
    await field(page, 'From').waitFor();
    expect(await controlsOutsideCards(page)).toEqual([]);
  });

  // Contract: portal#sessions-of-super-admins — /admin/super/sessions: search and filters, kept in the URL
  it('are found by address, and every filter is kept over a reload', async () => {
    const { page } = await openSessions();
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
    await page.getByRole('menuitemradio', { name: 'MCP', exact: true }).click();
    await page.getByText('No active session matches these filters.').waitFor();
    await button(page, 'Clear filters').click();
    await rows(page, email).first().waitFor();
    expect(filters(page)).toEqual({});
    await expect.poll(() => field(page, 'Search by e-mail address').inputValue()).toBe('');
  });

  // Contract: machine-credentials#tokens-in-lists-of-sessions — the console's table of sessions has a row for each
  //   token
  it('show the tokens of machines with their names and kinds, are filtered by kind, and end them', async () => {
    const owner = await newOwner(stage.service);
    await storePersonalToken(stage.service, owner, { name: 'Nightly backup' });
    const account = await storeServiceToken(stage.service, owner, { name: 'Deployment robot' });
    const { page } = await openSessions(`?organization=${owner.organizationId}`);
    await total(page, '3 active sessions');
    await page.getByRole('button', { name: /^Kind:/ }).click();
    await page.getByRole('menuitemradio', { name: 'Tokens of machines' }).click();
    await total(page, '2 active sessions');
    expect(filters(page)).toMatchObject({ kind: 'machine' });
    expect(await rows(page, 'Nightly backup').textContent()).toMatch(
      new RegExp(`${owner.email}.*Nightly backup.*API · Personal token`, 's'),
    );
    const robot = rows(page, 'Deployment robot');
    expect(await robot.textContent()).toMatch(/Service account.*Deployment robot.*API · Service token/s);
    // No page of a person leads to a service account, and it cannot be signed out everywhere.
    expect(await robot.getByRole('link').count()).toBe(0);
    const openMenu = () => robot.getByRole('button', { name: /^Actions for the session of Service account/ }).click();
    await openMenu();
    await page.getByRole('menuitem', { name: 'Only this service account' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Sign out everywhere' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Only this service account' }).click();
    await page.waitForURL(new RegExp(account.ownerId));
    await total(page, '1 active session');
    await page.getByText('Only Deployment robot', { exact: true }).waitFor();
    await openMenu();
    await page.getByRole('menuitem', { name: 'End this token' }).click();
    const dialog = dialogOf(page, 'End 1 token?');
    await dialog.getByText('What uses it loses access at once').waitFor();
    await dialog.getByRole('button', { name: 'End 1 token' }).click();
    await page.getByText('1 token has ended.').waitFor();
    const live = await stage.service.sql('SELECT 1 FROM credentials WHERE id = $1 AND revoked_at IS NULL', [
      account.credentialId,
    ]);
    expect(live).toEqual([]);
  });

  it('are called tokens where all that are chosen, or all that match, are tokens of machines', async () => {
    const owner = await newOwner(stage.service);
    for (const name of ['First', 'Second']) await storePersonalToken(stage.service, owner, { name });
    const query = `?organization=${owner.organizationId}`;
    const { page } = await openSessions(query);
    await total(page, '3 active sessions');
    const choose = (name: string | RegExp) => rows(page, name).getByRole('checkbox').check();
    const cancel = async (title: string): Promise<void> => {
      await dialogOf(page, title).getByRole('button', { name: 'Cancel' }).click();
      await dialogOf(page, title).waitFor({ state: 'detached' });
    };
    await choose('First');
    await choose('Second');
    await page.getByText('2 tokens chosen').waitFor();
    await button(page, 'End 2 tokens').click();
    await cancel('End 2 tokens?');
    await choose(/API · Password/);
    await page.getByText('3 sessions chosen').waitFor();
    await button(page, 'End 3 sessions').click();
    await cancel('End 3 sessions?');
    await page.goto(`/admin/super/sessions${query}&kind=machine`);
    await total(page, '2 active sessions');
    await button(page, 'End all that match').click();
    await dialogOf(page, 'End 2 tokens?').getByRole('button', { name: 'End 2 tokens' }).click();
    await page.getByText('2 tokens have ended.').waitFor();
    const live = await stage.service.sql.column(
      'SELECT kind FROM credentials WHERE organization_id = $1 AND revoked_at IS NULL AND kind <> $2',
      [owner.organizationId, 'user_session'],
    );
    expect(live).not.toContain('machine');
  });

  it('are filtered by network, user agent and time', async () => {
    const { email } = await signInNewPerson(stage);
    const input = { email, password: goodPassword };
    await post(stage.service.url, operations.signIn, { input }, { 'user-agent': 'Thief/6.6' });
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '2 active sessions');
    await button(page, 'More filters').click();
    await field(page, 'Part of the user agent').fill('thief');
    await total(page, '1 active session');
    await field(page, 'IP address or network').fill('127.0.0.0/8');
    await page.waitForURL(/network=127/);
    await total(page, '1 active session');
    await field(page, 'Issued before').fill('2020-01-01T00:00');
    await page.getByText('No active session matches these filters.').waitFor();
    expect(filters(page)).toMatchObject({
      agent: 'thief',
      network: '127.0.0.0/8',
      issuedBefore: expect.stringMatching(/^20/) as unknown,
    });
  });

  it('keep the focus in the search while a person types, pauses and goes on', async () => {
    const { email } = await newOwner(stage.service);
    const [mark = ''] = email.split('@');
    const { page } = await openSessions();
    const search = field(page, 'Search by e-mail address');
    await search.focus();
    for (const part of [mark.slice(0, 4), mark.slice(4)]) {
      await page.keyboard.type(part);
      const typed = mark.slice(0, mark.indexOf(part) + part.length);
      await expect.poll(() => filters(page)['email']).toBe(typed);
      await rows(page, email).first().waitFor();
      expect(await search.evaluate((element) => element === document.activeElement)).toBe(true);
    }
    await total(page, '1 active session');
  });

  it('are narrowed by the menu of a row, and widened by its chip', async () => {
    const { email } = await signInNewPerson(stage);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await act(page, email, 'Only this person');
    await button(page, `Remove filter: Only ${email}`).waitFor();
    await act(page, email, 'Only this organization');
    await page.getByRole('button', { name: /^Remove filter: Only .*organization/ }).waitFor();
    await act(page, email, 'Only from 127.0.0.1');
    await page.waitForURL(/network=/);
    expect(Object.keys(filters(page)).sort()).toEqual(['email', 'network', 'organization', 'user']);
    await button(page, `Remove filter: Only ${email}`).click();
    await button(page, `Remove filter: Only ${email}`).waitFor({ state: 'detached' });
    expect(Object.keys(filters(page)).sort()).toEqual(['email', 'network', 'organization']);
  });

  it('show nothing for a wrong filter in the URL, name it, and clear it', async () => {
    const { page, email } = await openSessions();
    const self = await stage.service.sql.value<string>('SELECT id FROM users WHERE email = $1', [email]);
    await page.goto(`${path}?user=${self?.toUpperCase()}`);
    await total(page, '1 active session');
    for (const [query, words] of [
      ['user=00000000-0000-4000-8000-000000000000', 'Person: No person has this id.'],
      ['organization=00000000-0000-4000-8000-000000000000', 'Organization: No organization has this id.'],
      ['user=x', 'Person: This must be an id'],
      ['audience=bogus', 'Audience: This must be one of'],
      ['network=bogus', 'IP address or network: This must be an IP address'],
      ['issuedAfter=never', 'Issued after: This is not a time.'],
    ] as const) {
      await page.goto(`${path}?${query}`);
      await page.getByRole('alert').getByText(words).waitFor();
      expect(await rows(page, '@').count()).toBe(0);
    }
    await button(page, 'Clear filters').click();
    await rows(page, email).first().waitFor();
    expect(filters(page)).toEqual({});
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('are sorted by the heading of a column, in the URL', async () => {
    const mark = newAddress().split('@')[0] ?? '';
    for (const name of ['b', 'a', 'c']) await newOwner(stage.service, `${name}.${mark}@x.test`);
    const { page } = await openSessions(`?email=${mark}`);
    await total(page, '3 active sessions');
    await button(page, 'Sort by Person').click();
    await page.waitForURL(/sort=person/);
    await page.waitForFunction(() => document.querySelector('table a')?.textContent?.startsWith('c.') === true);
    await button(page, 'Sort by Person').click();
    await page.waitForFunction(() => document.querySelector('table a')?.textContent?.startsWith('a.') === true);
    expect(await emailsShown(page)).toEqual(['a', 'b', 'c'].map((name) => `${name}.${mark}@x.test`));
    await page.reload();
    await total(page, '3 active sessions');
    expect(await emailsShown(page)).toEqual(['a', 'b', 'c'].map((name) => `${name}.${mark}@x.test`));
  });

  it('are shown in any number, of which only those near the window are rendered', async () => {
    await seedSessions(stage.service.database, 60, 15);
    const { page } = await openSessions('?audience=api&sort=issued&direction=asc');
    await page.getByText(/^\d+ active sessions$/).waitFor();
    const rendered = () => page.getByRole('table', { name: 'Active sessions' }).getByRole('checkbox').count();
    expect(await rendered()).toBeLessThan(60);
    const lastIndex = Number(await page.getByRole('table').getAttribute('aria-rowcount'));
    // Pages are loaded as the end comes near.
    await page.waitForFunction((last) => {
      window.scrollTo(0, document.body.scrollHeight);
      return document.querySelector(`[aria-rowindex="${last}"]`) !== null;
    }, lastIndex);
    expect(await rendered()).toBeLessThan(60);
  });

  it('are chosen up to 500, of which no box says more', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    await visitor.page.close();
    const { page } = await openSessions();
    await page.route('**/graphql', async (route) => {
      if (operationOf(route.request()) !== 'FetchSessionFamilies') return route.fallback();
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { sessionFamilies: { nodes: readonly object[] } } };
      const nodes = Array.from({ length: 501 }, (_, at) => ({
        ...data.sessionFamilies.nodes[0],
        sessionFamilyId: `01990000-0000-7000-8000-${String(at).padStart(12, '0')}`,
      }));
      return route.fulfill({ response, json: { data: { sessionFamilies: { ...data.sessionFamilies, nodes } } } });
    });
    await page.goto(`${path}?email=${encodeURIComponent(email)}`);
    await page.getByRole('checkbox', { name: 'Choose all 500 that are loaded' }).check();
    await total(page, '500 sessions chosen');
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const last = page.locator('[aria-rowindex="502"]').getByRole('checkbox');
    await last.click();
    expect(await last.isChecked()).toBe(false);
    await total(page, '500 sessions chosen');
    expect(await page.getByRole('button', { name: 'End 500 sessions' }).isVisible()).toBe(true);
  });

  it('have a menu that says that it is open, and gives the focus back when it closes', async () => {
    const { email } = await signInNewPerson(stage);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    const opener = rows(page, email).getByRole('button', { name: `Actions for the session of ${email}` });
    await opener.press('Enter');
    await page.getByRole('menuitem', { name: 'End this session' }).waitFor();
    await expect.poll(() => opener.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Escape');
    await focused(opener);
    await expect.poll(() => opener.getAttribute('aria-expanded')).toBe('false');
    for (const action of ['End this session', 'Sign out everywhere']) {
      await opener.press('Enter');
      await page.getByRole('menuitem', { name: action }).press('Enter');
      await focused(page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }));
      await page.keyboard.press('Escape');
      await focused(opener);
    }
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  // Contract: portal#sessions-of-super-admins — /admin/super/sessions: super-admin revoke of a session, in the portal
  it('end one by one, with what would end before and a receipt afterwards', async () => {
    const { visitor: victim, email } = await signInNewPerson(stage);
    const elsewhere = await signInPerson(stage, email);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '2 active sessions');
    await act(page, email, 'End this session');
    const dialog = dialogOf(page, 'End 1 session?');
    await dialog.getByText('2 active tokens end at once').waitFor();
    expect(await dialog.getByText('The session that you are using now').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await liveFamilies(stage.service, email)).toBe(2);

    await act(page, email, 'End this session');
    await dialog.getByRole('button', { name: 'End 1 session' }).click();
    await page.getByText('1 session has ended. 2 tokens were active. Effective since').waitFor();
    await total(page, '1 active session');
    expect(await liveFamilies(stage.service, email)).toBe(1);
    // The second browser is newest, so first.
    await elsewhere.page.reload();
    await isSignInPage(elsewhere.page);
    await victim.page.reload();
    await isHome(victim.page);
  });

  it('are chosen and ended by keyboard alone', async () => {
    const { email } = await signInNewPerson(stage);
    await signInPerson(stage, email);
    await signInPerson(stage, email);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '3 active sessions');
    for (const key of ['j', 'x', 'j', 'x', 'k', 'x', 'j', 'j', 'x']) await page.keyboard.press(key);
    await total(page, '2 sessions chosen');
    await page.keyboard.press('Escape');
    await page.getByText(/chosen$/).waitFor({ state: 'detached' });
    await page.keyboard.press('x');
    await total(page, '1 session chosen');
    await page.keyboard.press('e');
    await focused(dialogOf(page, 'End 1 session?').getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await total(page, '2 active sessions');
    expect(await liveFamilies(stage.service, email)).toBe(2);
    await page.keyboard.press('/');
    await focused(field(page, 'Search by e-mail address'));
  });

  it('give the focus back to their row when the question is cancelled, and to the next row after the end', async () => {
    const { email } = await signInNewPerson(stage);
    await signInPerson(stage, email);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '2 active sessions');
    const boxes = page.getByRole('checkbox', { name: /^Choose the session of/ });
    await page.keyboard.press('j');
    await focused(boxes.first());
    for (const key of ['x', 'e']) await page.keyboard.press(key);
    const dialog = dialogOf(page, 'End 1 session?');
    await focused(dialog.getByRole('button', { name: 'Cancel' }));
    await page.keyboard.press('Escape');
    await focused(boxes.first());
    expect(await liveFamilies(stage.service, email)).toBe(2);
    await page.keyboard.press('e');
    await focused(dialog.getByRole('button', { name: 'Cancel' }));
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByText('1 session has ended.').waitFor();
    await total(page, '1 active session');
    await page.keyboard.press('j');
    await focused(boxes.first());
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  it('are chosen by the right key, however fast one follows another', async () => {
    const { email } = await signInNewPerson(stage);
    await signInPerson(stage, email);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '2 active sessions');
    await pressAtOnce(page, ['j', 'j', 'x']);
    await total(page, '1 session chosen');
    const boxes = page.getByRole('checkbox', { name: /^Choose the session of/ });
    expect([await boxes.nth(0).isChecked(), await boxes.nth(1).isChecked()]).toEqual([false, true]);
    await focused(boxes.nth(1));
  });

  it('get the focus back from elsewhere by a key that moves no further', async () => {
    const { email } = await signInNewPerson(stage);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '1 active session');
    const box = page.getByRole('checkbox', { name: /^Choose the session of/ });
    await page.keyboard.press('j');
    await focused(box);
    await button(page, 'More filters').focus();
    await page.keyboard.press('j');
    await focused(box);
  });

  it('are moved to by keys in full sight, above what covers the end of the window', async () => {
    await seedSessions(stage.service.database, 20, 5);
    const { page } = await openSessions('?audience=api');
    const covered = 250;
    // As the consent banner does.
    await page.evaluate((pixels) => {
      document.documentElement.style.scrollPaddingBottom = `${pixels}px`;
    }, covered);
    await page.setViewportSize({ width: 1280, height: 700 });
    const boxes = page.getByRole('checkbox', { name: /^Choose the session of/ });
    await boxes.nth(9).waitFor();
    for (let press = 0; press < 10; press += 1) await page.keyboard.press('j');
    const active = page.locator('[aria-rowindex="11"]').getByRole('checkbox');
    await focused(active);
    const bottom = () => active.evaluate((box) => window.innerHeight - box.getBoundingClientRect().bottom);
    await expect.poll(bottom).toBeGreaterThan(covered);
  });

  it('end by Shift E when a filter leaves them and none is chosen', async () => {
    const { email } = await signInNewPerson(stage);
    await signInPerson(stage, email);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '2 active sessions');
    for (const key of ['j', 'x', 'E']) await page.keyboard.press(key);
    await total(page, '1 session chosen');
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    for (const key of ['Escape', 'E']) await page.keyboard.press(key);
    await focused(dialogOf(page, 'End 2 sessions?').getByRole('button', { name: 'Cancel' }));
    for (const key of ['Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByText('2 sessions have ended.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
  });

  it('end together when a filter leaves them, and none does when others match by then', async () => {
    const { email } = await signInNewPerson(stage);
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await total(page, '1 active session');
    await button(page, 'End all that match').click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'End 1 session' }).waitFor();
    await signInPerson(stage, email);
    await dialog.getByRole('button', { name: 'End 1 session' }).click();
    await dialog.getByText('2 sessions match now').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(2);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await total(page, '2 active sessions');
    await button(page, 'End all that match').click();
    await dialog.getByRole('button', { name: 'End 2 sessions' }).click();
    await page.getByText('2 sessions have ended.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
  });

  // Contract: portal#sessions-of-super-admins — /admin/super/sessions: super-admin revoke of a person's sessions, in
  //   the portal
  it('of a person end everywhere, including programs', async () => {
    const { visitor: victim, email } = await signInNewPerson(stage);
    const input = { email, password: goodPassword };
    await post(stage.service.url, operations.signIn, { input }, { 'user-agent': 'curl/8.14.1' });
    const { page } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await rows(page, email).getByText('curl').first().waitFor();
    await act(page, email, 'Sign out everywhere');
    const dialog = dialogOf(page, `Sign ${email} out everywhere?`);
    await dialog.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText(`4 tokens of ${email} were active and have ended.`).waitFor();
    await page.getByText('No active session matches these filters.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
    await victim.page.reload();
    await isSignInPage(victim.page);
  });

  // Contract: portal#sessions-of-super-admins — /admin/super/sessions: isCurrent, and a warning before the session in
  //   use ends
  it('warn before the one in use ends, and then lead to sign-in calmly', async () => {
    const { visitor, page, email } = await openSessions();
    await act(page, email, 'End this session');
    const dialog = dialogOf(page, 'End 1 session?');
    await dialog.getByText('The session that you are using now is among them. You will be signed out here.').waitFor();
    await dialog.getByRole('button', { name: 'End 1 session' }).click();
    await isSignInPage(page);
    await page.getByText('You have signed out.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
    expect((await visitor.context.cookies()).filter(({ name }) => /access|refresh/.test(name))).toEqual([]);

    await page.goto(`/signin?redirect=${encodeURIComponent(path)}`);
    await fillSignIn(page, email);
    await act(page, email, 'Sign out everywhere');
    const all = dialogOf(page, `Sign ${email} out everywhere?`);
    await all.getByText('This is you.').waitFor();
    await all.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('You are signed out on every device.').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(0);
  });

  // Contract: portal#sessions-of-super-admins — /admin/super/sessions: without sessions:revoke
  it('are readable without the scope to revoke, with the reason why none can be ended', async () => {
    const { page, email } = await openSessions('', ['sessions:view']);
    await page.getByText('You can view sessions, but not end them').waitFor();
    await page.getByText('You were not granted sessions:revoke: the operator of this service can grant it.').waitFor();
    await rows(page, email).first().waitFor();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^End all/ }).count()).toBe(0);
  });

  it('stay when the scope was withdrawn meanwhile, which the page shows', async () => {
    const { email } = await signInNewPerson(stage);
    const { page, email: admin } = await openSessions(`?email=${encodeURIComponent(email)}`);
    await act(page, email, 'End this session');
    const dialog = dialogOf(page, 'End 1 session?');
    await dialog.waitFor();
    await stage.service.sql(`UPDATE users SET platform_scopes = '{sessions:view}' WHERE email = $1`, [admin]);
    await dialog.getByRole('button', { name: 'End 1 session' }).click();
    await dialog.getByText('so no session was ended').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('You can view sessions, but not end them').waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(1);
  });

  it('can be loaded again after a failure', async () => {
    const { page, email } = await openSessions();
    const restore = await answerInstead(page, 'FetchSessionFamilies', { status: 500, body: '' });
    await page.reload();
    await page.getByText('Something went wrong').waitFor();
    await restore();
    await button(page, 'Try again').click();
    await rows(page, email).first().waitFor();
  });

  it('keep their filter when there are too many to sort, and are listed newest first again', async () => {
    const { page, email } = await openSessions();
    const query = `email=${encodeURIComponent(email)}`;
    const extensions = { code: 'BAD_USER_INPUT', fields: { orderBy: 'Too many sessions match to sort them.' } };
    const body = JSON.stringify({ data: null, errors: [{ message: 'The input is invalid.', extensions }] });
    const restore = await answerInstead(page, 'FetchSessionFamilies', { status: 200, body });
    await page.goto(`${path}?${query}&sort=person`);
    await page.getByText('Too many sessions match to sort them.', { exact: true }).waitFor();
    expect(await page.getByText('A filter in the address of this page is wrong').count()).toBe(0);
    await restore();
    await button(page, 'Newest first').click();
    await total(page, '1 active session');
    await expect.poll(() => new URL(page.url()).search).toBe(`?${query}`);
  });

  // Contract: portal#pages-for-super-admins-alone — /admin/super/mcp: a person who is not a super admin
  it('are for super admins, which others are told, and no query is sent', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    expect(await page.getByRole('link', { name: 'Console' }).count()).toBe(0);
    await page.goto(path);
    await heading(page, 'For super admins').waitFor();
    await page.getByRole('link', { name: 'Go to the start page' }).click();
    await isHome(page);
    expect(visitor.count('FetchSessionFamilies')).toBe(0);
  });
});
