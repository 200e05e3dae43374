/** The mails that tell a person of a passkey that was added to their account, or removed from it. */
import { instantInWords, type MailContent } from '../../platform/mail/message.ts';

interface Addressee {
  readonly email: string;
  readonly name: string;
}

interface ChangedPasskey {
  readonly name: string;
  readonly at: Date;
}

export const passkeyAddedMail = (
  frontendUrl: string,
  { email, name }: Addressee,
  passkey: ChangedPasskey,
): MailContent => ({
  to: email,
  subject: 'A passkey was added to your account',
  greeting: `Hello ${name},`,
  paragraphs: [
    `On ${instantInWords(passkey.at)}, the passkey “${passkey.name}” was added to your account in a session that was signed in to it. It can be used to sign in to your account from now on.`,
  ],
  action: { label: 'See your passkeys', url: `${frontendUrl}/account/security` },
  remark:
    'If it was not you, another person is signed in to your account: sign out everywhere under “Your devices”, change your password, and contact the operator of this service, who can remove the passkey.',
});

export const passkeyRemovedMail = (
  frontendUrl: string,
  { email, name }: Addressee,
  passkey: ChangedPasskey,
): MailContent => ({
  to: email,
  subject: 'A passkey was removed from your account',
  greeting: `Hello ${name},`,
  paragraphs: [
    `On ${instantInWords(passkey.at)}, the passkey “${passkey.name}” was removed from your account in a session that was signed in to it. It does not sign in to your account any more. Your sessions stay signed in.`,
  ],
  action: { label: 'See your passkeys', url: `${frontendUrl}/account/security` },
  remark: 'If it was not you, sign in, change your password, and sign out everywhere under “Your devices”.',
});
