/** Queries organizationAudit and organizationAuditCsv: the audit of one organization, in pages and as a file. */
import { requireValidInput } from '../../kernel/errors.ts';
import { idReason, normalizeId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import { type CsvFile, csvOfPages, rangeReason, storableToolName } from './audit-lists.ts';
import {
  type OrganizationAuditEvent,
  type OrganizationAuditOutcome,
  type OrganizationAuditRow,
  organizationAudits,
} from './organization-audits-store.ts';

interface Deps {
  readonly database: Queryable;
}

/** Search criteria; null matches anything. */
interface OrganizationAuditFilter {
  readonly actorId?: string | null | undefined;
  readonly correlationId?: string | null | undefined;
  readonly event?: OrganizationAuditEvent | null | undefined;
  /** Inclusive. */
  readonly from?: Date | null | undefined;
  readonly outcome?: OrganizationAuditOutcome | null | undefined;
  readonly subjectId?: string | null | undefined;
  /** Exclusive. */
  readonly to?: Date | null | undefined;
  readonly tool?: string | null | undefined;
}

/**
 * Rows of an organization, newest first; the guard has required AUDIT_VIEW. Ids of another organization find nothing.
 * @throws Refusal BAD_USER_INPUT: names `first`, `after`, `from` or a malformed id
 */
export const listOrganizationAudits = (
  { database }: Deps,
  organizationId: string,
  request: PageRequest,
  { event = null, outcome = null, from = null, to = null, tool = null, ...ids }: OrganizationAuditFilter,
): Promise<Page<OrganizationAuditRow>> => {
  const actor = normalizeId(ids.actorId);
  const subject = normalizeId(ids.subjectId);
  const correlation = normalizeId(ids.correlationId);
  requireValidInput({
    actorId: idReason(actor),
    subjectId: idReason(subject),
    correlationId: idReason(correlation),
    from: rangeReason(from, to),
  });
  const criteria = {
    org: organizationId,
    event,
    outcome,
    actor,
    subject,
    call: correlation,
    from,
    to,
    tool: storableToolName(tool),
  };
  return filteredPage(database, organizationAudits, request, criteria);
};

const columns = [
  'position',
  'createdAt',
  'event',
  'outcome',
  'actorKind',
  'actorId',
  'actorEmail',
  'credentialId',
  'subjectId',
  'clientId',
  'tool',
  'correlationId',
  'details',
] as const;

/** The newest rows of a filter, at most 10,000, with a heading; as {@link listOrganizationAudits}. */
export const exportOrganizationAudits = (
  deps: Deps,
  organizationId: string,
  filter: OrganizationAuditFilter,
): Promise<CsvFile> => csvOfPages(columns, (request) => listOrganizationAudits(deps, organizationId, request, filter));
