/** SQL of the table `organization_audits`: database functions append to it, erase details and delete ended chains. */
import { statement } from '../../platform/database/database.ts';
import { type FilteredList, microsOf, newestInChain } from '../../platform/database/filtered-list.ts';
import { addressForOrganization } from '../users/users-store.ts';
import type { LinkedRow } from './verify-chain.ts';

/** The recorded actions of an organization; those of MCP are recorded by its own surface. */
export const organizationAuditEvents = [
  'MCP_CLIENT_CONNECTED',
  'MCP_CLIENT_ENDED',
  'MCP_CLIENT_REFUSED',
  'MCP_POLICY_CHANGED',
  'MCP_TOOL_CALLED',
  'ORGANIZATION_DELETED',
  'ORGANIZATION_RESTORED',
  'SECOND_FACTOR_POLICY_CHANGED',
  'SERVICE_ACCOUNT_CREATED',
  'SERVICE_ACCOUNT_DELETED',
  'SERVICE_ACCOUNT_UPDATED',
  'TOKEN_CREATED',
  'TOKEN_DECIDED',
  'TOKEN_POLICY_CHANGED',
  'TOKEN_REPORTED',
  'TOKEN_REVOKED',
  'TOKEN_ROTATED',
  'TOKEN_USED_FROM_NEW_NETWORK',
] as const;
export type OrganizationAuditEvent = (typeof organizationAuditEvents)[number];

export const organizationAuditOutcomes = ['deny', 'error', 'started', 'success'] as const;
export type OrganizationAuditOutcome = (typeof organizationAuditOutcomes)[number];

export type AuditedActorKind = 'PERSON' | 'PERSONAL_TOKEN' | 'SERVICE_ACCOUNT';

type Appended = readonly [
  ids: readonly string[],
  organizationIds: readonly string[],
  events: readonly OrganizationAuditEvent[],
  outcomes: readonly OrganizationAuditOutcome[],
  actorKinds: readonly (AuditedActorKind | null)[],
  actorIds: readonly (string | null)[],
  credentialIds: readonly (string | null)[],
  clientIds: readonly (string | null)[],
  tools: readonly (string | null)[],
  subjectIds: readonly (string | null)[],
  subjectUserIds: readonly (string | null)[],
  correlationIds: readonly string[],
  details: readonly string[],
];

const append = 'append_organization_audits($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)';

/** Appends rows in this order; takes the locks of their chains until the transaction ends. */
export const appendAudits = statement<unknown, Appended>('organization_audits.append', `SELECT ${append}`);

/**
 * The same without waiting: appends nothing when another transaction holds one of the chains, and returns the
 * organizations of those that are held. The names of the locks are those of the function (migration 0010).
 */
export const appendFreeAudits = statement<{ readonly held: readonly string[] }, Appended>(
  'organization_audits.append_free',
  `WITH chains AS MATERIALIZED (
     SELECT o.id, pg_try_advisory_xact_lock(hashtextextended('the audit of organization ' || o.id, 0)) AS is_free
     FROM (SELECT DISTINCT unnest($2::uuid[]) AS id) AS o),
   appended AS MATERIALIZED (SELECT ${append} WHERE NOT EXISTS (SELECT FROM chains WHERE NOT is_free))
   SELECT ARRAY (SELECT id::text FROM chains WHERE NOT is_free) AS held, (SELECT count(*) FROM appended) AS calls`,
);

/** Which of these rows exist. */
export const listAppended = statement<{ readonly id: string }, [ids: readonly string[]]>(
  'organization_audits.list_appended',
  'SELECT id FROM organization_audits WHERE id = ANY ($1::uuid[])',
);

/**
 * Erases the details of what a person did and of what was done to their tokens, which the database refuses while they
 * have an account. Locks the chains of these organizations and of those with such rows.
 */
export const eraseAuditDetails = statement<unknown, [userId: string, organizationIds: readonly string[]]>(
  'organization_audits.erase_details',
  'SELECT erase_organization_audits($1, $2)',
);

/** Deletes the chains of organizations that are gone for 90 days, at most so many rows. */
export const purgeAudits = statement<{ readonly deleted: number }, [most: number]>(
  'organization_audits.purge',
  'SELECT purge_organization_audits($1) AS deleted',
);

