/** Mails about the suspension of an account. They do not contain its reason. */
import type { Mail } from '../../platform/mail/mails.ts';

interface Recipient {
  readonly email: string;
  readonly name: string;
  readonly at: Date;
}

export const suspendedMail = ({ email, name, at }: Recipient): Mail => ({
  mail: 'suspended',
  to: email,
  values: { name, at },
  links: [],
});

export const reinstatedMail = (frontendUrl: string, { email, name, at }: Recipient): Mail => ({
  mail: 'reinstated',
  to: email,
  values: { name, at },
  links: [`${frontendUrl}/signin`],
});
