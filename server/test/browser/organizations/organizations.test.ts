/** Organizations in the portal: creating, switching in many tabs, inviting, removing, leaving. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type AddedMember, addMember } from '../../support/actors/invitations.ts';
import type { RoleName } from '../../support/actors/tenants.ts';
import {
  answerInstead,
  button,
  field,
  fillSignIn,
  heading,
  isHome,
  isSignInPage,
  openStage,
  type Stage,
  signInNewPerson,
  signInPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { focused } from '../../support/browser/keyboard.ts';
import type { Visitor } from '../../support/browser/visitors.ts';
import { newAddress, register, signIn } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('Organizations in the portal', () => {
  const stage = fixture(openStage);

  const switcher = (page: Page) => page.getByRole('button', { name: /^Organization:/ });

  const isIn = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name: `Organization: ${name}` }).waitFor();

  const found = async (page: Page, name: string): Promise<void> => {
    await switcher(page).click();
    await page.getByRole('menuitem', { name: 'Create an organization' }).click();
    await heading(page, 'Create an organization').waitFor();
    await field(page, 'Name of the organization').fill(name);
    await button(page, 'Create organization').click();
  };

  const openMembers = async (page: Page): Promise<void> => {
    await page.getByRole('link', { name: 'Members' }).click();
    await heading(page, 'Members').waitFor();
  };

  const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

  const join = async (role: RoleName): Promise<{ owner: string; member: AddedMember }> => {
    const owner = await register(stage.service);
    return { owner, member: await addMember(stage.service, await signIn(stage.service, owner), role) };
  };

  // Contract: portal#organizations-in-the-portal — createOrganization, then switchOrganization; every tab follows
  it('are created and opened at once, and every tab follows', async () => {
    const { visitor } = await signInNewPerson(stage);
    const other = await visitor.newTab();
    await other.goto('/members');
    await row(other, 'You').waitFor();
    await found(visitor.page, 'Summit Rescue');
    await isIn(visitor.page, 'Summit Rescue');
    await heading(visitor.page, 'Members').waitFor();
    await isIn(other, 'Summit Rescue');
    await other.getByText('Who belongs to Summit Rescue').waitFor();
    await row(other, 'You').waitFor();
    expect(visitor.count('SwitchOrganization')).toBe(1);
  });

  it('can be created one after another, although the page that follows the first has not loaded yet', async () => {
    const { page } = await signInNewPerson(stage);
    const chunks = '**/assets/members-page-*.js';
    await page.route(chunks, () => new Promise(() => undefined));
    await found(page, 'Harbor Press');
    await isIn(page, 'Harbor Press');
    await found(page, 'Valley Library');
    await isIn(page, 'Valley Library');
  });

  // Contract: portal#organizations-in-the-portal — switchOrganization by the keyboard alone
  it('are switched by keyboard alone, with the focus staying at the switcher', async () => {
    const { page } = await signInNewPerson(stage);
    await found(page, 'Harbor Press');
    await isIn(page, 'Harbor Press');
    await found(page, 'Valley Library');
    await isIn(page, 'Valley Library');
    await switcher(page).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await focused(switcher(page));
    await page.keyboard.press('ArrowDown');
    await page.getByRole('menuitemradio', { name: /^Valley Library/, checked: true }).waitFor();
    await page.keyboard.type('harb');
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Harbor Press'));
    await page.keyboard.press('Enter');
    await isIn(page, 'Harbor Press');
    await page.getByText('You are now in Harbor Press.').waitFor();
    await focused(switcher(page));
  });

  it('do not change when a switch fails, which is reported', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    const restore = await answerInstead(page, 'SwitchOrganization', { status: 503, body: '' });
    visitor.forgiveComplaints();
    await found(page, 'Harbor Press');
    await page.getByText('Harbor Press has been created').waitFor();
    await page.getByText('Switching to it failed').waitFor();
    await restore();
    await button(page, 'Open Harbor Press').click();
    await isIn(page, 'Harbor Press');
  });

  it('invites a pasted list after a preview, and reports on every address', async () => {
    const { page, email } = await signInNewPerson(stage);
    const [known, guest] = [await register(stage.service), newAddress()];
    await openMembers(page);
    await button(page, 'Invite a member').click();
    await button(page, 'Invite many people at once').click();
    await button(page, 'Check the addresses').click();
    await page.getByText('Paste at least one address.').waitFor();
    await field(page, 'E-mail addresses').fill(`"Known, Person" <${known}>; ${guest}\n${email}\nnot-one`);
    await page.getByText('4 addresses', { exact: true }).waitFor();
    await button(page, 'Check the addresses').click();
    await page.getByText('2 invitations would be sent').waitFor();
    await row(page, 'not-one').getByText('Is not an e-mail address').waitFor();
    await row(page, email).getByText('Is your own address').waitFor();
    expect(await stage.service.mailsTo(guest)).toEqual([]);
    await button(page, 'Send 2 invitations').click();
    await page.getByText('2 invitations are on their way').waitFor();
    expect(await stage.service.mailsTo(guest)).toHaveLength(1);
    await page.getByText('1 member and 2 open invitations').waitFor();
  });

  it('keeps a pasted list over a session that ended meanwhile, and sends nothing', async () => {
    const { page, email } = await signInNewPerson(stage);
    const guest = newAddress();
    await openMembers(page);
    await button(page, 'Invite a member').click();
    await button(page, 'Invite many people at once').click();
    await field(page, 'E-mail addresses').fill(guest);
    await button(page, 'Check the addresses').click();
    await page.getByText('1 invitation would be sent').waitFor();
    await stage.service.sql(
      `UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out'
       WHERE user_id = (SELECT id FROM users WHERE email = $1) AND revoked_at IS NULL`,
      [email],
    );
    await button(page, 'Send 1 invitation').click();
    await heading(page, 'Sign in').waitFor();
    expect(await stage.service.mailsTo(guest)).toEqual([]);
    await fillSignIn(page, email);
    await heading(page, 'Members').waitFor();
    expect(await field(page, 'E-mail addresses').inputValue()).toBe(guest);
  });

  it('filters the list by status and role in the URL, and shows nothing for one that does not exist', async () => {
    const { page } = await signInNewPerson(stage);
    const guest = newAddress();
    await openMembers(page);
    await button(page, 'Invite a member').click();
    await field(page, 'E-mail address').fill(guest);
    await button(page, 'Send invitation').click();
    await row(page, guest).waitFor();
    await page.getByRole('button', { name: /^Status:/ }).click();
    await page.getByRole('menuitemradio', { name: 'Members' }).click();
    await row(page, guest).waitFor({ state: 'detached' });
    await page.reload();
    await row(page, 'You').waitFor();
    expect(await row(page, guest).count()).toBe(0);
    await page.goto('/members?role=NONE');
    await page.getByText('No member matches these filters.').waitFor();
    await button(page, 'Show all members').click();
    await row(page, guest).waitFor();
  });

  // Contract: portal#organizations-in-the-portal — inviteMember and cancelInvitation from the list of members
  it('show invited people, and the actions on an invitation', async () => {
    const { page } = await signInNewPerson(stage);
    const email = newAddress();
    await openMembers(page);
    await button(page, 'Invite a member').click();
    await field(page, 'E-mail address').fill(email);
    await button(page, 'Send invitation').click();
    await page.getByText('The invitation is on its way').waitFor();
    await row(page, email).getByText('Invitation open until').waitFor();
    expect(await stage.service.mailsTo(email)).toHaveLength(1);

    await button(page, 'Send invitation').click();
    await page.getByText('Enter the e-mail address of the person you invite.').waitFor();
    await button(page, `Actions for ${email}`).click();
    await page.getByRole('menuitem', { name: 'Withdraw the invitation' }).click();
    await page.getByRole('alertdialog', { name: `Withdraw the invitation to ${email}?` }).waitFor();
    await button(page, 'Withdraw invitation').click();
    await page.getByText(`The invitation to ${email} is withdrawn.`).waitFor();
    await row(page, email).waitFor({ state: 'detached' });
  });

  it('show the dialog of an invitation to a long address within the width of a phone', async () => {
    const { page } = await signInNewPerson(stage, { viewport: { width: 320, height: 640 } });
    const email = `averyveryverylongname-${newAddress().replace('@', '@averyveryverylongcompanyname.')}`.replaceAll(
      '-',
      '',
    );
    await openMembers(page);
    await button(page, 'Invite a member').click();
    await field(page, 'E-mail address').fill(email);
    await button(page, 'Send invitation').click();
    await button(page, `Actions for ${email}`).click();
    await page.getByRole('menuitem', { name: 'Withdraw the invitation' }).click();
    const dialog = page.getByRole('alertdialog');
    // It is complete, and at its place, when its first button has the focus.
    await focused(dialog.getByRole('button', { name: 'Cancel' }));
    const boxes = await Promise.all(
      [dialog, ...(await dialog.getByRole('button').all())].map((part) => part.boundingBox()),
    );
    expect(boxes).toHaveLength(3);
    for (const box of boxes) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  // Contract: portal#organizations-in-the-portal — An ADMIN is offered nothing that concerns owners
  it('never offer an administrator actions reserved to owners', async () => {
    const { owner, member } = await join('ADMIN');
    const { page } = await signInInvited(stage, member.email);
    await openMembers(page);
    await row(page, owner).getByText('Owner', { exact: true }).waitFor();
    expect(await row(page, owner).getByRole('button').count()).toBe(0);
    expect(await button(page, 'Rename').count()).toBe(0);
    await button(page, 'Invite a member').click();
    await page.getByRole('radio', { name: /^Administrator/ }).waitFor();
    expect(await page.getByRole('radio', { name: /^Owner/ }).count()).toBe(0);
  });

  // Contract: portal#organizations-in-the-portal — removeMember ends the member's sessions in the organization
  it('let an owner remove a member, who is signed out of the organization at once', async () => {
    const { owner, member } = await join('MEMBER');
    const removed = await signInInvited(stage, member.email);
    const { page } = await signInPerson(stage, owner);
    await openMembers(page);
    await page.getByRole('searchbox', { name: 'Search by name or address' }).fill(member.email);
    // The list or the owner's row may not be loaded yet: wait for the filter in the URL.
    await page.waitForURL((url) => url.searchParams.get('search') === member.email);
    await row(page, owner).waitFor({ state: 'detached' });
    await row(page, member.email).getByRole('button', { name: 'Actions for Invited Person' }).click();
    await page.getByRole('menuitem', { name: 'Remove from the organization' }).click();
    await button(page, 'Remove member').click();
    await page.getByText('Invited Person is no longer a member.').waitFor();
    await removed.page.reload();
    await isSignInPage(removed.page);
  });

  // Contract: portal#organizations-in-the-portal — removeMember by the member themself: leave
  it('report that the user has left, and show a user without an organization the next step', async () => {
    const { member } = await join('MEMBER');
    const { page } = await signInInvited(stage, member.email);
    await openMembers(page);
    await button(page, 'Actions for Invited Person').click();
    await page.getByRole('menuitem', { name: 'Leave the organization' }).click();
    await button(page, 'Leave organization').click();
    await page.getByText('You have left the organization').waitFor();
    await fillSignIn(page, member.email);
    await page.getByRole('heading', { name: 'No organization is active' }).waitFor();
    await page.getByText('You do not belong to an organization.').waitFor();
    await isIn(page, 'No organization');
  });

  // Contract: portal#organizations-in-the-portal — renameOrganization
  it('show a new name in every tab as soon as an owner has set it', async () => {
    const { visitor, page } = await signInNewPerson(stage);
    const other = await visitor.newTab();
    await other.goto('/');
    await isHome(other);
    await openMembers(page);
    await button(page, 'Rename').click();
    await field(page, 'Name').fill('Lighthouse Keepers');
    await button(page, 'Save name').click();
    await page.getByText('The organization is called Lighthouse Keepers now.').waitFor();
    await isIn(page, 'Lighthouse Keepers');
    await isIn(other, 'Lighthouse Keepers');
  });
});

/** A member who joined by an invitation, signed in with the home page open. */
const signInInvited = (stage: Stage, email: string): Promise<Visitor> =>
  signInPerson(stage, email, { at: { path: '/', title: 'Hello, Invited Person' } });
