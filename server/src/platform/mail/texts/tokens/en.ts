/**
 * Owns: the texts of the mails about tokens of machines, one file for each language.
 * Promises: Each has the texts of the English one; none has a place for a secret or a part of one.
 *
 * These mails in English, of which the others are translations.
 */
import type { TokenMailTexts } from '../../mails.ts';

const from = '{hasAddress, select, yes { from the address {address}} other {}}';
const seeOwn = 'See your personal tokens';
const seeManaged = 'See the tokens of the organization';
const strangerHasSession =
  'If it was not you, another person is signed in to your account: revoke the token, sign out everywhere under “Your devices”, and change your password.';
const youManage = 'You get this mail because you manage the tokens of “{organization}”.';
const ifUnexpected = `If you did not expect this, ask that person, and revoke the token if in doubt. ${youManage}`;
const within = '{days, plural, one {# day} other {# days}}';
const expires = `expires on {until}. From then on, every request with it is refused.\n\nIf it is still needed, give it a new secret before that: the one of now goes on for the overlap that you choose.`;

export const tokenTexts: TokenMailTexts = {
  personalTokenCreated: {
    subject: 'The personal token “{token}” was created',
    body: `On {at}, the personal token “{token}” for “{organization}” was created in a session that was signed in to your account${from}.\n\n{isPending, select, yes {It cannot be used until a person who manages tokens there approves it.} other {A program that has it acts in your place, within its scopes, until it expires or is revoked.}}`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenRotated: {
    subject: 'The personal token “{token}” has a new secret',
    body: `On {at}, the personal token “{token}” for “{organization}” was given a new secret in a session that was signed in to your account${from}. The former secret works only for the overlap that was chosen.`,
    action: seeOwn,
    remark: strangerHasSession,
  },
  personalTokenApproved: {
    subject: 'The personal token “{token}” was approved',
    body: 'On {at}, a person who manages tokens in “{organization}” approved your personal token “{token}”. It can be used from now on.',
    action: seeOwn,
    remark: 'If you did not create this token, revoke it, and sign out everywhere under “Your devices”.',
  },
  personalTokenRefused: {
    subject: 'The personal token “{token}” was refused',
    body: 'On {at}, a person who manages tokens in “{organization}” refused your personal token “{token}”. It has ended for good.',
    action: seeOwn,
    remark: 'If you have a question about it, ask those who manage tokens in “{organization}”.',
  },
  personalTokenWaiting: {
    subject: 'A personal token waits for approval in “{organization}”',
    body: 'On {at}, {person} created the personal token “{token}” for “{organization}”. It cannot be used until you or another person who manages tokens approves it.',
    action: 'Decide on the token',
    remark: youManage,
  },
  serviceTokenCreated: {
    subject: 'A token of the service account “{account}” was created',
    body: `On {at}, {person} created a token of the service account “{account}” in “{organization}”${from}.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceTokenRotated: {
    subject: 'A token of the service account “{account}” has a new secret',
    body: `On {at}, {person} gave a token of the service account “{account}” in “{organization}” a new secret${from}. The former secret works only for the overlap that was chosen.`,
    action: seeManaged,
    remark: ifUnexpected,
  },
  serviceAccountScopesAdded: {
    subject: 'The service account “{account}” may do more',
    body: 'On {at}, {person} gave the service account “{account}” in “{organization}” further scopes: {scopes}. Its tokens have them from now on.',
    action: seeManaged,
    remark: `If you did not expect this, ask that person, and remove the scopes if in doubt. ${youManage}`,
  },
  tokenPolicyChanged: {
    subject: 'The policy for tokens was changed in “{organization}”',
    body: 'On {at}, {person} changed the policy of “{organization}” for tokens. Tokens that the policy refuses are blocked, and work again once it allows them.',
    action: 'See the policy',
    remark: `If you did not expect this, ask that person. ${youManage}`,
  },
  serviceTokenHolderLeft: {
    subject:
      '{count, plural, one {Rotate the tokens of a service account} other {Rotate the tokens of # service accounts}}: a person who has seen them left “{organization}”',
    body: 'On {at}, {person} left “{organization}”. This person has seen the secret of {count, plural, one {a token of this service account} other {tokens of these service accounts}}: {accounts}.\n\nThe tokens go on. Rotate them, so that only those who are still there know their secrets.',
    action: seeManaged,
    remark: youManage,
  },
  personalTokenExpires: {
    subject: `Your personal token “{token}” expires within ${within}`,
    body: `Your personal token “{token}” for “{organization}” ${expires}`,
    action: seeOwn,
    remark: 'If it is no longer needed, you do not need to do anything.',
  },
  serviceTokenExpires: {
    subject: `A token of the service account “{account}” expires within ${within}`,
    body: `A token of the service account “{account}” in “{organization}” ${expires}`,
    action: seeManaged,
    remark: `If it is no longer needed, you do not need to do anything. ${youManage}`,
  },
};
