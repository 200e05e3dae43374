/** Filters of the audit log: time range, event, and chips for who acted, what it was about and one request. */
import { useTranslations } from 'use-intl';
import { FilterBar, FilterChips, FilterMenu } from '../../../lists/filters.tsx';
import { oneOf } from '../../../lists/list-view.ts';
import { TimeField } from '../../../lists/time-field.tsx';
import { type AuditEntry, auditEvents, useAuditView } from './audit.ts';
import { useActorName } from './audit-words.ts';

interface AuditFiltersProps {
  /** The visible entries, which give a filtered person or machine a name. */
  readonly entries: readonly AuditEntry[];
}

export const AuditFilters = ({ entries }: AuditFiltersProps) => {
  const t = useTranslations('organizationAudit');
  const any = useTranslations('lists')('any');
  const { view, change } = useAuditView();
  return (
    <FilterBar
      fields={
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <TimeField label={t('from')} instant={view.from} onChange={(from) => change({ from })} />
          <TimeField label={t('to')} instant={view.to} onChange={(to) => change({ to })} />
        </div>
      }
    >
      <FilterMenu
        label={t('event')}
        any={any}
        value={view.event}
        choices={auditEvents.map((value) => ({ value, name: t(`events.${value}`) }))}
        onChoose={(event) => change({ event: oneOf(auditEvents, event) })}
      />
      <AuditChips entries={entries} />
    </FilterBar>
  );
};

const AuditChips = ({ entries }: AuditFiltersProps) => {
  const t = useTranslations('organizationAudit');
  const nameOf = useActorName();
  const { view, change } = useAuditView();
  const by = entries.find(({ actorId }) => actorId === view.actor);
  return (
    <FilterChips
      texts={[
        ['actor', view.actor && (by === undefined ? t('oneActor') : t('onlyActor', { name: nameOf(by) }))],
        ['subject', view.subject && t('onlySubject', { id: view.subject })],
        ['correlation', view.correlation && t('onlyCorrelation', { id: view.correlation })],
      ]}
      label={(filter) => t('remove', { filter })}
      onRemove={(name) => change({ [name]: undefined })}
    />
  );
};
