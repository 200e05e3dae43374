/** SQL of the table `mcp_tool_audits`: rows are added by one function of the database, and read. */
import { statement } from '../../platform/database/statement.ts';

export const toolOutcomes = ['success', 'deny', 'error'] as const;
export type ToolOutcome = (typeof toolOutcomes)[number];

/** Adds calls to the chain in this order; one whose correlation id is there already is left out. */
export const appendToolAudits = statement<
  unknown,
  [
    ids: readonly string[],
    actorUserIds: readonly string[],
    credentialIds: readonly string[],
    clientIds: readonly string[],
    tools: readonly string[],
    outcomes: readonly ToolOutcome[],
    correlationIds: readonly string[],
    argumentDigests: readonly string[],
  ]
>('audit.append', 'SELECT append_mcp_tool_audits($1, $2, $3, $4, $5, $6, $7, $8)');

/** A row of the chain, each column as the text that its hash covers. */
export interface ChainRow {
  readonly position: number;
  readonly id: string;
  readonly actorUserId: string;
  readonly credentialId: string;
  readonly clientId: string;
  readonly tool: string;
  readonly outcome: string;
  readonly correlationId: string;
  readonly argumentDigest: string;
  /** Microseconds since 1970. */
  readonly createdAtMicros: string;
  readonly previousHash: Buffer;
  readonly hash: Buffer;
}

export const listChain = statement<ChainRow, [afterPosition: number, limit: number]>(
  'audit.list_chain',
  `SELECT position, id, actor_user_id AS "actorUserId", credential_id AS "credentialId", client_id AS "clientId", tool,
     outcome, correlation_id AS "correlationId", argument_digest AS "argumentDigest",
     (extract(epoch FROM created_at) * 1000000)::bigint::text AS "createdAtMicros", previous_hash AS "previousHash", hash
   FROM mcp_tool_audits WHERE position > $1 ORDER BY position LIMIT $2`,
);
