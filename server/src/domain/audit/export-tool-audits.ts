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

/** The newest 10,000 calls of a filter; as {@link listToolAudits}. */
export const exportToolAudits = (deps: ListDeps, filter: ToolAuditFilter): Promise<CsvFile> =>
  csvOfPages(columns, (request) => listToolAudits(deps, request, filter));
