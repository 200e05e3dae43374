/** Filters of the audit log: time range, event, and chips for who acted, what it was about and one request. */
import type { RefObject } from 'react';
import { useTranslations } from 'use-intl';
import { FilterChip, FilterMenu } from '../../../components/filters.tsx';
import { TimeField } from '../../console/time-field.tsx';
import { type AuditEntry, type AuditView, auditEvents, useAuditView } from './audit.ts';
import { useActorName } from './audit-words.ts';

interface AuditFiltersProps {
  /** The visible entries, which give a filtered person or machine a name. */
  readonly entries: readonly AuditEntry[];
  /** Around the first field, which receives the focus when the focused filter is unmounted. */
  readonly field: RefObject<HTMLDivElement | null>;
}

export const AuditFilters = ({ entries, field }: AuditFiltersProps) => {
  const t = useTranslations('organizationAudit');
  const any = useTranslations('lists')('any');
  const { view, change } = useAuditView();
  return (
    <div className="space-y-4 border-b border-line px-5 py-4 sm:px-6">
      <div ref={field} className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <TimeField label={t('from')} instant={view.from} onChange={(from) => change({ from })} />
        <TimeField label={t('to')} instant={view.to} onChange={(to) => change({ to })} />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <FilterMenu
          label={t('event')}
          any={any}
          value={view.event}
          choices={auditEvents.map((value) => ({ value, name: t(`events.${value}`) }))}
          onChoose={(value) => change({ event: auditEvents.find((event) => event === value) })}
        />
        <AuditChips entries={entries} field={field} />
      </div>
    </div>
  );
};

const AuditChips = ({ entries, field }: AuditFiltersProps) => {
  const t = useTranslations('organizationAudit');
  const nameOf = useActorName();
  const { view, change } = useAuditView();
  const by = entries.find(({ actorId }) => actorId === view.actor);
  const chips: readonly (readonly [keyof AuditView, string | undefined])[] = [
    ['actor', view.actor && (by === undefined ? t('oneActor') : t('onlyActor', { name: nameOf(by) }))],
    ['subject', view.subject && t('onlySubject', { id: view.subject })],
    ['correlation', view.correlation && t('onlyCorrelation', { id: view.correlation })],
  ];
  return chips.map(
    ([name, text]) =>
      text !== undefined && (
        <FilterChip
          key={name}
          text={text}
          label={t('remove', { filter: text })}
          onRemove={() => {
            change({ [name]: undefined });
            field.current?.querySelector('input')?.focus();
          }}
        />
      ),
  );
};
