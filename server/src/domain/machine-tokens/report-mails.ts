/**
 * The mails about a token that was reported as leaked. They repeat nothing of the report, which every client can send.
 */
import type { Mail } from '../../platform/mail/mails.ts';
import type { Recipient } from './tell-members.ts';

interface EndedToken {
  readonly frontendUrl: string;
  readonly at: Date;
}

export const personalTokenReportedMail = (
  { email, name }: Recipient,
  { token, organization, frontendUrl, at }: EndedToken & { readonly token: string; readonly organization: string },
): Mail => ({
  mail: 'personalTokenReported',
  to: email,
  values: { name, token, organization, at },
  links: [`${frontendUrl}/account/tokens`],
});

export const serviceTokenReportedMail = (
  { email, name }: Recipient,
  {
    serviceAccount,
    organization,
    frontendUrl,
    at,
  }: EndedToken & { readonly serviceAccount: string; readonly organization: string },
): Mail => ({
  mail: 'serviceTokenReported',
  to: email,
  values: { name, serviceAccount, organization, at },
  links: [`${frontendUrl}/organization/tokens`],
});

export const sessionReportedMail = ({ email, name }: Recipient, { frontendUrl, at }: EndedToken): Mail => ({
  mail: 'sessionReported',
  to: email,
  values: { name, at },
  links: [`${frontendUrl}/account`],
});
