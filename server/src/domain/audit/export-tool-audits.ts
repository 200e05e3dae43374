/** Query mcpToolAuditsCsv: the record of tool calls as a file for other programs. */
import { type CsvFile, csvOfPages } from './csv-of-pages.ts';
import { type ListDeps, listToolAudits, type ToolAuditFilter } from './list-tool-audits.ts';
import type { ToolAuditRow } from './tool-audits-store.ts';

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
export const exportToolAudits = (deps: ListDeps, filter: ToolAuditFilter): Promise<CsvFile> =>
  csvOfPages(columns, (request) => listToolAudits(deps, request, filter));
