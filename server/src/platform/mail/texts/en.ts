/**
 * Owns: the texts of mails, one file for each language.
 * Promises: Every language has every text, with the placeholders of the English one.
 *
 * The mails in English, of which the others are translations.
 */
import type { MailTexts } from '../mails.ts';
import { tokenTexts } from './tokens/en.ts';

const signIn = 'Sign in';
const seeSecurity = 'See the security of your account';
const seeWays = 'See your ways to sign in';
const strangerHasSession =
  'If it was not you, another person is signed in to your account: sign out everywhere under “Your devices”, and contact the operator of this service.';
const inviteEnd =
  '{role, select, OWNER { as an owner} ADMIN { as an administrator} MEMBER { as a member} named { with the role “{roleTitle}”} other {}}.\n\nThe link shows you the invitation. You join only if you accept it within the next 7 days.';
const inviteRemark =
  'This invitation is for {email}. Do not forward this mail: a person who has the link could join in your place. If you do not know who invites you, ignore this mail.';
const kept =
  'It was the address of an account until a short time ago, and the link in our mail about that change can put it back until {until}. Until then no other account can use it.';
const account = '{hasEmail, select, yes {the account {email} at {provider}} other {an account at {provider}}}';
const linkedByAddress = `On {at}, ${account} was connected to your account because it has your address and was used to sign in here. It can be used to sign in to your account from now on.`;
const disconnect =
  'If it was not you, sign in with your password, disconnect {provider} under “Ways to sign in”, and sign out everywhere under “Your devices”.';
const disconnectAndSecure = `${disconnect} Another person may then be able to use {provider} with your address: secure that account too.`;
const secureProvider =
  'If it was not you, another person can use {provider} with your address: secure that account, and contact the operator of this service.';
const nothingToDo =
  'If it was not you, you do not need to do anything: the answer did not reveal that you have an account.';
const way = '{way, select, password {password} other {passkey}}';
const keptTokens =
  '{tokens, plural, =0 {} one { Your personal token still works: a new password does not end it.} other { Your # personal tokens still work: a new password does not end them.}}';

