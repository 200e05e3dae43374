/** The mails about a person's own account. Read them as their reader would: someone who may not have asked for them. */
import type { MailContent } from '../../platform/mail/message.ts';
import type { MailRecipient } from '../users/users-store.ts';

/**
 * The link that verifies an address (specification, "Browser links").
 * @param token raw: it lives in the mail only
 */
const verificationLink = (frontendUrl: string, token: string, redirect: string | null): string =>
  `${frontendUrl}/verify/${token}${redirect === null ? '' : `?redirect=${encodeURIComponent(redirect)}`}`;

export const verificationMail = (frontendUrl: string, recipient: MailRecipient, token: string): MailContent => ({
  to: recipient.email,
  subject: 'Confirm your e-mail address',
  greeting: `Hello ${recipient.name},`,
  paragraphs: ['Thank you for signing up. Confirm that this is your address, and you can sign in.'],
  action: { label: 'Confirm my address', url: verificationLink(frontendUrl, token, recipient.redirect) },
  remark: 'The link works once, for 24 hours. If you did not sign up, ignore this mail: nobody can sign in without it.',
});

export const alreadyRegisteredMail = (frontendUrl: string, recipient: MailRecipient): MailContent => ({
  to: recipient.email,
  subject: 'You already have an account',
  greeting: `Hello ${recipient.name},`,
  paragraphs: [
    'Somebody, probably you, tried to sign up with this address. It already has an account, and nothing about it has changed.',
  ],
  action: { label: 'Sign in', url: `${frontendUrl}/signin` },
  remark: 'If it was not you, there is nothing to do: whoever tried it learned nothing and got no access.',
});
