/** The names of a session in messages: whose it is, on what device, since when, and how it began. */
import { useTranslations } from 'use-intl';
import { formatDate } from '../../dates.ts';
import { useDeviceLabel } from '../account/device-row.tsx';
import { knownAudiences } from './governance-filter.ts';
import type { ActiveSession } from './governance-query.ts';

interface SessionNames {
  readonly email: string;
  readonly device: string;
  readonly date: string;
}

/** What the questions and buttons about a session name. */
export const useSessionNames = (): ((session: ActiveSession) => Readonly<Record<keyof SessionNames, string>>) => {
  const labelOf = useDeviceLabel();
  return (session) => ({
    email: session.userEmail,
    device: labelOf(session),
    date: formatDate(session.issuedAt, { dateStyle: 'medium', timeStyle: 'short' }),
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
