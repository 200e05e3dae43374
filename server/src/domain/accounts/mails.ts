/**
 * The mails about a person's own account. Read them as their reader would: a person who may not have asked for them. The
 * verification mail holds nothing that the sign-up typed but the address and, in its link, the path of the portal to go on
 * to: it may be a stranger's sign-up.
 */
import { instantInWords, type MailContent } from '../../platform/mail/message.ts';
import type { RegisteredRecipient, VerificationRecipient } from '../users/users-store.ts';

/**
 * The link that verifies an address (specification, "Browser links").
 * @param token raw: it lives in the mail only
 */
const verificationLink = (frontendUrl: string, token: string, redirect: string | null): string =>
  `${frontendUrl}/verify/${token}${redirect === null ? '' : `?redirect=${encodeURIComponent(redirect)}`}`;

/** @param token raw: both links carry it, and it lives in the mail only */
export const verificationMail = (
  frontendUrl: string,
  { email, redirect, signedUpAt }: VerificationRecipient,
  token: string,
): MailContent => ({
  to: email,
  subject: 'Confirm your e-mail address',
  greeting: 'Hello,',
  paragraphs: [
    `On ${instantInWords(signedUpAt)}, an account was asked for with this address. If that was you, confirm that the address is yours, and you can sign in.`,
  ],
  action: { label: 'Confirm my address', url: verificationLink(frontendUrl, token, redirect) },
  secondAction: { label: 'I did not ask for this', url: `${frontendUrl}/verify/${token}/reject` },
  remark:
    'The first link works once, for 24 hours. The second one deletes the account that was asked for. If you do neither, the account cannot be used, and it is deleted a week after the link has expired.',
});

export const alreadyRegisteredMail = (
  frontendUrl: string,
  { email, name, triedAt }: RegisteredRecipient,
): MailContent => ({
  to: email,
  subject: 'You already have an account',
  greeting: `Hello ${name},`,
  paragraphs: [
    `On ${instantInWords(triedAt)}, a sign-up with this address was tried, probably by you. The address already has an account, and nothing about it has changed.`,
  ],
  action: { label: 'Sign in', url: `${frontendUrl}/signin` },
  remark: 'If it was not you, there is nothing to do: the answer to the sign-up did not say that you have an account.',
});
