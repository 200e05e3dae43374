/** /organization/audit: the audit log of the active organization, and what the page shows without the scope. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../components/button.tsx';
import { downloadText } from '../../../components/download.ts';
import { EmptyList, ListFooter, ListSummary, QueryState, Reasons } from '../../../components/list.tsx';
import { NoOrganization } from '../../../components/no-organization.tsx';
import { RefusalNotice } from '../../../components/notice.tsx';
import { PageHeading } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { ExplainMissingScopeDocument, ExportOrganizationAuditDocument } from '../../../generated/graphql.ts';
import { uniqueBy } from '../../../session/paged-query.ts';
import { refreshOnForbidden } from '../../../session/refusal.ts';
import { usePerson, useSession } from '../../../session/session-context.tsx';
import type { Membership } from '../../members/members.ts';
import { auditQuery, toAuditFilter, useAuditView } from './audit.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';

export const AuditPage = (): ReactNode => {
  const { currentMembership } = usePerson();
  if (currentMembership === null) return <NoOrganization />;
  return <OrganizationAudit key={currentMembership.id} membership={currentMembership} />;
};

const OrganizationAudit = ({ membership: { organization, scopes } }: { readonly membership: Membership }) => {
  const t = useTranslations('organizationAudit');
  return (
    <>
      <div className="space-y-2">
        <PageHeading title={t('title', { name: organization.name })} />
        <p className="text-soft">{t('lead')}</p>
      </div>
      {scopes.includes('AUDIT_VIEW') ? (
        <AuditList organizationId={organization.id} />
      ) : (
        <AuditForbidden name={organization.name} />
      )}
    </>
  );
};

const AuditForbidden = ({ name }: { readonly name: string }) => {
  const t = useTranslations('organizationAudit.forbidden');
  const session = useSession();
  const scope = 'AUDIT_VIEW';
  const { data: reasons = [] } = useQuery({
    queryKey: ['scope', scope],
    queryFn: async () => (await session.request(ExplainMissingScopeDocument, { scope })).explainScope.reasons,
  });
  return (
    <Section title={t('title')}>
      <div className="space-y-3 px-5 py-5 sm:px-6">
        <p className="wrap-anywhere">{t('text', { name })}</p>
        {reasons.length > 0 && (
          <div className="space-y-1 text-soft">
            <p>{t('why')}</p>
            <Reasons reasons={reasons} />
          </div>
        )}
      </div>
    </Section>
  );
};

const AuditList = ({ organizationId }: { readonly organizationId: string }) => {
  const t = useTranslations('organizationAudit');
  const { view, isFiltered, clear } = useAuditView();
  const list = useInfiniteQuery(auditQuery(useSession(), organizationId, view));
  const firstField = useRef<HTMLDivElement>(null);
  const pages = list.data?.pages;
  const last = pages?.at(-1);
  const entries = uniqueBy(pages?.flatMap(({ nodes }) => nodes) ?? [], ({ id }) => id);
  const shown = { shown: entries.length, total: last?.totalCount ?? 0 };
  const clearAll = () => {
    clear();
    // The focused button is unmounted.
    firstField.current?.querySelector('input')?.focus();
  };
  return (
    <Section
      title={t('list')}
      lead={t('listLead')}
      footer={
        list.hasNextPage ? (
          <ListFooter text={t(last?.totalCountIsCapped === true ? 'shownOfMoreThan' : 'shownOf', shown)} list={list} />
        ) : undefined
      }
    >
      <AuditFilters entries={entries} field={firstField} />
      <QueryState query={list} />
      {last !== undefined && (
        <>
          {entries.length > 0 && <AuditExport />}
          <ListSummary
            text={t(last.totalCountIsCapped ? 'moreThan' : 'total', { total: last.totalCount })}
            list={list}
          />
          {entries.length === 0 ? (
            <EmptyList
              text={t(isFiltered ? 'noMatches' : 'none')}
              clear={isFiltered ? { onClear: clearAll } : undefined}
            />
          ) : (
            <AuditTable entries={entries} busy={list.isPlaceholderData} />
          )}
        </>
      )}
    </Section>
  );
};

/** The entries that the filters show, as a file. */
const AuditExport = () => {
  const t = useTranslations('organizationAudit');
  const session = useSession();
  const { view } = useAuditView();
  const download = useMutation({
    mutationFn: async () => {
      const filter = toAuditFilter(view);
      const { organizationAuditCsv } = await session.request(ExportOrganizationAuditDocument, { filter });
      downloadText(`audit-${new Date().toISOString().slice(0, 10)}.csv`, 'text/csv', organizationAuditCsv.csv);
      return organizationAuditCsv;
    },
    onError: (error) => refreshOnForbidden(session, error),
  });
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 sm:px-6">
      <Button variant="secondary" busy={download.isPending} onClick={() => download.mutate()}>
        {t('export')}
      </Button>
      <p role="status" className="text-sm text-soft">
        {download.data !== undefined && t(download.data.isCut ? 'exportCut' : 'exported', { rows: download.data.rows })}
      </p>
      {download.isError && <RefusalNotice error={download.error} />}
    </div>
  );
};