export const texts: MailTexts = {
  shared: {
    greeting: 'Hello {name},',
    greetingWithoutName: 'Hello,',
    support: 'Support:',
    openAddress: 'If the button does not work, open this address:',
    identityProvider: 'the identity provider',
  },
  verification: {
    subject: 'Confirm your e-mail address',
    body: 'On {at}, an account was asked for with this address. If that was you, confirm that the address is yours, and you can sign in with the password that you chose then.',
    action: 'Confirm my address',
    secondAction: 'I did not ask for this',
    remark:
      'The first link works once, for 24 hours. The second one deletes the account that was asked for: use it if that was not you, or to begin anew with another password. If you use neither link, the account stays unusable, and it is deleted a week after the first link expires.',
  },
  alreadyRegistered: {
    subject: 'You already have an account',
    body: 'On {at}, a sign-up with this address was tried, probably by you. The address already has an account, and nothing about it has changed.',
    action: signIn,
    remark: nothingToDo,
  },
  alreadyRegisteredChange: {
    subject: 'You already have an account',
    body: 'On {at}, a person who is signed in to another account asked to use this address for it, probably by you. The address already has an account, and nothing about it has changed.',
    action: signIn,
    remark: nothingToDo,
  },
  addressKept: {
    subject: 'This address is kept for an account',
    body: `On {at}, a sign-up with this address was tried. ${kept}`,
    remark: 'If you changed the address of the account yourself, you do not need to do anything.',
  },
  addressKeptChange: {
    subject: 'This address is kept for an account',
    body: `On {at}, a person who is signed in to another account asked to use this address for it. ${kept}`,
    remark: 'If you changed the address of the account yourself, you do not need to do anything.',
  },
  emailChangeConfirmation: {
    subject: 'Confirm your new e-mail address',
    body: 'On {at}, a person who is signed in to the account of {email} asked to use this address for it. If that was you, open the link, and confirm the change.\n\nFrom then on you sign in with this address, and mails of the account are sent to it.',
    action: 'Confirm my new address',
    remark:
      'The link works once, for 24 hours, and only for a person who is signed in to the account. If it was not you, you do not need to do anything: nothing changes.',
  },
  emailChangeRequested: {
    subject: 'A new e-mail address was requested for your account',
    body: 'On {at}, the address {newEmail} was requested for your account in a session that is signed in to it. Nothing changes until the new address is confirmed; this address is told then.',
    action: 'See your account',
    remark:
      'If it was not you, another person is signed in to your account: change your password, and sign out everywhere. Both end the request.',
  },
  emailChanged: {
    subject: 'The e-mail address of your account was changed',
    body: 'On {at}, the address of your account was changed from {email} to {newEmail}. If that was you, you do not need to do anything.\n\nIf it was not you, undo the change with this link. It puts back this address, and the password and the other ways to sign in that the account had 72 hours before the change was requested, takes away those that were added since then, and signs out every device.',
    action: 'Undo the change',
    remark:
      'The link works once, for 72 hours. Do not forward this mail: a person who has the link can undo the change.',
  },
  emailChangeUndone: {
    subject: 'The e-mail address of your account was put back',
    body: 'Your account has this address again, and the ways to sign in that it had on {at}: the password (or one that the operator has set since), passkeys, one-time codes and connections to a provider of that time, and nothing that was added later. Every device and client was signed out.\n\nIf you did not ask for the change that was undone, another person was signed in to your account: sign in, and change your password.',
    action: signIn,
    remark: 'If you cannot sign in, contact the operator of this service.',
  },
  invitation: {
    subject: 'Invitation to join “{organization}”',
    body: `{inviter} invites you to join “{organization}”${inviteEnd}`,
    action: 'See the invitation',
    remark: inviteRemark,
  },
  invitationByOperator: {
    subject: 'Invitation to join “{organization}”',
    body: `You are invited to join “{organization}”${inviteEnd}`,
    action: 'See the invitation',
    remark: inviteRemark,
  },
  oneTimeCodesAdded: {
    subject: 'Signing in now takes a one-time code',
    body: 'On {at}, an authenticator app was added to your account in a session that was signed in to it. After the password, signing in takes a code of that app, or a recovery code.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesReplaced: {
    subject: 'Your one-time codes come from another app now',
    body: 'On {at}, an authenticator app replaced the one of before in a session that was signed in to your account. Codes of the former one and earlier recovery codes are not accepted any more.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  oneTimeCodesRemoved: {
    subject: 'Signing in takes no one-time code any more',
    body: 'On {at}, the authenticator app and the recovery codes of your account were removed in a session that was signed in to it.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodesRenewed: {
    subject: 'Your recovery codes were replaced',
    body: 'On {at}, new recovery codes were made in a session that was signed in to your account. Earlier ones are not accepted any more.',
    action: seeSecurity,
    remark: strangerHasSession,
  },
  recoveryCodeUsed: {
    subject: 'A recovery code of your account was used',
    body: 'On {at}, a recovery code was used in place of a one-time code. {left, plural, =0 {None is left: make new ones.} one {One is left.} other {# are left.}}',
    action: seeSecurity,
    remark:
      'If it was not you, another person has your recovery codes and your password: change the password, and make new recovery codes.',
  },
  passkeyAdded: {
    subject: 'A passkey was added to your account',
    body: 'On {at}, the passkey “{passkey}” was added to your account in a session that was signed in to it. It can be used to sign in to your account from now on.',
    action: 'See your passkeys',
    remark:
      'If it was not you, another person is signed in to your account: sign out everywhere under “Your devices”, change your password, and contact the operator of this service, who can remove the passkey.',
  },
  passkeyRemoved: {
    subject: 'A passkey was removed from your account',
    body: 'On {at}, the passkey “{passkey}” was removed from your account in a session that was signed in to it. It does not sign in to your account any more. Your sessions stay signed in.',
    action: 'See your passkeys',
    remark: 'If it was not you, sign in, change your password, and sign out everywhere under “Your devices”.',
  },
  passwordAdded: {
    subject: 'You can now sign in with a password',
    body: `On {at}, a password was added to your account in a session that was signed in to it. Every other device and client was signed out.${keptTokens}`,
    action: 'See your devices',
    remark: 'If it was not you, another person is signed in to your account: contact the operator of this service.',
  },
  passwordChanged: {
    subject: 'The password of your account was changed',
    body: `On {at}, the password of your account was changed in a session that was signed in to it. Every other device and client was signed out.${keptTokens}`,
    action: 'See your devices',
    remark:
      'If it was not you, another person knows your former password and is signed in to your account: contact the operator of this service.',
  },
  passwordRemoved: {
    subject: 'The password of your account was removed',
    body: 'On {at}, the password of your account was removed from a session that began with {provider}. Every other device and client was signed out. You sign in with {provider} from now on.',
    action: seeWays,
    remark: secureProvider,
  },
  passwordSetByOperator: {
    subject: 'The operator of this service set a new password for your account',
    body: 'On {at}, the operator of this service set a new password for your account, and every device and client was signed out. The operator tells you the password in another way than by mail.\n\nSign in with it, and change it in your account: only you know the next one.',
    action: signIn,
    remark: 'If you did not ask for this, contact the operator of this service.',
  },
  secondFactorRemoved: {
    subject: 'The second factor of your account was removed',
    body: 'On {at}, the operator of this service removed the passkeys, one-time codes and recovery codes of your account. None of them works any more.\n\nYou sign in without them from now on, and can add new ones in your account.',
    action: 'See your account',
    remark: 'If you did not ask for this, contact the operator of this service.',
  },
  identityLinked: {
    subject: 'You can now sign in with {provider}',
    body: linkedByAddress,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedWithPassword: {
    subject: 'You can now sign in with {provider}',
    body: `${linkedByAddress}\n\nThe account also has a password. If you did not set it, sign in with {provider}: you are asked once whether to remove it, which signs out every other device.`,
    action: seeWays,
    remark: disconnectAndSecure,
  },
  identityLinkedInsteadOfPassword: {
    subject: 'You can now sign in with {provider}',
    body: `${linkedByAddress}\n\nBefore that, the address of the account was not confirmed, so the password of the account was removed, and every session that began with it has ended.`,
    action: seeWays,
    remark: secureProvider,
  },
  identityLinkedInSession: {
    subject: 'You can now sign in with {provider}',
    body: `On {at}, ${account} was connected to your account from a session that was signed in to your account. It can be used to sign in to your account from now on.`,
    action: seeWays,
    remark: disconnect,
  },
  identityUnlinked: {
    subject: 'You can no longer sign in with {provider}',
    body: `On {at}, ${account} was disconnected from your account in a session that was signed in to it. You sign in with your ${way} from now on.\n\nYour sessions stay signed in. If you sign in with {provider} and this address again, it may be connected again.`,
    action: seeWays,
    remark: `If it was not you, sign in with your ${way}, and sign out everywhere under “Your devices”.`,
  },
  personalTokenReported: {
    subject: 'Your personal token “{token}” was reported as leaked',
    body: 'On {at}, your personal token “{token}” for {organization} was reported to us as leaked. The report contained the token itself, so it was revoked at once, with every secret of it that was still valid.\n\nFind out where the token got out and what it was used for since then. If you still need one, create a new token.',
    action: 'See your account',
    remark:
      'Secret scanners send such reports, and so can every person who has found a token. This mail repeats nothing of the report, because we do not know who sent it.',
  },
  serviceTokenReported: {
    subject: 'A token of “{serviceAccount}” was reported as leaked',
    body: 'On {at}, a token of the service account “{serviceAccount}” of {organization} was reported to us as leaked. The report contained the token itself, so it was revoked at once, with every secret of it that was still valid.\n\nWhat uses the token no longer has access. Find out where the token got out and what it was used for since then, and create a new token for the service account.',
    action: 'Open the portal',
    remark:
      'You get this mail because you manage the tokens of the organization. It repeats nothing of the report, because we do not know who sent it.',
  },
  sessionReported: {
    subject: 'A session of your account was ended because its token leaked',
    body: 'On {at}, a token of one of your sessions was reported to us as leaked. The report contained the token itself, so the session was ended at once. Your other sessions stay signed in.\n\nA token of a session is in the memory of a browser or client. If it got out, a program on the device or a published log may be the reason.',
    action: 'See your account',
    remark:
      'If you do not know how the token got out, sign out everywhere under “Your devices”. This mail repeats nothing of the report, because we do not know who sent it.',
  },
  suspended: {
    subject: 'Your account was suspended',
    body: 'On {at}, an administrator of this service suspended your account. Every device and client was signed out, and the account cannot be signed in to until it is reinstated.\n\nWhat belongs to the account is kept.',
    remark: 'If you have a question about it, contact the operator of this service.',
  },
  reinstated: {
    subject: 'Your account was reinstated',
    body: 'On {at}, the suspension of your account ended. You can sign in again.',
    action: signIn,
    remark: 'Sessions of before stay ended: sign in again on each device, and connect MCP clients again.',
  },
  organizationDeleted: {
    subject: '{organization} was deleted',
    body: '{deleter} deleted the organization {organization}. Its members can no longer use it, and its invitations no longer work.\n\nUntil {until}, an owner can restore it as it was. After that, it is gone for good.',
    action: 'See your organizations',
    remark: 'You get this mail because you are an owner of the organization.',
  },
  ...tokenTexts,
  accountDeleted: {
    subject: 'Your account was deleted',
    body: 'On {at}, your account was deleted in a session that was signed in to it, with everything that we kept of you. It cannot be restored.\n\nThis address is free: you can create an account with it again.',
    remark: 'If it was not you, another person was signed in to your account: contact the operator of this service.',
  },
};
