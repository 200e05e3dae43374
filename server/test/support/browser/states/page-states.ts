/** Every page of the portal, and the two mails, in every state with a different look: how to get a browser there. */
import type { Page } from 'playwright-core';
import { inviteByMail } from '../../actors/invitations.ts';
import { seedAudits } from '../../actors/organization-audits.ts';
import { newAddress, newestVerificationToken, register, registerAndSignIn, signUp } from '../../clients/clients.ts';
import { answerInstead, button, field, fillSignIn, fillSignUp, heading, type Stage } from '../browser.ts';

export type Show = (page: Page, stage: Stage) => Promise<void>;

export const unavailable = { status: 503, body: '' };

export const defect = {
  status: 500,
  headers: { 'content-type': 'application/graphql-response+json' },
  body: JSON.stringify({ errors: [{ message: '', extensions: { code: 'INTERNAL', correlationId: 'a1b2c3' } }] }),
};

const afterRenewing = async (page: Page, token: string, outcome: string): Promise<void> => {
  await page.goto(`/verify/${token}`);
  await button(page, 'Send a new link').click();
  await heading(page, outcome).waitFor();
};

/** Signs up in this browser; returns the token of the mail. */
const signUpHere = async (page: Page, stage: Stage, email = newAddress()): Promise<string> => {
  await page.goto('/signup');
  await fillSignUp(page, email);
  await heading(page, 'Check your e-mail').waitFor();
  return newestVerificationToken(stage.service, email);
};

const expireLink = (stage: Stage, email: string, more = '') =>
  stage.service.sql(
    `UPDATE users SET email_validation_expires_at = now() - interval '1 second' ${more} WHERE email = $1`,
    [email],
  );

/** An invitation to an organization of another user; returns the token of its link. */
const invitationFrom = async ({ service }: Stage, email: string): Promise<string> => {
  const { tokens } = await registerAndSignIn(service);
  return (await inviteByMail(service, tokens, email)).token;
};

/** A mail is no page of the portal: it has no address. */
const showMail = async (page: Page, html = ''): Promise<void> => {
  await page.goto('about:blank');
  await page.setContent(html);
};

