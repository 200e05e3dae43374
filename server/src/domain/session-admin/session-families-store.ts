/** SQL of session families as rows of a list: what is active of each, in any order. */
import { isIP } from 'node:net';
import { isId } from '../../kernel/ids.ts';
import { type Statement, statement } from '../../platform/database/database.ts';
import { type ListOrder, microsOf } from '../../platform/database/filtered-list.ts';
import {
  isNewestOfSession,
  isOfRevision,
  ownerAddress,
  ownerId,
  representsSession,
  tokenName,
  withPerson,
} from '../credentials/credential-owner-store.ts';
import type { SessionRow } from '../credentials/sessions-store.ts';
import { liveCredential, namesOfCredential, newestCredentialFirst } from './active-credentials-store.ts';

/** A session, or the token of a machine, with what is active of it; `issueIp` is that of its newest pair or secret. */
export interface SessionFamilyRow extends Omit<SessionRow, 'id' | 'kind' | 'scopes' | 'issuedAt' | 'hasSecondFactor'> {
  readonly credentials: number;
  readonly firstIssuedAt: Date;
}

interface SortedRow extends SessionFamilyRow {
  /** The id of the refresh credential, or of a token's newest secret. */
  readonly id: string;
  readonly sortKey: string;
}

/** Columns that sessions can be sorted by; NEWEST is by the issue of the newest pair. */
export const sessionOrders = [
  'NEWEST',
  'FIRST_ISSUED',
  'LAST_SEEN',
  'ISSUE_IP',
  'LAST_SEEN_IP',
  'ORGANIZATION',
  'USER',
  'EXPIRES',
] as const;
export type SessionOrder = (typeof sessionOrders)[number];
export type SortDirection = 'ASC' | 'DESC';

interface SortKey {
  /** Never null. */
  readonly sql: string;
  readonly type: 'bigint' | 'inet' | 'text';
  readonly isKey: (text: string) => boolean;
}

const instant = (sql: string): SortKey => ({
  sql: `${microsOf(`coalesce(${sql}, 'epoch')`)}::bigint`,
  type: 'bigint',
  isKey: (text) => /^-?\d{1,16}$/.test(text),
});
const address = (sql: string): SortKey => ({
  sql: `coalesce(address_of(${sql}), '0.0.0.0')`,
  type: 'inet',
  isKey: (text) => isIP(text) !== 0 && !text.includes('%'),
});
const text = (sql: string): SortKey => ({ sql: `coalesce(${sql}, '')`, type: 'text', isKey: () => true });

const firstIssuedAt = 'coalesce(first.issued_at, c.issued_at)';

const sortKeys: Readonly<Record<SessionOrder, SortKey>> = {
  NEWEST: instant('c.issued_at'),
  FIRST_ISSUED: instant(firstIssuedAt),
  LAST_SEEN: instant('own.last_seen_at'),
  ISSUE_IP: address('c.issue_ip'),
  LAST_SEEN_IP: address('own.last_seen_ip'),
  ORGANIZATION: text('lower(o.name)'),
  USER: text(ownerAddress),
  EXPIRES: instant('own.expires_at'),
};

/** The cursors of an order; those of NEWEST are those of the list of credentials. */
export const cursorsOf = (order: SessionOrder): Omit<ListOrder<SortedRow>, 'after' | 'orderBy'> => ({
  keysOf: ({ sortKey, id }) => [sortKey, id],
  areKeys: order === 'NEWEST' ? newestCredentialFirst.areKeys : [sortKeys[order].isKey, isId],
});

