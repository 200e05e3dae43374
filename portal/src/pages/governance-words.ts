/** A credential in words: whose it is, on what, for what, and how its session began. */
import { useFormatter, useTranslations } from 'use-intl';
import { useDeviceLabel } from './device-row.tsx';
import { knownAudiences } from './governance-filter.ts';
import type { ActiveSession } from './governance-query.ts';

interface CredentialWords {
  readonly email: string;
  readonly token: string;
  readonly device: string;
  readonly date: string;
}

/** What the questions and buttons about a credential name. */
export const useCredentialWords = (): ((
  credential: ActiveSession,
) => Readonly<Record<keyof CredentialWords, string>>) => {
  const t = useTranslations('governance.kindBadges');
  const format = useFormatter();
  const labelOf = useDeviceLabel();
  return (credential) => ({
    email: credential.userEmail,
    token: t(credential.kind),
    device: labelOf(credential),
    date: format.dateTime(new Date(credential.issuedAt), { dateStyle: 'medium', timeStyle: 'short' }),
  });
};

/** An audience that is not known stands for itself. */
export const useAudienceName = (): ((audience: string) => string) => {
  const t = useTranslations('governance.audiences');
  return (audience) => {
    const known = knownAudiences.find((name) => name === audience);
    return known === undefined ? audience : t(known);
  };
};

const knownMethods = ['password', 'invitation', 'google', 'mcp_oauth'] as const;

export const useMethodName = (): ((method: string) => string) => {
  const t = useTranslations('governance.methods');
  return (method) => {
    const known = knownMethods.find((name) => name === method);
    return known === undefined ? t('other', { method }) : t(known);
  };
};