export const visitorStates: Readonly<Record<string, Show>> = {
  'sign-in': async (page) => {
    await page.goto('/signin');
    await heading(page, 'Sign in').waitFor();
  },
  'sign-in with missing fields': async (page) => {
    await page.goto('/signin');
    await button(page, 'Sign in').click();
    await page.getByText('Enter your password.').waitFor();
  },
  'sign-in refused': async (page) => {
    await page.goto('/signin');
    await fillSignIn(page, newAddress());
    await page.getByText('The e-mail address or the password is wrong.').waitFor();
  },
  'sign-in, password forgotten': async (page) => {
    await page.goto('/signin');
    await page.getByText('Forgot your password?').click();
    await page.getByText('A password cannot be reset by mail.').waitFor();
  },
  'sign-in of an unconfirmed address': async (page, stage) => {
    const email = newAddress();
    await signUp(stage.service, email);
    await page.goto('/signin');
    await fillSignIn(page, email);
    await page.getByText('Your e-mail address is not confirmed yet').waitFor();
  },
  'sign-up': async (page) => {
    await page.goto('/signup');
    await heading(page, 'Create your account').waitFor();
  },
  'sign-up with problems': async (page) => {
    await page.goto('/signup');
    await fillSignUp(page, 'no-address', 'weak');
    await page.getByText('This password does not meet every rule below.').waitFor();
  },
  'check your e-mail': async (page) => {
    await page.goto('/signup');
    await fillSignUp(page, newAddress());
    await heading(page, 'Check your e-mail').waitFor();
  },
  'check your e-mail, sent again': async (page, stage) => {
    await signUpHere(page, stage);
    await button(page, 'Send again').click();
    await page.getByText('another one is on its way').waitFor();
  },
  'verification link in the browser that signed up': async (page, stage) => {
    await page.goto(`/verify/${await signUpHere(page, stage)}`);
    await button(page, 'Confirm').waitFor();
  },
  'verification link after an earlier sign-up': async (page, stage) => {
    const email = newAddress();
    await signUp(stage.service, email);
    await page.goto(`/verify/${await signUpHere(page, stage, email)}`);
    await page.getByText('The password of an earlier sign-up counts').waitFor();
  },
  'verification link in another browser, with a wrong password': async (page, stage) => {
    await page.goto(`/verify/${await signUp(stage.service, newAddress())}`);
    await field(page, 'Password').fill('Wrong.horse7');
    await button(page, 'Confirm and sign in').click();
    await page.getByText('This is not the password of the account').waitFor();
  },
  'address confirmed': async (page, stage) => {
    await page.goto(`/verify/${await signUpHere(page, stage)}`);
    await button(page, 'Confirm').click();
    await page.getByText('Your address is confirmed.').waitFor();
  },
  'link unknown': async (page) => {
    await page.goto(`/verify/${'0'.repeat(64)}`);
    await heading(page, 'This link does not work').waitFor();
  },
  'sign-up to reject': async (page, stage) => {
    await page.goto(`/verify/${await signUp(stage.service, newAddress())}/reject`);
    await heading(page, 'Delete this account?').waitFor();
  },
  'sign-up rejected': async (page, stage) => {
    await page.goto(`/verify/${await signUp(stage.service, newAddress())}/reject`);
    await button(page, 'Delete the account').click();
    await heading(page, 'The account is deleted').waitFor();
  },
  'link expired': async (page, stage) => {
    const email = newAddress();
    const token = await signUp(stage.service, email);
    await expireLink(stage, email);
    await page.goto(`/verify/${token}`);
    await heading(page, 'This link has expired').waitFor();
  },
  'link sent again': async (page, stage) => {
    const email = newAddress();
    const token = await signUp(stage.service, email);
    await expireLink(stage, email, ", account_mail_sent_at = now() - interval '2 hours'");
    await afterRenewing(page, token, 'We have sent you a new link');
  },
  'link sent within the hour': async (page, stage) => {
    const email = newAddress();
    const token = await signUp(stage.service, email);
    await expireLink(stage, email);
    await afterRenewing(page, token, 'A message is on its way already');
  },
  'invitation to a new person, with problems': async (page, stage) => {
    await page.goto(`/invitation/${await invitationFrom(stage, newAddress())}`);
    await button(page, 'Create account and join').click();
    await page.getByText('Enter your password.').waitFor();
  },
  'invitation to a person with an account': async (page, stage) => {
    await page.goto(`/invitation/${await invitationFrom(stage, await register(stage.service))}`);
    await page.getByRole('link', { name: 'Sign in to accept' }).waitFor();
  },
  'invitation unknown': async (page) => {
    await page.goto('/invitation/unknown');
    await heading(page, 'This invitation does not work').waitFor();
  },
  'invitation mail': async (page, stage) => {
    const email = newAddress();
    await invitationFrom(stage, email);
    const [mail] = await stage.service.mailsTo(email);
    await showMail(page, mail?.html);
    await page.getByRole('link', { name: 'See the invitation' }).waitFor();
  },
  'new address to confirm, signed out': async (page) => {
    await page.goto(`/account/email/${'0'.repeat(64)}`);
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
  },
  'change of address to undo': async (page) => {
    await page.goto(`/account/email/undo/${'0'.repeat(64)}`);
    await button(page, 'Undo the change').waitFor();
  },
  'change of address that cannot be undone': async (page) => {
    await page.goto(`/account/email/undo/${'0'.repeat(64)}`);
    await button(page, 'Undo the change').click();
    await heading(page, 'This link does not work').waitFor();
  },
  'page not found': async (page) => {
    await page.goto('/nowhere');
    await heading(page, 'Page not found').waitFor();
  },
  mailbox: async (page, stage) => {
    // One mail: those of the earlier states would make a long page.
    await fetch(`${stage.service.url}/dev/mailbox`, { method: 'DELETE' });
    await signUp(stage.service, newAddress());
    await page.goto('/dev/mailbox');
    await heading(page, 'Development mailbox').waitFor();
  },
  'verification mail': async (page, stage) => {
    const email = newAddress();
    await signUp(stage.service, email);
    const [mail] = await stage.service.mailsTo(email);
    await showMail(page, mail?.html);
    await page.getByRole('link', { name: 'Confirm my address' }).waitFor();
  },
};