/** `own` is what is active of a family, `c` its refresh credential or newest secret. Unused relations are not read. */
const sourceOf = (isOfRevision: string): string => `FROM unnest($1::uuid[]) AS f (id)
   CROSS JOIN LATERAL (
     SELECT count(*)::integer AS credentials, max(c.expires_at) AS expires_at, max(c.last_seen_at) AS last_seen_at,
       (array_agg(c.last_seen_ip ORDER BY c.last_seen_at DESC NULLS LAST))[1] AS last_seen_ip,
       (array_agg(c.id ORDER BY c.kind, c.issued_at DESC, c.id DESC))[1] AS id
     FROM credentials c WHERE c.session_family_id = f.id AND ${liveCredential}${isOfRevision}) AS own
   JOIN credentials c ON c.id = own.id
   ${withPerson}
   LEFT JOIN credentials first ON first.id = f.id
   ${namesOfCredential}`;

const source = sourceOf(` AND ${isOfRevision}`);

const columns = `f.id AS "sessionFamilyId", c.id, ${ownerId} AS "userId", ${ownerAddress} AS "userEmail",
     c.organization_id AS "organizationId", o.name AS "organizationName", k.name AS "clientName", ${tokenName} AS "tokenName", c.audience,
     c.auth_method AS "authMethod", own.credentials, ${firstIssuedAt} AS "firstIssuedAt", c.issue_ip AS "issueIp",
     c.issue_user_agent AS "issueUserAgent", own.last_seen_at AS "lastSeenAt", own.last_seen_ip AS "lastSeenIp",
     own.expires_at AS "expiresAt"`;

type SortParams = [sessionFamilyIds: readonly string[], key: string | null, id: string | null, limit: number];

/** The key as a cursor has it. */
const keyAsText = ({ sql, type }: SortKey): string => (type === 'inet' ? `host(${sql})` : `(${sql})::text`);

/** The active part of the sessions with these ids, in an order. */
export const sessionFamiliesBy = (
  order: SessionOrder,
  direction: SortDirection,
): Statement<SortedRow, [sessionFamilyIds: readonly string[]]> =>
  statement(
    `credentials.list_families_by_${order.toLowerCase()}_${direction.toLowerCase()}`,
    `SELECT ${columns}, ${keyAsText(sortKeys[order])} AS "sortKey" ${source} ${inOrder(order, direction)}`,
  );

const inOrder = (order: SessionOrder, direction: SortDirection): string =>
  `ORDER BY ${sortKeys[order].sql} ${direction}, c.id ${direction}`;

/** The ids of a page of these sessions: few enough to be sorted as a whole, and too many to be described. */
export const sortFamilies = (
  order: SessionOrder,
  direction: SortDirection,
): Statement<{ readonly id: string }, [...SortParams]> => {
  const { sql, type } = sortKeys[order];
  const beyond = direction === 'ASC' ? '>' : '<';
  return statement(
    `credentials.sort_families_by_${order.toLowerCase()}_${direction.toLowerCase()}`,
    `SELECT f.id ${sourceOf('')} WHERE $2::${type} IS NULL OR (${sql}, c.id) ${beyond} ($2::${type}, $3::uuid)
   ${inOrder(order, direction)} LIMIT $4`,
  );
};

/** The ids of a page of these sessions, the one with the newest pair or secret first. */
export const newestFamilies = statement<{ readonly id: string }, [...SortParams]>(
  'credentials.newest_families',
  `SELECT c.session_family_id AS id FROM credentials c
   WHERE c.session_family_id = ANY ($1::uuid[]) AND ${representsSession} AND ${liveCredential} AND ${isNewestOfSession}
     AND ${newestCredentialFirst.after('$2', '$3')}
   ORDER BY ${newestCredentialFirst.orderBy} LIMIT $4`,
);

/** Those of these sessions that are active, each with the number of its active credentials. */
export const listActiveFamilies = statement<
  { readonly sessionFamilyId: string; readonly credentials: number },
  [sessionFamilyIds: readonly string[]]
>(
  'credentials.list_active_families',
  `SELECT c.session_family_id AS "sessionFamilyId", count(*)::integer AS credentials
   FROM credentials c
   WHERE c.session_family_id = ANY ($1::uuid[]) AND ${liveCredential} AND ${isOfRevision}
   GROUP BY c.session_family_id`,
);
