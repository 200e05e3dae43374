/** The step-up in Chromium: the dialog, which goes on with what was begun, and the page of the server's detours. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { button, field, heading, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { goodPassword, newAddress } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('The step-up', () => {
  const stage = fixture(openStage);

  /** A person whose session authenticated 11 minutes ago, as the only one of this service. */
  const stalePerson = async () => {
    const person = await signInNewPerson(stage);
    await stage.service.sql(`UPDATE credentials SET authenticated_at = now() - interval '11 minutes'`);
    return person;
  };

  /** Sends an invitation as an owner, for which the server asks for a proof. */
  const inviteOwner = async (page: Page, email: string): Promise<Locator> => {
    await page.goto('/members');
    await button(page, 'Invite a member').click();
    await field(page, 'E-mail address').fill(email);
    await page.getByRole('radio', { name: /^Owner/ }).check();
    await button(page, 'Send invitation').click();
    return page.getByRole('dialog', { name: 'Confirm that it is you' });
  };

  // Contract: account#step-up-of-browser-routes — step-up as one dialog, which goes on with what was begun
  it('asks once, says when the password is wrong, and goes on', async () => {
    const { visitor, page } = await stalePerson();
    visitor.forgiveComplaints();
    const invitee = newAddress();
    const dialog = await inviteOwner(page, invitee);
    await dialog.getByLabel('Your password', { exact: true }).fill('Wrong.1word');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    expect(await stage.service.mailsTo(invitee)).toEqual([]);
    await dialog.getByLabel('Your password', { exact: true }).fill(goodPassword);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(invitee).first().waitFor();
    expect(await stage.service.mailsTo(invitee)).toHaveLength(1);
  });

  it('changes nothing when it is cancelled', async () => {
    const { visitor, page } = await stalePerson();
    visitor.forgiveComplaints();
    const invitee = newAddress();
    const dialog = await inviteOwner(page, invitee);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This needs a confirmation that it is you. Nothing has changed.').waitFor();
    expect(await stage.service.mailsTo(invitee)).toEqual([]);
  });

  // Contract: account#step-up-of-browser-routes — browser routes lead to /reauthenticate, and from there to an internal
  //   path
  it('has a page that goes on where the server sent the person from', async () => {
    const { page } = await stalePerson();
    await page.goto('/reauthenticate?redirect=/members');
    await heading(page, 'Confirm that it is you').waitFor();
    await page.getByLabel('Your password', { exact: true }).fill(goodPassword);
    await button(page, 'Confirm').click();
    await page.waitForURL('**/members');
    await page.goto('/reauthenticate?redirect=/account');
    await page.waitForURL('**/account');
  });

  it('says what to do where the account has nothing that can be asked for', async () => {
    const { page, email } = await stalePerson();
    await stage.service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    await page.goto('/reauthenticate?redirect=/members');
    await page.getByText('Sign out and sign in again: for ten minutes after that you are not asked.').waitFor();
  });

  it('leads to no other site', async () => {
    const { page } = await stalePerson();
    await page.goto('/reauthenticate?redirect=https://evil.example/');
    await page.getByLabel('Your password', { exact: true }).fill(goodPassword);
    await button(page, 'Confirm').click();
    await heading(page, 'Hello, Test Person').waitFor();
  });
});
