/** /organization/audit: the audit log of the active organization, and what the page shows without the scope. */
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { MissingScope } from '../../../access/missing-scope.tsx';
import { NoOrganization } from '../../../components/no-organization.tsx';
import { PageHead } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { ExportOrganizationAuditDocument } from '../../../generated/graphql.ts';
import { CsvExport } from '../../../lists/csv-export.tsx';
import { ListFrame } from '../../../lists/list-frame.tsx';
import { usePagedList } from '../../../lists/paged-list.ts';
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
      <PageHead title={t('title', { name: organization.name })} lead={t('lead')} />
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
  return (
    <Section title={t('title')}>
      <div className="space-y-3 px-5 py-5 sm:px-6">
        <p className="wrap-anywhere">{t('text', { name })}</p>
        <MissingScope scope="AUDIT_VIEW" why={t('why')} />
      </div>
    </Section>
  );
};

const AuditList = ({ organizationId }: { readonly organizationId: string }) => {
  const t = useTranslations('organizationAudit');
  const { view, isFiltered, clear } = useAuditView();
  const list = usePagedList(auditQuery(useSession(), organizationId, view), 'id');
  return (
    <ListFrame
      title={t('list')}
      lead={t('listLead')}
      list={list}
      filters={<AuditFilters entries={list.rows} />}
      result={list.rows.length > 0 && <AuditExport />}
      total={(total, isCapped) => t(isCapped ? 'moreThan' : 'total', { total })}
      shown={(counts, isCapped) => t(isCapped ? 'shownOfMoreThan' : 'shownOf', counts)}
      none={t(isFiltered ? 'noMatches' : 'none')}
      onClear={isFiltered ? clear : undefined}
    >
      {(entries, isBusy) => <AuditTable entries={entries} busy={isBusy} />}
    </ListFrame>
  );
};

const AuditExport = () => {
  const t = useTranslations('organizationAudit');
  const session = useSession();
  const { view } = useAuditView();
  return (
    <CsvExport
      name="audit"
      label={t('export')}
      exported={({ rows, isCut }) => t(isCut ? 'exportCut' : 'exported', { rows })}
      fetchFile={async () =>
        (await session.request(ExportOrganizationAuditDocument, { filter: toAuditFilter(view) })).organizationAuditCsv
      }
    />
  );
};