/** A row of a chain, with the details that the digest covers. */
export interface OrganizationChainRow extends LinkedRow {
  readonly organizationId: string;
  readonly details: string | null;
  readonly detailsSalt: string | null;
  readonly detailsDigest: string;
  /** Whether all people of the row have an account, so that its details must still be there. */
  readonly keepsDetails: boolean;
}

/** Whether a person of a row has an account, or the column names none. */
const isThere = (column: string): string =>
  `(${column} IS NULL OR EXISTS (SELECT FROM users u WHERE u.id = ${column}))`;

export const listChains = statement<
  OrganizationChainRow,
  [afterOrganizationId: string, afterPosition: number, limit: number]
>(
  'organization_audits.list_chains',
  `SELECT organization_id AS "organizationId", position, id, ARRAY[organization_id::text, position::text, id::text, event,
       outcome, actor_kind, actor_id::text, credential_id::text, client_id::text, tool, subject_id::text,
       subject_user_id::text, correlation_id::text, ${microsOf('created_at')}, details_digest] AS columns,
     details, details_salt AS "detailsSalt", details_digest AS "detailsDigest", previous_hash AS "previousHash", hash,
     (actor_kind IS NOT DISTINCT FROM 'SERVICE_ACCOUNT' OR ${isThere('actor_id')}) AND ${isThere('subject_user_id')}
       AS "keepsDetails"
   FROM organization_audits WHERE (organization_id, position) > ($1, $2) ORDER BY organization_id, position LIMIT $3`,
);

/** A row as it is shown. */
export interface OrganizationAuditRow {
  readonly position: number;
  readonly id: string;
  readonly event: OrganizationAuditEvent;
  readonly outcome: OrganizationAuditOutcome;
  readonly actorKind: AuditedActorKind | null;
  readonly actorId: string | null;
  /** Null for a service account, once the person is gone, and once they left and have another address. */
  readonly actorEmail: string | null;
  readonly credentialId: string | null;
  readonly clientId: string | null;
  readonly tool: string | null;
  readonly subjectId: string | null;
  readonly correlationId: string;
  readonly createdAt: Date;
  /** JSON text; null once erased. */
  readonly details: string | null;
}

/** Filter of rows; null matches any. Short names: that of a statement, of at most 63 bytes, lists them all. */
interface OrganizationAuditCriteria {
  readonly org: string;
  readonly event: OrganizationAuditEvent | null;
  readonly outcome: OrganizationAuditOutcome | null;
  readonly actor: string | null;
  readonly subject: string | null;
  /** A correlation id. */
  readonly call: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
  readonly tool: string | null;
}

/** Rows of one organization, newest first. */
export const organizationAudits: FilteredList<OrganizationAuditRow, OrganizationAuditCriteria> = {
  name: (verb) => `audits.${verb}`,
  source: `FROM organization_audits a
   LEFT JOIN users u ON u.id = a.actor_id AND a.actor_kind <> 'SERVICE_ACCOUNT'
   WHERE true`,
  conditions: [
    ['org', (id) => `a.organization_id = ${id}`],
    ['event', (event) => `a.event = ${event}`],
    ['outcome', (outcome) => `a.outcome = ${outcome}`],
    ['actor', (id) => `a.actor_id = ${id}`],
    ['subject', (id) => `a.subject_id = ${id}`],
    ['call', (id) => `a.correlation_id = ${id}`],
    ['from', (instant) => `a.created_at >= ${instant}`],
    ['to', (instant) => `a.created_at < ${instant}`],
    ['tool', (name) => `a.tool = ${name}`],
  ],
  order: newestInChain('a.position'),
  select: (page) =>
    `SELECT a.position, a.id, a.event, a.outcome, a.actor_kind AS "actorKind", a.actor_id AS "actorId",
     ${addressForOrganization('a.organization_id', 'a.created_at')} AS "actorEmail", a.credential_id AS "credentialId", a.client_id AS "clientId", a.tool,
     a.subject_id AS "subjectId", a.correlation_id AS "correlationId", a.created_at AS "createdAt", a.details ${page}`,
};
