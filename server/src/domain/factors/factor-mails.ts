/** Mails about one-time codes and recovery codes. The recipient may not have caused the change. */
import { instantInWords, type MailContent } from '../../platform/mail/message.ts';

interface Recipient {
  readonly email: string;
  readonly name: string;
  readonly at: Date;
}

const security = (frontendUrl: string) => ({
  label: 'See the security of your account',
  url: `${frontendUrl}/account/security`,
});

const strangerHasSession =
  'If it was not you, another person is signed in to your account: sign out everywhere under “Your devices”, and contact the operator of this service.';

const passwordIsKnown =
  'If it was not you, another person has your recovery codes and your password: change the password, and make new recovery codes.';

export const oneTimeCodesAddedMail = (
  frontendUrl: string,
  { email, name, at, isReplacement }: Recipient & { readonly isReplacement: boolean },
): MailContent => ({
  to: email,
  subject: isReplacement ? 'Your one-time codes come from another app now' : 'Signing in now takes a one-time code',
  greeting: `Hello ${name},`,
  paragraphs: [
    isReplacement
      ? `On ${instantInWords(at)}, an authenticator app replaced the one of before in a session that was signed in to your account. Codes of the former one and earlier recovery codes are not accepted any more.`
      : `On ${instantInWords(at)}, an authenticator app was added to your account in a session that was signed in to it. After the password, signing in takes a code of that app, or a recovery code.`,
  ],
  action: security(frontendUrl),
  remark: strangerHasSession,
});

export const oneTimeCodesRemovedMail = (frontendUrl: string, { email, name, at }: Recipient): MailContent => ({
  to: email,
  subject: 'Signing in takes no one-time code any more',
  greeting: `Hello ${name},`,
  paragraphs: [
    `On ${instantInWords(at)}, the authenticator app and the recovery codes of your account were removed in a session that was signed in to it.`,
  ],
  action: security(frontendUrl),
  remark: strangerHasSession,
});

export const recoveryCodesRenewedMail = (frontendUrl: string, { email, name, at }: Recipient): MailContent => ({
  to: email,
  subject: 'Your recovery codes were replaced',
  greeting: `Hello ${name},`,
  paragraphs: [
    `On ${instantInWords(at)}, new recovery codes were made in a session that was signed in to your account. Earlier ones are not accepted any more.`,
  ],
  action: security(frontendUrl),
  remark: strangerHasSession,
});

export const recoveryCodeUsedMail = (
  frontendUrl: string,
  { email, name, at, left }: Recipient & { readonly left: number },
): MailContent => ({
  to: email,
  subject: 'A recovery code of your account was used',
  greeting: `Hello ${name},`,
  paragraphs: [`On ${instantInWords(at)}, a recovery code was used in place of a one-time code. ${leftInWords(left)}`],
  action: security(frontendUrl),
  remark: passwordIsKnown,
});

const leftInWords = (left: number): string => {
  if (left === 0) return 'None is left: make new ones.';
  return left === 1 ? 'One is left.' : `${left} are left.`;
};
