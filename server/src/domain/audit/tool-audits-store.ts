/** SQL of the table `mcp_tool_audits`: rows are appended by one database function, and read. */
import { statement } from '../../platform/database/database.ts';
import { type FilteredList, microsOf, newestInChain } from '../../platform/database/filtered-list.ts';
import type { LinkedRow } from './verify-chain.ts';

export const toolOutcomes = ['success', 'deny', 'error'] as const;
export type ToolOutcome = (typeof toolOutcomes)[number];

export interface ToolAuditEntry {
  readonly actorUserId: string;
  readonly credentialId: string;
  readonly clientId: string;
  /** As `recordedToolName` returns it; anything else is recorded as unreadable. */
  readonly tool: string;
  readonly outcome: ToolOutcome;
  /** Unique to this call: a second row with the same id is never written. */
  readonly correlationId: string;
  /** The result of `argumentDigest`. */
  readonly argumentDigest: string;
}

export interface RecordedCall {
  readonly correlationId: string;
  readonly position: number;
  readonly hash: Buffer;
}

/** Appends calls in this order; for a correlation id that exists already, returns the existing row. */
export const appendToolAudits = statement<
  RecordedCall,
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
>(
  'audit.append',
  `SELECT correlation AS "correlationId", place AS position, link AS hash
   FROM record_mcp_tool_calls($1, $2, $3, $4, $5, $6, $7, $8)`,
);

export const listChain = statement<LinkedRow, [afterPosition: number, limit: number]>(
  'audit.list_chain',
  `SELECT position, id, ARRAY[position::text, id::text, actor_user_id::text, credential_id::text, client_id::text, tool,
       outcome, correlation_id::text, argument_digest, ${microsOf('created_at')}] AS columns,
     previous_hash AS "previousHash", hash
   FROM mcp_tool_audits WHERE position > $1 ORDER BY position LIMIT $2`,
);

/** A recorded call as it is shown. */
export interface ToolAuditRow extends ToolAuditEntry {
  readonly position: number;
  readonly id: string;
  readonly actorEmail: string;
  /** Null when the client has been deleted. */
  readonly clientName: string | null;
  readonly createdAt: Date;
}

/** Filter of calls; null matches any. */
export interface ToolAuditCriteria {
  readonly tool: string | null;
  readonly outcome: ToolOutcome | null;
  readonly actor: string | null;
  readonly client: string | null;
  readonly correlation: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
}

/** Calls, newest first. */
export const toolAudits: FilteredList<ToolAuditRow, ToolAuditCriteria> = {
  name: (verb) => `audit.${verb}`,
  source: `FROM mcp_tool_audits a
   LEFT JOIN users u ON u.id = a.actor_user_id
   LEFT JOIN oauth_clients k ON k.id = a.client_id
   WHERE true`,
  conditions: [
    ['tool', (name) => `a.tool = ${name}`],
    ['outcome', (outcome) => `a.outcome = ${outcome}`],
    ['actor', (id) => `a.actor_user_id = ${id}`],
    ['client', (id) => `a.client_id = ${id}`],
    ['correlation', (id) => `a.correlation_id = ${id}`],
    ['from', (instant) => `a.created_at >= ${instant}`],
    ['to', (instant) => `a.created_at < ${instant}`],
  ],
  order: newestInChain('a.position'),
  select: (page) =>
    `SELECT a.position, a.id, a.actor_user_id AS "actorUserId", coalesce(u.email, '') AS "actorEmail",
     a.credential_id AS "credentialId", a.client_id AS "clientId", k.name AS "clientName", a.tool, a.outcome,
     a.correlation_id AS "correlationId", a.argument_digest AS "argumentDigest", a.created_at AS "createdAt" ${page}`,
};

/** Whether what a filter names exists, or did when a call was recorded; null counts as existing. */
export const findAuditTargets = statement<
  { readonly hasTool: boolean; readonly hasActor: boolean; readonly hasClient: boolean; readonly hasCall: boolean },
  [tool: string | null, actorUserId: string | null, clientId: string | null, correlationId: string | null]
>(
  'audit.find_targets',
  `SELECT $1::text IS NULL OR EXISTS (SELECT 1 FROM mcp_tool_audits WHERE tool = $1) AS "hasTool",
     $2::uuid IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = $2)
       OR EXISTS (SELECT 1 FROM mcp_tool_audits WHERE actor_user_id = $2) AS "hasActor",
     $3::uuid IS NULL OR EXISTS (SELECT 1 FROM oauth_clients WHERE id = $3)
       OR EXISTS (SELECT 1 FROM mcp_tool_audits WHERE client_id = $3) AS "hasClient",
     $4::uuid IS NULL OR EXISTS (SELECT 1 FROM mcp_tool_audits WHERE correlation_id = $4) AS "hasCall"`,
);

export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The requested span of time; by default it ends now and lasts a week. */
export const resolveSpan = statement<Span, [from: Date | null, to: Date | null]>(
  'audit.resolve_span',
  `SELECT coalesce($1::timestamptz, ends_at - interval '7 days') AS "from", ends_at AS "to"
   FROM (SELECT coalesce($2::timestamptz, date_trunc('milliseconds', now()) + interval '1 millisecond') AS ends_at) AS span`,
);

/** Calls of one interval, by outcome. */
export interface OutcomeBucketRow {
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly success: number;
  readonly deny: number;
  readonly error: number;
}

/** Every interval of a span, including those without a call; the last one ends with the span. */
export const countOutcomes = statement<OutcomeBucketRow, [from: Date, to: Date, secondsEach: number]>(
  'audit.count_outcomes',
  `SELECT begins AS "startsAt", ends AS "endsAt", calls.*
   FROM generate_series($1::timestamptz, $2::timestamptz - interval '1 microsecond', $3::integer * interval '1 second')
     AS begins
   CROSS JOIN LATERAL (SELECT least(begins + $3::integer * interval '1 second', $2::timestamptz) AS ends) AS piece
   CROSS JOIN LATERAL (
     SELECT count(*) FILTER (WHERE a.outcome = 'success')::integer AS success,
       count(*) FILTER (WHERE a.outcome = 'deny')::integer AS deny,
       count(*) FILTER (WHERE a.outcome = 'error')::integer AS error
     FROM mcp_tool_audits a WHERE a.created_at >= begins AND a.created_at < ends) AS calls
   ORDER BY begins`,
);
