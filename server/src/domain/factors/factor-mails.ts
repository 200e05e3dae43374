/** Mails about one-time codes and recovery codes. The recipient may not have caused the change. */
import type { Mail } from '../../platform/mail/mails.ts';

interface Recipient {
  readonly email: string;
  readonly name: string;
  readonly at: Date;
}

const links = (frontendUrl: string): readonly [string] => [`${frontendUrl}/account/security`];

const codesMail =
  (mail: 'oneTimeCodesAdded' | 'oneTimeCodesReplaced' | 'oneTimeCodesRemoved' | 'recoveryCodesRenewed') =>
  (frontendUrl: string, { email, name, at }: Recipient): Mail => ({
    mail,
    to: email,
    values: { name, at },
    links: links(frontendUrl),
  });

export const oneTimeCodesAddedMail = codesMail('oneTimeCodesAdded');
export const oneTimeCodesReplacedMail = codesMail('oneTimeCodesReplaced');
export const oneTimeCodesRemovedMail = codesMail('oneTimeCodesRemoved');
export const recoveryCodesRenewedMail = codesMail('recoveryCodesRenewed');

/** @param recipient `left`: how many recovery codes are left */
export const recoveryCodeUsedMail = (
  frontendUrl: string,
  { email, name, at, left }: Recipient & { readonly left: number },
): Mail => ({ mail: 'recoveryCodeUsed', to: email, values: { name, at, left }, links: links(frontendUrl) });
