/** Query mcpToolAuditsCsv: the record of tool calls as a file for other programs. */

import { csvOf } from '../../kernel/csv.ts';
import type { PageRequest } from '../../kernel/paging.ts';
import { bulkMillis, withNewDeadline } from '../../platform/database/deadlines.ts';
import { type ListDeps, listToolAudits, type ToolAuditFilter } from './list-tool-audits.ts';
import type { ToolAuditRow } from './tool-audits-store.ts';

export interface ToolAuditsCsv {
  readonly csv: string;
  /** Without the heading. */
  readonly rows: number;
  /** Whether more calls match than a file has. */
  readonly isCut: boolean;
}

const maxRows = 10_000;
const rowsOfPage = 100;

const columns = {
  createdAt: ({ createdAt }: ToolAuditRow) => createdAt.toISOString(),
  actorUserId: ({ actorUserId }: ToolAuditRow) => actorUserId,
  actorEmail: ({ actorEmail }: ToolAuditRow) => actorEmail,
  clientId: ({ clientId }: ToolAuditRow) => clientId,
  clientName: ({ clientName }: ToolAuditRow) => clientName,
  tool: ({ tool }: ToolAuditRow) => tool,
  outcome: ({ outcome }: ToolAuditRow) => outcome,
  correlationId: ({ correlationId }: ToolAuditRow) => correlationId,
  argumentDigest: ({ argumentDigest }: ToolAuditRow) => argumentDigest,
  credentialId: ({ credentialId }: ToolAuditRow) => credentialId,
} satisfies Record<string, (row: ToolAuditRow) => string | null>;

/**
 * The newest calls of a filter, at most 10,000, with a heading. The caller's guard has already required a super admin
 * with mcp:audit:view.
 * @throws Refusal BAD_USER_INPUT: names the field of the filter
 */
export const exportToolAudits = (deps: ListDeps, filter: ToolAuditFilter): Promise<ToolAuditsCsv> =>
  withNewDeadline(() => readAll(deps, filter), bulkMillis);

const readAll = async (deps: ListDeps, filter: ToolAuditFilter): Promise<ToolAuditsCsv> => {
  const found: ToolAuditRow[] = [];
  let request: PageRequest | null = { first: rowsOfPage };
  while (request !== null && found.length < maxRows) {
    const { nodes, pageInfo } = await listToolAudits(deps, request, filter);
    found.push(...nodes);
    request = pageInfo.hasNextPage ? { first: rowsOfPage, after: pageInfo.endCursor } : null;
  }
  const cells = found.map((row) => Object.values(columns).map((read) => read(row)));
  return { csv: csvOf([Object.keys(columns), ...cells]), rows: found.length, isCut: request !== null };
};
