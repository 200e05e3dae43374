/**
 * Change of one's own address in Chromium: requested on the account page, confirmed and undone by the links in the
 * mails.
 */
import { describe, expect, it } from 'vitest';
import { changeAddress, confirmTokenOf, requestChange, undoTokenOf } from '../../support/actors/email-changes.ts';
import { button, field, fillSignIn, heading, openStage, signInNewPerson } from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { goodPassword, newAddress, registerAndSignIn, signIn } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('A change of address', () => {
  const stage = fixture(openStage);

  // Contract: account#confirmation-of-an-address — the change of an address in the portal: request, mail, confirmation,
  //   undoing
  it('is requested, confirmed in every tab, and undone', async () => {
    const { visitor, email } = await signInNewPerson(stage);
    const { page } = visitor;
    visitor.forgiveComplaints();
    const newEmail = newAddress();
    await page.goto('/account');
    await button(page, 'Change e-mail address').click();
    await button(page, 'Send the link').click();
    await page.getByText('Enter your new e-mail address.').waitFor();
    await field(page, 'New e-mail address').fill('no address');
    await button(page, 'Send the link').click();
    await page.getByText('This does not look like an e-mail address.').waitFor();
    await field(page, 'New e-mail address').fill(email);
    await button(page, 'Send the link').click();
    await page.getByText('This is your address already.').waitFor();
    await field(page, 'New e-mail address').fill(newEmail);
    await button(page, 'Send the link').click();
    await page.getByText(`If ${newEmail} can be used`).waitFor();

    const other = await visitor.newTab();
    await other.goto(`/account/email/${await confirmTokenOf(stage.service, newEmail)}`);
    await heading(other, 'Use your new e-mail address?').waitFor();
    expect(visitor.count('ConfirmEmailChange')).toBe(0);
    await button(other, 'Use the new address').click();
    await heading(other, 'Your address is changed').waitFor();
    await page.getByText(`Signed in as ${newEmail}`).waitFor();
    await button(page, 'Change e-mail address').click();
    await field(page, 'New e-mail address').fill(newAddress());
    await button(page, 'Send the link').click();
    await page.getByText('Your address was changed within the last 72 hours.').waitFor();

    const owner = await stage.newVisitor();
    owner.forgiveComplaints();
    await owner.page.goto(`/account/email/undo/${await undoTokenOf(stage.service, email)}`);
    await heading(owner.page, 'Undo the change of your address?').waitFor();
    expect(owner.count('UndoEmailChange')).toBe(0);
    await button(owner.page, 'Undo the change').click();
    await heading(owner.page, 'The change is undone').waitFor();
    await owner.page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(owner.page, email);
    await owner.page.getByText(`Signed in as ${email}`).waitFor();
    await page.reload();
    await page.waitForURL(/\/signin/);
  });

  it('asks who is signed out to sign in, and comes back', async () => {
    const person = await registerAndSignIn(stage.service);
    const newEmail = newAddress();
    await requestChange(stage.service, person, newEmail);
    const { page } = await stage.newVisitor();
    await page.goto(`/account/email/${await confirmTokenOf(stage.service, newEmail)}`);
    await heading(page, 'Sign in to change your address').waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, person.email);
    await button(page, 'Use the new address').click();
    await heading(page, 'Your address is changed').waitFor();
    expect(await signIn(stage.service, newEmail)).toBeDefined();
  });

  it('asks another person who is signed in to sign out, and the link stays', async () => {
    const person = await registerAndSignIn(stage.service);
    const newEmail = newAddress();
    await requestChange(stage.service, person, newEmail);
    const { visitor } = await signInNewPerson(stage);
    const { page } = visitor;
    visitor.forgiveComplaints();
    await page.goto(`/account/email/${await confirmTokenOf(stage.service, newEmail)}`);
    await button(page, 'Use the new address').click();
    await heading(page, 'This link is for another account').waitFor();
    await button(page, 'Sign out and use the other account').click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await fillSignIn(page, person.email, goodPassword);
    await button(page, 'Use the new address').click();
    await heading(page, 'Your address is changed').waitFor();
  });

  it('says when a link is not open', async () => {
    const person = await registerAndSignIn(stage.service);
    const { confirmToken } = await changeAddress(stage.service, person);
    const { visitor } = await signInNewPerson(stage);
    const { page } = visitor;
    visitor.forgiveComplaints();
    for (const path of [`/account/email/${confirmToken}`, '/account/email/abc']) {
      await page.goto(path);
      await button(page, 'Use the new address').click();
      await heading(page, 'This link does not work').waitFor();
    }
    await page.goto(`/account/email/undo/${'0'.repeat(64)}`);
    await button(page, 'Undo the change').click();
    await heading(page, 'This link does not work').waitFor();
  });
});
