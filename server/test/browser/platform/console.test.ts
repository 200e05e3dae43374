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
import { newAddress } from '../../support/clients/clients.ts';
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
    expect(await page.getByRole('dialog').count()).toBe(0);
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
