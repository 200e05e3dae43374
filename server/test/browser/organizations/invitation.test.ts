/** The page of an invitation: each of its states, and each way to accept. */
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  completeProfile,
  expireInvitation,
  type Invited,
  invitationRow,
  inviteByMail,
  openRow,
} from '../../support/actors/invitations.ts';
import type { RoleName } from '../../support/actors/tenants.ts';
import {
  answerInstead,
  button,
  expireAccess,
  field,
  fillSignIn,
  heading,
  isHome,
  liveFamilies,
  openStage,
  signInPerson,
} from '../../support/browser/browser.ts';
import { chromiumPath } from '../../support/browser/chromium.ts';
import { bearer, goodPassword, newAddress, operations, post, register, signIn } from '../../support/clients/clients.ts';
import { fixture } from '../../support/fixture.ts';

describe.skipIf(chromiumPath === null)('An invitation', () => {
  let owner: string;
  let organization: string;
  const stage = fixture(openStage);
  beforeAll(async () => {
    owner = await register(stage.service);
    const name = await stage.service.sql.value<string>(
      `SELECT o.name FROM organizations o JOIN organization_members m ON m.organization_id = o.id
         JOIN users u ON u.id = m.user_id WHERE u.email = $1`,
      [owner],
    );
    organization = name ?? '';
  });

  const inviteTo = async (email: string, role: RoleName = 'MEMBER'): Promise<Invited> =>
    inviteByMail(stage.service, await signIn(stage.service, owner), email, role);

  const isOffered = (page: Page): Promise<void> => heading(page, `Join ${organization}`).waitFor();

  const fillProfile = async (page: Page, name: string, password = goodPassword): Promise<void> => {
    await field(page, 'Name').fill(name);
    await field(page, 'Password').fill(password);
    await button(page, 'Create account and join').click();
  };

  // Contract: portal#invitation-page — {frontend_url}/invitation/<invitation_token>, invitation landing page: nothing
  //   happens until the person presses; never the invited address
  it('creates an account when the new person presses the button, and not when the page is only opened', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    const email = newAddress();
    const { memberId } = await inviteTo(email, 'ADMIN');
    await page.goto(`${stage.service.url}/dev/mailbox`);
    await page.getByRole('article').filter({ hasText: email }).getByRole('link', { name: '/invitation/' }).click();
    await isOffered(page);
    await page.getByText('You are invited to join as an administrator.').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await invitationRow(stage.service, memberId)).toMatchObject(openRow);
    expect(await page.getByText(email).count()).toBe(0);

    await fillProfile(page, 'Test Person', 'weak');
    await page.getByText('This password does not meet every rule below.').waitFor();
    expect(visitor.count('CompleteInvitedProfile')).toBe(0);
    await fillProfile(page, 'Test Person');
    await isHome(page);
    await page.getByRole('region', { name: 'Who you are here' }).getByText(organization).waitFor();
    expect(await liveFamilies(stage.service, email)).toBe(1);
    expect(await invitationRow(stage.service, memberId)).toMatchObject({ joined: true });
  });

  // Contract: portal#invitation-page — completeInvitedProfile: a refusal is shown at its field
  it('shows the refusal of the service at the field', async () => {
    const { page } = await stage.newVisitor();
    const { token, memberId } = await inviteTo(newAddress());
    await page.goto(`/invitation/${token}`);
    await fillProfile(page, 'x'.repeat(101));
    await page.getByText('A name has at most 100 characters.').waitFor();
    expect(await field(page, 'Name').getAttribute('aria-invalid')).toBe('true');
    expect(await invitationRow(stage.service, memberId)).toMatchObject(openRow);
  });

  // Contract: portal#invitation-page — acceptInvitation over /signin?redirect=/invitation/…; every tab shows the new
  //   organization
  it('leads a person with an account through the sign-in page back to itself, and lets them accept', async () => {
    const visitor = await stage.newVisitor();
    const { page } = visitor;
    const email = await register(stage.service);
    const { token, memberId } = await inviteTo(email);
    await page.goto(`/invitation/${token}`);
    await page.getByRole('link', { name: 'Sign in to accept' }).click();
    await fillSignIn(page, email);
    await isOffered(page);
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/invitation/${token}`);
    expect(await invitationRow(stage.service, memberId)).toMatchObject(openRow);

    // The other tab shows the former organization until it is notified of the change.
    const other = await visitor.newTab();
    await other.goto('/');
    await isHome(other);
    await expireAccess(stage.service);
    await button(page, 'Accept the invitation').click();
    for (const tab of [page, other]) {
      await isHome(tab);
      await tab.getByRole('region', { name: 'Who you are here' }).getByText(organization).waitFor();
    }
    expect(await invitationRow(stage.service, memberId)).toMatchObject({ joined: true, isCurrent: true });
    await page.goto(`/invitation/${token}`);
    await heading(page, 'This invitation has been accepted').waitFor();
  });

  // Contract: portal#invitation-page — An invitation to another person
  it('cannot be accepted by another user, who can sign out and continue', async () => {
    const visitor = await signInPerson(stage, await register(stage.service));
    const { page } = visitor;
    const { token, memberId } = await inviteTo(newAddress());
    await page.goto(`/invitation/${token}`);
    await heading(page, 'This invitation is for someone else').waitFor();
    expect(visitor.count('AcceptInvitation')).toBe(0);
    await button(page, 'Sign out and continue').click();
    await isOffered(page);
    await button(page, 'Create account and join').waitFor();
    expect(await invitationRow(stage.service, memberId)).toMatchObject(openRow);
  });

  // Contract: portal#invitation-page — ACCOUNT_MISMATCH on accepting: the invitation stays open
  it('cannot be accepted by another user who signs in while it is open on the screen', async () => {
    const email = await register(stage.service);
    const outsider = await register(stage.service);
    const visitor = await signInPerson(stage, email);
    const { page } = visitor;
    const { token, memberId } = await inviteTo(email);
    await page.goto(`/invitation/${token}`);
    await button(page, 'Accept the invitation').waitFor();
    const elsewhere = await signInPerson(stage, outsider);
    await visitor.context.clearCookies();
    await visitor.context.addCookies(await elsewhere.context.cookies());
    await button(page, 'Accept the invitation').click();
    await heading(page, 'This invitation is for someone else').waitFor();
    await page.getByText(outsider).waitFor();
    expect(await invitationRow(stage.service, memberId)).toMatchObject(openRow);
  });

  // Contract: portal#invitation-page — INVITATION_NOT_OPEN on accepting
  it('reports, at a late acceptance, that it was withdrawn', async () => {
    const { page } = await stage.newVisitor();
    const { token, memberId } = await inviteTo(newAddress());
    await page.goto(`/invitation/${token}`);
    await isOffered(page);
    await post(
      stage.service.url,
      operations.cancelInvitation,
      { memberId },
      bearer(await signIn(stage.service, owner)),
    );
    await fillProfile(page, 'Test Person');
    await heading(page, 'This invitation does not work').waitFor();
    expect(await page.getByRole('button', { name: 'Create account and join' }).count()).toBe(0);
  });

  // Contract: portal#invitation-page — Expired, used and unknown invitations
  it('reports that it has expired, was used, or is unknown', async () => {
    const { page } = await stage.newVisitor();
    const late = await inviteTo(newAddress());
    await expireInvitation(stage.service, late.memberId);
    await page.goto(`/invitation/${late.token}`);
    await heading(page, 'This invitation has expired').waitFor();

    const used = await inviteTo(newAddress());
    await completeProfile(stage.service, used.token);
    await page.goto(`/invitation/${used.token}`);
    await heading(page, 'This invitation has been accepted').waitFor();

    for (const token of ['00000000-0000-4000-8000-000000000000', 'cut-short']) {
      await page.goto(`/invitation/${token}`);
      await heading(page, 'This invitation does not work').waitFor();
    }
  });

  it('can be loaded again after a failure', async () => {
    const { page } = await stage.newVisitor();
    const { token } = await inviteTo(newAddress());
    const restore = await answerInstead(page, 'FetchInvitation', { status: 500, body: '' });
    await page.goto(`/invitation/${token}`);
    await page.getByText('Something went wrong').waitFor();
    await restore();
    await button(page, 'Try again').click();
    await isOffered(page);
  });
});
