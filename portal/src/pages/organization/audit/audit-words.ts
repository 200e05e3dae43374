/** Words for who acted. */
import { useTranslations } from 'use-intl';
import type { AuditEntry } from './audit.ts';

type Actor = Pick<AuditEntry, 'actorId' | 'actorKind' | 'actorEmail'>;

/** The address of a person, the id of a service account, or why there is neither. */
export const useActorName = (): ((entry: Actor) => string) => {
  const t = useTranslations('organizationAudit');
  return ({ actorId, actorKind, actorEmail }) => {
    if (actorId === null) return t('withoutSignIn');
    if (actorKind === 'SERVICE_ACCOUNT') return t('serviceAccount', { id: actorId });
    return actorEmail ?? t('gone');
  };
};
