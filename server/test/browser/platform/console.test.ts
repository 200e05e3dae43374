/** The console of super admins: its search by keyboard alone, people, organizations, and what one can do there. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { inviteTo, newOwner } from '../../support/actors/tenants.ts';
import {
  answerInstead,
  button,
  field,
  heading,
  liveFamilies,
  openStage,
  signInSuperAdmin,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { newAddress, operations, post } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Address, name, id' });

describe.skipIf(chromiumPath === null)('The console', () => {
  const stage = fixture(openStage);

  const openConsole = (path = 'people', title = 'People', scopes?: readonly string[]) =>
    signInSuperAdmin(stage, { path: `/admin/super/${path}`, title }, scopes);

  it('finds a person by a pasted id, and opens their page, by keyboard alone', async () => {
    const person = await newOwner(stage.service);
    const { page } = await openConsole();
    await page.keyboard.press('Control+k');
    await focused(searchBox(page));
    await page.keyboard.type(person.userId);
    await page.getByRole('option', { name: person.email, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, person.email).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('opens by Enter what was typed last, however late its answer comes', async () => {
    const [shown, typed] = [await newOwner(stage.service), await newOwner(stage.service)];
    const { page } = await openConsole();
    await page.keyboard.press('Control+k');
    await searchBox(page).fill(shown.userId);
    await page.getByRole('option', { name: shown.email, selected: true }).waitFor();
    await searchBox(page).fill(typed.userId);
    await page.keyboard.press('Enter');
    await heading(page, typed.email).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/admin/super/people/${typed.userId}`);
  });

  it('moves among the results by the arrow keys, and closes by Escape', async () => {
    const mark = newAddress().split('@')[0] ?? '';
    const people = [
      await newOwner(stage.service, `a.${mark}@b.test`),
      await newOwner(stage.service, `b.${mark}@b.test`),
    ];
    const { page } = await openConsole();
    await page.getByRole('button', { name: /^Search/ }).click();
    await searchBox(page).fill(mark);
    const chosen = (email: string | undefined) =>
      page.getByRole('option', { name: email ?? '', selected: true }).waitFor();
    await chosen(people[0]?.email);
    await page.keyboard.press('ArrowDown');
    await chosen(people[1]?.email);
    await page.keyboard.press('ArrowDown');
    await chosen(people[0]?.email);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows markup that was searched for as text, and says that nothing has it', async () => {
    const { page } = await openConsole();
    await page.keyboard.press('Control+k');
    await searchBox(page).fill('<img src=x onerror="document.title=1">');
    await page.getByText('Nothing has this address, name or id.').waitFor();
  });

  it('keeps the search of a list in the URL', async () => {
    const person = await newOwner(stage.service);
    const { page } = await openConsole();
    await field(page, 'Part of a name or an address').fill(person.email);
    await page.getByText('1 person', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: person.email }).click();
    await heading(page, person.email).waitFor();
  });

  it('keeps the search of a list out of the URL of the page to which the person is on the way', async () => {
    const { page } = await openConsole();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/sessions-page-*.js', async (route) => {
      await isReleased;
      await route.continue();
    });
    const search = field(page, 'Part of a name or an address');
    await search.fill('late');
    // The list is shown for a moment more, while the address is that of the next page already.
    await search.evaluate(
      (input: HTMLInputElement) =>
        new Promise<void>((resolve) => {
          const submit = (): void => {
            input.form?.requestSubmit();
            resolve();
          };
          window.navigation.addEventListener('currententrychange', submit, { once: true });
          document.querySelector<HTMLElement>('a[href="/admin/super/sessions"]')?.click();
        }),
    );
    release();
    await heading(page, 'Sessions').waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('signs a person out everywhere after a confirmation, and shows the receipt', async () => {
    const person = await newOwner(stage.service);
    const { page } = await openConsole(`people/${person.userId}`, person.email);
    await button(page, 'Sign out everywhere').click();
    await page.getByRole('alertdialog', { name: `Sign ${person.email} out everywhere?` }).waitFor();
    expect(await liveFamilies(stage.service, person.email)).toBe(1);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText(`2 tokens of ${person.email} were active and have ended.`).waitFor();
    expect(await liveFamilies(stage.service, person.email)).toBe(0);
    await page.getByText('No active session').waitFor();
  });

  it('leads from an organization to its people, and withdraws an invitation', async () => {
    const [owner, invited] = [await newOwner(stage.service), await newOwner(stage.service)];
    await inviteTo(stage.service, invited.userId, owner.organizationId);
    const { page } = await openConsole('organizations', 'Organizations');
    await page.goto(`/admin/super/organizations/${owner.organizationId}`);
    await page.getByRole('table', { name: 'Members' }).getByRole('link', { name: owner.email }).waitFor();
    await button(page, `Withdraw the invitation of ${invited.email}`).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText(`The invitation of ${invited.email} is withdrawn.`).waitFor();
    await page.getByText('No invitation is open or has expired.').waitFor();
  });

  it('sends an invitation again', async () => {
    const [owner, invited] = [await newOwner(stage.service), await newOwner(stage.service)];
    await inviteTo(stage.service, invited.userId, owner.organizationId);
    const { page } = await openConsole('organizations', 'Organizations');
    await page.goto(`/admin/super/organizations/${owner.organizationId}`);
    await button(page, `Send again to ${invited.email}`).click();
    await page.getByText(`A new link is on its way to ${invited.email}.`).waitFor();
  });

  it('shows what happened lately, and leads to it', async () => {
    const person = await newOwner(stage.service);
    await post(stage.service.url, operations.signIn, { input: { email: person.email, password: 'Wrong.password1' } });
    const { page } = await openConsole('', 'Overview');
    const refused = page.getByRole('region', { name: 'Refused sign-ins' });
    await refused.getByText('The numbers as a table').click();
    await refused
      .getByRole('cell', { name: /^[1-9]/ })
      .last()
      .waitFor();
    await page.getByText('All work').waitFor();
    await page.getByRole('link', { name: 'Last 30 days' }).click();
    await page.waitForURL(/period=DAYS_30/);
    await refused.getByRole('link', { name: 'See all attempts' }).click();
    await heading(page, 'Sign-ins').waitFor();
    await page.getByRole('row').filter({ hasText: person.email }).getByText('Refused').first().waitFor();
  });

  it('filters sign-ins by outcome and network', async () => {
    const person = await newOwner(stage.service);
    await post(stage.service.url, operations.signIn, { input: { email: person.email, password: 'Wrong.password1' } });
    const { page } = await openConsole(`sign-ins?user=${person.userId}`, 'Sign-ins');
    await page.getByText('1 attempt', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Outcome:/ }).click();
    await page.getByRole('menuitemradio', { name: 'Signed in' }).click();
    await page.getByText('No attempt matches these filters.').waitFor();
    await button(page, 'Clear filters').click();
    await field(page, 'IP address or network').fill('203.0.113.0/24');
    await page.getByText('No attempt matches these filters.').waitFor();
  });

  it('leads from an IP address to its sessions and sign-ins', async () => {
    const { page } = await openConsole();
    await page.keyboard.press('Control+k');
    await searchBox(page).fill('127.0.0.1');
    await page.getByRole('option', { name: 'Sessions from 127.0.0.1', selected: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: 'Sign-ins from 127.0.0.1', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await heading(page, 'Sign-ins').waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?network=127.0.0.1');
  });

  it('suspends a person with a reason, shows why, and reinstates them', async () => {
    const person = await newOwner(stage.service);
    const { page } = await openConsole(`people/${person.userId}`, person.email);
    await button(page, 'Suspend').click();
    const dialog = page.getByRole('alertdialog');
    const reason = dialog.getByLabel('Reason, for super admins');
    await focused(reason);
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await dialog.getByText('Write why, in up to 200 characters.').waitFor();
    await focused(reason);
    expect(await liveFamilies(stage.service, person.email)).toBe(1);
    await page.keyboard.press('Escape');
    await focused(button(page, 'Suspend'));
    await button(page, 'Suspend').click();
    await focused(reason);
    expect(await dialog.getByText('Write why, in up to 200 characters.').count()).toBe(0);
    await reason.fill('Reported as stolen');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText(`${person.email} is suspended. 2 tokens were active and have ended.`).waitFor();
    await focused(page.getByRole('status').filter({ hasText: 'is suspended' }));
    await page.getByRole('row').filter({ hasText: 'Reported as stolen' }).getByText('Not ended').waitFor();
    expect(await liveFamilies(stage.service, person.email)).toBe(0);
    await button(page, 'Reinstate').click();
    await dialog.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByText(`${person.email} can sign in again.`).waitFor();
    await button(page, 'Suspend').waitFor();
  });

  it('ends every session of an organization after a dry run', async () => {
    const owner = await newOwner(stage.service);
    const { page } = await openConsole('organizations', 'Organizations');
    await page.goto(`/admin/super/organizations/${owner.organizationId}`);
    await button(page, 'End all its sessions').click();
    const dialog = page.getByRole('alertdialog', { name: 'End 1 session?' });
    await dialog.getByRole('button', { name: 'End 1 session' }).click();
    await page.getByText('1 session has ended.').waitFor();
    expect(await liveFamilies(stage.service, owner.email)).toBe(0);
  });

  it('names the scope that a page needs, and sends no query without it', async () => {
    const { page, visitor } = await openConsole('organizations', 'Organizations', ['users:view']);
    await page.getByText('This needs the scope organizations:view.').waitFor();
    expect(visitor.count('FetchOrganizations')).toBe(0);
    await page.goto('/admin/super/people');
    await page.getByRole('table', { name: 'People' }).waitFor();
    await page.getByRole('link', { name: /@/ }).first().click();
    await page.getByText('Ways in').waitFor();
    expect(await button(page, 'Sign out everywhere').count()).toBe(0);
  });

  it('can be loaded again after a failure', async () => {
    const { page } = await openConsole();
    const restore = await answerInstead(page, 'FetchPeople', { status: 500, body: '' });
    await page.reload();
    await page.getByText('Something went wrong').waitFor();
    await restore();
    await button(page, 'Try again').click();
    await page.getByRole('table', { name: 'People' }).waitFor();
  });
});
