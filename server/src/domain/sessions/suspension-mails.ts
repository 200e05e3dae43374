/** Mails about the suspension of an account. They do not contain its reason. */
import { instantInWords, type MailContent } from '../../platform/mail/message.ts';

interface Recipient {
  readonly email: string;
  readonly name: string;
  readonly at: Date;
}

export const suspendedMail = ({ email, name, at }: Recipient): MailContent => ({
  to: email,
  subject: 'Your account was suspended',
  greeting: `Hello ${name},`,
  paragraphs: [
    `On ${instantInWords(at)}, an administrator of this service suspended your account. Every device and client was signed out, and the account cannot be signed in to until it is reinstated.`,
    'What belongs to the account is kept.',
  ],
  remark: 'If you have a question about it, contact the operator of this service.',
});

export const reinstatedMail = (frontendUrl: string, { email, name, at }: Recipient): MailContent => ({
  to: email,
  subject: 'Your account was reinstated',
  greeting: `Hello ${name},`,
  paragraphs: [`On ${instantInWords(at)}, the suspension of your account ended. You can sign in again.`],
  action: { label: 'Sign in', url: `${frontendUrl}/signin` },
  remark: 'Sessions of before stay ended: sign in again on each device, and connect MCP clients again.',
});
