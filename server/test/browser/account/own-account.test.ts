/** Name and password of the person on the account page. */
import { describe, expect, it } from 'vitest';
import {
  button,
  field,
  heading,
  isHome,
  openStage,
  signInNewPerson,
  signInPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused } from '../../support/browser/keyboard.ts';
import { goodPassword, newAddress, operations, post, register } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Name and password', () => {
  const stage = fixture(openStage);

  // Contract: account#name-and-language — changeName in the portal reaches every tab
  it('changes the name, in every tab', async () => {
    const { visitor } = await signInNewPerson(stage);
    const { page } = visitor;
    const other = await visitor.newTab();
    await other.goto('/');
    await isHome(other);
    await page.goto('/account');
    await button(page, 'Change name').click();
    await field(page, 'Name').fill('   ');
    await button(page, 'Save').click();
    await page.getByText('Enter your name.').waitFor();
    expect(visitor.count('ChangeName')).toBe(0);
    await field(page, 'Name').fill('Grace Hopper');
    await button(page, 'Save').click();
    await other.getByText('Hello, Grace Hopper').waitFor();
    await page.getByText('Grace Hopper').waitFor();
    await button(page, 'Change name').waitFor();
  });

  it('shows an address with its domain in its own letters, and takes it so', async () => {
    const [local = ''] = newAddress().split('@');
    await register(stage.service, `${local}@xn--bcher-kva.example`);
    const { page } = await signInPerson(stage, `${local}@bücher.example`);
    await page.getByText(`${local}@bücher.example`).first().waitFor();
    await page.goto('/account');
    await page.getByText(`${local}@bücher.example`).first().waitFor();
    expect(await page.getByText('xn--').count()).toBe(0);
  });

  it('gives the focus to the field of a form whenever it opens', async () => {
    const { page } = await signInNewPerson(stage);
    await page.goto('/account');
    for (const change of ['Change name', 'Change e-mail address', 'Change name']) {
      await button(page, change).click();
      await focused(page.getByRole('textbox').first());
      await button(page, 'Close').click();
    }
  });

  // Contract: account#change-of-password — changePassword in the portal signs out every other device
  it('changes the password, and signs out every other device', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const elsewhere = await signInPerson(stage, email);
    const { page } = visitor;
    visitor.forgiveComplaints();
    elsewhere.forgiveComplaints();
    await page.goto('/account');
    await button(page, 'Change password').click();
    await field(page, 'Current password').fill('Wrong.1word');
    await field(page, 'New password').fill('Another.1word');
    await button(page, 'Change password').click();
    await page.getByText('This is not your current password.').waitFor();
    await field(page, 'Current password').fill(goodPassword);
    await button(page, 'Change password').click();
    await page.getByText('Your password is changed.').waitFor();
    await heading(page, 'Account').waitFor();
    await elsewhere.page.reload();
    await elsewhere.page.waitForURL(/\/signin/);
    const input = { email, password: 'Another.1word' };
    expect((await post(stage.service.url, operations.signIn, { input })).code).toBeNull();
  });
});
