/** The mails that tell a person of a passkey that was added to their account, or removed from it. */
import type { Mail } from '../../platform/mail/mails.ts';

interface Addressee {
  readonly email: string;
  readonly name: string;
}

interface ChangedPasskey {
  readonly name: string;
  readonly at: Date;
}

const passkeyMail =
  (mail: 'passkeyAdded' | 'passkeyRemoved') =>
  (frontendUrl: string, { email, name }: Addressee, { name: passkey, at }: ChangedPasskey): Mail => ({
    mail,
    to: email,
    values: { name, passkey, at },
    links: [`${frontendUrl}/account/security`],
  });

export const passkeyAddedMail = passkeyMail('passkeyAdded');
export const passkeyRemovedMail = passkeyMail('passkeyRemoved');