export const personStates: Readonly<Record<string, Show>> = {
  home: async (page) => {
    await page.goto('/');
    await page.getByText('This device').waitFor();
  },
  'home with scopes': async (page) => {
    await page.goto('/');
    await page.getByText(/\d+ scopes/).click();
    await page.getByText('MEMBERS_INVITE').waitFor();
  },
  'change of address, with a problem': async (page) => {
    await page.goto('/account');
    await button(page, 'Change e-mail address').click();
    await button(page, 'Send the link').click();
    await page.getByText('Enter your new e-mail address.').waitFor();
  },
  'change of address requested': async (page) => {
    await page.goto('/account');
    await button(page, 'Change e-mail address').click();
    await field(page, 'New e-mail address').fill(newAddress());
    await button(page, 'Send the link').click();
    await page.getByText('a message with a link is on its way').waitFor();
  },
  'new address to confirm': async (page) => {
    await page.goto(`/account/email/${'0'.repeat(64)}`);
    await button(page, 'Use the new address').waitFor();
  },
  'new address of a link that is not open': async (page) => {
    await page.goto(`/account/email/${'0'.repeat(64)}`);
    await button(page, 'Use the new address').click();
    await heading(page, 'This link does not work').waitFor();
  },
  'sign out a device?': async (page) => {
    await page.goto('/');
    await button(page, 'Sign out curl').click();
    await page.getByRole('alertdialog').waitFor();
  },
  'sign out everywhere?': async (page) => {
    await page.goto('/');
    await button(page, 'Sign out everywhere').click();
    await page.getByRole('alertdialog').waitFor();
  },
  'sign out everywhere failed': async (page) => {
    await page.goto('/');
    const restore = await answerInstead(page, 'SignOutEverywhere', unavailable);
    await button(page, 'Sign out everywhere').click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('Not available right now').waitFor();
    await restore();
  },
  'devices unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchDevices', defect);
    await page.goto('/');
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'organization switcher open': async (page) => {
    await page.goto('/');
    await page.getByRole('button', { name: /^Organization:/ }).click();
    await page.getByRole('menuitem', { name: 'Create an organization' }).waitFor();
  },
  'create an organization, without a name': async (page) => {
    await page.goto('/organizations/new');
    await button(page, 'Create organization').click();
    await page.getByText('Enter a name for the organization.').waitFor();
  },
  members: async (page) => {
    await page.goto('/members');
    await page.getByText('1 person').waitFor();
  },
  'members, none found': async (page) => {
    await page.goto('/members?search=nobody-at-all');
    await page.getByText('No member has').waitFor();
  },
  'members unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchMembers', defect);
    await page.goto('/members');
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
  'invite a member, refused': async (page) => {
    await page.goto('/members');
    await button(page, 'Invite a member').click();
    await button(page, 'Send invitation').click();
    await page.getByText('Enter the e-mail address of the person you invite.').waitFor();
  },
  'choosing a role': async (page) => {
    await page.goto('/members');
    await page.getByRole('button', { name: /^Role of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Administrator' }).waitFor();
  },
  'leave as the last owner?': async (page) => {
    await page.goto('/members');
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Leave the organization' }).click();
    await button(page, 'Leave organization').click();
    await page.getByText('An organization needs an owner').waitFor();
  },
  'rename the organization': async (page) => {
    await page.goto('/members');
    await button(page, 'Rename').click();
    await button(page, 'Save name').waitFor();
  },
  'audit log of the organization': async (page, stage) => {
    await page.goto('/members');
    const email = await page.locator('p[title*="@"]').first().getAttribute('title');
    await seedAudits(stage.service, email ?? '');
    await page.goto('/organization/audit');
    await page.getByText('Token reported as leaked').first().waitFor();
    await page.getByText('Details', { exact: true }).first().click();
  },
  'audit log, nothing found': async (page) => {
    await page.goto('/organization/audit?event=TOKEN_ROTATED&to=2020-01-01T00:00:00.000Z');
    await page.getByText('Nothing matches these filters.').waitFor();
  },
  'invitation to another person': async (page, stage) => {
    await page.goto(`/invitation/${await invitationFrom(stage, newAddress())}`);
    await heading(page, 'This invitation is for someone else').waitFor();
  },
  'sessions, without the super admin flag': async (page) => {
    await page.goto('/admin/super/sessions');
    await heading(page, 'For super admins').waitFor();
  },
  'plan, after paying': async (page) => {
    await page.goto('/plan?checkout=done');
    await page.getByText('Refresh').waitFor();
    await page.getByText('Why', { exact: true }).first().click();
    await page.getByText('which grants MEMBERS_VIEW').waitFor();
  },
  'service unavailable': async (page) => {
    const restore = await answerInstead(page, 'FetchMe', unavailable);
    await page.goto('/');
    await heading(page, 'Not available right now').waitFor();
    await restore();
  },
  defect: async (page) => {
    const restore = await answerInstead(page, 'FetchMe', defect);
    await page.goto('/');
    await page.getByText('Reference: a1b2c3').waitFor();
    await restore();
  },
};
