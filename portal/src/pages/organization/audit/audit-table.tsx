/** The entries of the audit log: a table on a wide screen, a block for each entry on a narrow one. */
import { useTranslations } from 'use-intl';
import { Badge } from '../../../components/badge.tsx';
import { CopyButton } from '../../../components/copy-button.tsx';
import { formatDate, Instant } from '../../../components/dates.tsx';
import type { OrganizationAuditOutcome } from '../../../generated/graphql.ts';
import { DataTable } from '../../../lists/data-table.tsx';
import { type AuditEntry, namesOfSubjects, useAuditView } from './audit.ts';
import { useActorName } from './audit-words.ts';

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
  readonly busy: boolean;
}

export const AuditTable = ({ entries, busy }: AuditTableProps) => {
  const t = useTranslations('organizationAudit');
  const names = namesOfSubjects(entries);
  return (
    <DataTable
      label={t('list')}
      busy={busy}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          key: 'when',
          heading: t('columns.when'),
          width: 'sm:w-[17%]',
          cell: ({ createdAt }) => (
            <span className="text-sm text-soft tabular-nums">
              <Instant at={createdAt}>{formatDate(createdAt, { dateStyle: 'medium', timeStyle: 'medium' })}</Instant>
            </span>
          ),
        },
        { key: 'what', heading: t('columns.what'), width: 'sm:w-[21%]', cell: (entry) => <What entry={entry} /> },
        {
          key: 'who',
          heading: t('columns.who'),
          width: 'sm:w-[26%]',
          cell: (entry) => <Who entry={entry} names={names} />,
        },
        {
          key: 'about',
          heading: t('columns.about'),
          width: 'sm:w-[18%]',
          cell: ({ subjectId }) => (
            <About subjectId={subjectId} name={subjectId === null ? undefined : names.get(subjectId)} />
          ),
        },
        {
          key: 'correlation',
          heading: t('columns.correlation'),
          cell: ({ correlationId: id }) => (
            <>
              <Id id={id} /> <CopyButton isSmall text={id} label={t('copyCorrelation', { id })} />
            </>
          ),
        },
      ]}
    />
  );
};

interface EntryProps {
  readonly entry: AuditEntry;
}

const Id = ({ id }: { readonly id: string }) => (
  <code dir="ltr" className="font-mono text-xs wrap-anywhere select-all">
    {id}
  </code>
);

const outcomeVariants = {
  success: 'accent',
  started: 'plain',
  deny: 'caution',
  error: 'caution',
} as const satisfies Readonly<Record<OrganizationAuditOutcome, string>>;

const What = ({ entry: { event, outcome, tool, details, position } }: EntryProps) => {
  const t = useTranslations('organizationAudit');
  return (
    <>
      <span className="block font-medium">{t(`events.${event}`)}</span>
      {tool !== null && (
        <span className="flex flex-wrap items-center gap-2 text-sm text-soft">
          {t('tool', { tool })}
          {isDryRun(details) && <Badge variant="plain">{t('dryRun')}</Badge>}
          <Badge variant={outcomeVariants[outcome]}>{t(`outcomes.${outcome}`)}</Badge>
        </span>
      )}
      {details === null && <span className="block text-sm text-soft">{t('erased')}</span>}
      {details !== null && details !== '{}' && (
        <details>
          <summary aria-label={t('detailsOf', { position })} className="w-fit rounded text-sm text-soft hover:text-ink">
            {t('details')}
          </summary>
          <code
            dir="ltr"
            className="mt-1 block text-start font-mono text-xs wrap-anywhere whitespace-pre-wrap select-all"
          >
            {indented(details)}
          </code>
        </details>
      )}
    </>
  );
};

/** Null for a text that is no JSON. */
const parsed = (details: string): unknown => {
  try {
    return JSON.parse(details);
  } catch {
    return null;
  }
};

/** Whether the call of a tool was a dry run, which changes nothing. */
const isDryRun = (details: string | null): boolean => {
  const value = details === null ? null : parsed(details);
  return typeof value === 'object' && value !== null && 'dryRun' in value && value.dryRun === true;
};

/** JSON text on several lines; any other text as it stands. */
const indented = (details: string): string => {
  const value = parsed(details);
  return value === null ? details : JSON.stringify(value, null, 2);
};

interface WhoProps extends EntryProps {
  readonly names: ReadonlyMap<string, string>;
}

/** The person or machine, which shows only its own entries when it is pressed. */
const Who = ({ entry, names }: WhoProps) => {
  const t = useTranslations('organizationAudit');
  const name = useActorName()(entry);
  const { view, change } = useAuditView();
  const { actorId, actorKind } = entry;
  // An account has its name from the entries about it.
  const accountName = actorKind === 'SERVICE_ACCOUNT' && actorId !== null ? names.get(actorId) : undefined;
  if (actorId === null || actorId === view.actor) return <span className="text-sm">{name}</span>;
  return (
    <span className="text-sm">
      <button
        type="button"
        aria-label={t('onlyActor', { name })}
        className="text-link text-start wrap-anywhere"
        onClick={() => change({ actor: actorId })}
      >
        {name}
      </button>
      {accountName !== undefined && (
        <span className="block text-soft">
          <bdi>{accountName}</bdi>
        </span>
      )}
      {actorKind === 'PERSONAL_TOKEN' && <span className="block text-soft">{t('withPersonalToken')}</span>}
    </span>
  );
};

interface AboutProps {
  readonly subjectId: string | null;
  readonly name: string | undefined;
}

/**
 * The subject by name, where an entry says it, and by its id, which shows only what was done to it when it is pressed.
 */
const About = ({ subjectId, name }: AboutProps) => {
  const t = useTranslations('organizationAudit');
  const { view, change } = useAuditView();
  if (subjectId === null) return <span className="text-sm text-soft">{t('organization')}</span>;
  return (
    <>
      {name !== undefined && (
        <span className="block text-sm">
          <bdi>{name}</bdi>
        </span>
      )}
      {subjectId === view.subject ? (
        <Id id={subjectId} />
      ) : (
        <button
          type="button"
          aria-label={t('onlySubject', { id: subjectId })}
          className="text-link text-start"
          onClick={() => change({ subject: subjectId })}
        >
          <Id id={subjectId} />
        </button>
      )}
    </>
  );
};
