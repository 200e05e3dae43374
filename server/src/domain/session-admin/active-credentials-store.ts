/**
 * SQL of the active credentials of every user, newest first, in pages. Three lists read them, each by the index that
 * suits its filter, so that a page costs the same with millions of live credentials (decision 0039).
 */
import { statement } from '../../platform/database/database.ts';
import {
  countingText,
  type FilteredList,
  type ListParts,
  microsOf,
  newestFirst,
} from '../../platform/database/filtered-list.ts';
import { type SearchedList, type SearchParts, totalsOf, upTo } from '../../platform/database/searched-list.ts';
import {
  isOfRevision,
  ownerAddress,
  ownerId,
  ownScopes,
  tokenName,
  usedSecondFactor,
  withPerson,
} from '../credentials/credential-owner-store.ts';
import type { SessionRow } from '../credentials/sessions-store.ts';
import type { CredentialKind } from '../credentials/token.ts';
import { textOfPerson } from '../users/users-store.ts';

type ActiveCredentialRow = SessionRow & { readonly issuedAtMicros: string };

/** Filter of active credentials; null matches any. */
interface CredentialCriteria {
  readonly organization: string | null;
  readonly audience: string | null;
  readonly kind: CredentialKind | null;
}

export const ofOrganization = 'c.organization_id =';

const conditions: FilteredList<ActiveCredentialRow, CredentialCriteria>['conditions'] = [
  ['organization', (id) => `${ofOrganization} ${id}`],
  ['audience', (audience) => `c.audience = ${audience}`],
  ['kind', (kind) => `c.kind = ${kind}`],
];

export const newestCredentialFirst = newestFirst<ActiveCredentialRow>(
  'c.issued_at',
  'c.id',
  (row) => row.issuedAtMicros,
);

const activeColumns = `c.id, c.session_family_id AS "sessionFamilyId", c.kind, c.audience, c.auth_method AS "authMethod",
     ${ownerId} AS "userId", ${ownerAddress} AS "userEmail", c.organization_id AS "organizationId", o.name AS "organizationName",
     k.name AS "clientName", ${ownScopes} AS scopes, c.issued_at AS "issuedAt", ${microsOf('c.issued_at')} AS "issuedAtMicros",
     c.expires_at AS "expiresAt", c.issue_ip AS "issueIp", c.issue_user_agent AS "issueUserAgent",
     c.last_seen_at AS "lastSeenAt", c.last_seen_ip AS "lastSeenIp", ${usedSecondFactor} AS "hasSecondFactor",
     ${tokenName} AS "tokenName"`;

export const namesOfCredential = `LEFT JOIN organizations o ON o.id = c.organization_id
   LEFT JOIN oauth_clients k ON k.id = c.client_id`;

export const liveCredential = 'c.revoked_at IS NULL AND c.expires_at > now()';

/** The rows of a page, from a query of their ids and of further columns of the statement. */
const describe = (page: string, further: readonly string[] = []): string =>
  `SELECT ${[activeColumns, ...further.map((column) => `page.${column}`)].join(', ')} FROM (${page}) AS page
   JOIN credentials c ON c.id = page.id
   ${withPerson}
   ${namesOfCredential}
   ORDER BY ${newestCredentialFirst.orderBy}`;

// The list of one user, by their live credentials. A service account's few are searched (`seek-store.ts`).

/** Those of one user that have the user's current revision. */
export const activeCredentialsOfUser: FilteredList<
  ActiveCredentialRow,
  CredentialCriteria & {
    readonly user: string;
    /** A LIKE pattern. */
    readonly email: string | null;
  }
> = {
  name: (verb) => `credentials.${verb}_of`,
  source: `FROM credentials c
   JOIN users u ON u.id = c.user_id AND u.credentials_revision = c.credentials_revision
   ${namesOfCredential}
   WHERE ${liveCredential}`,
  conditions: [['user', (id) => `c.user_id = ${id}`], ['email', (pattern) => `u.email LIKE ${pattern}`], ...conditions],
  order: newestCredentialFirst,
  select: (page) => `SELECT ${activeColumns} ${page}`,
};

// The list of all users: a page merges the first rows of each range of the index, so that neither a rare audience nor
// expired rows, which the newest of every range precede, make it read further.

const rangeKeys = ['c.audience', 'c.kind', 'lifetime_class(c.issued_at, c.expires_at)'];
export const rangeOfRow = `(${rangeKeys.join(', ')})`;
const lastRange = `ORDER BY ${rangeKeys.map((key) => `${key} DESC`).join(', ')} LIMIT 1`;

/**
 * The ranges that have rows, each found by one look into the index. From the last one to the first: at its beginning a
 * range has the entries of rows that were revoked and not yet vacuumed.
 */
export const ranges = (asked: readonly string[]): string => {
  const organization = asked.filter((condition) => condition.startsWith(ofOrganization)).map((text) => ` AND ${text}`);
  const unrevoked = `SELECT ${rangeKeys.join(', ')} AS class FROM credentials c
     WHERE c.revoked_at IS NULL${organization.join('')}`;
  return `WITH RECURSIVE range AS (
   (${unrevoked} ${lastRange})
   UNION ALL
   SELECT next.* FROM range r CROSS JOIN LATERAL (
     ${unrevoked} AND ${rangeOfRow} < (r.audience, r.kind, r.class) ${lastRange}) AS next)`;
};

const allOf = (conditions: readonly string[]): string => conditions.map((condition) => ` AND ${condition}`).join('');

const inRange = (asked: readonly string[]): string =>
  `${rangeOfRow} = (r.audience, r.kind, r.class) AND c.issued_at > now() - longest_lifetime(r.class) AND ${liveCredential}${allOf(asked)}`;

const newest = (limit: string): string => `ORDER BY ${newestCredentialFirst.orderBy} LIMIT ${limit}`;

const textsByRange = ({ conditions: asked, after, limit }: ListParts<CredentialCriteria>) => ({
  listing: `${ranges(asked)} ${describe(`SELECT c.id FROM range r CROSS JOIN LATERAL (
     SELECT c.id, c.issued_at FROM credentials c
     WHERE ${inRange(asked)} AND ${after} AND ${isOfRevision} ${newest(limit)}) AS c ${newest(limit)}`)}`,
  // Without the users: who raises a revision revokes, in the same transaction, what has the previous one. Their rows
  // would cost ten times as much as the entries of the index, which has all that is counted.
  counting: `${ranges(asked)} ${countingText(`SELECT FROM range r CROSS JOIN LATERAL (
     SELECT FROM credentials c WHERE ${inRange(asked)} OFFSET 0) AS c`)}`,
});

/** Those of all users, newest first. */
export const activeCredentials: FilteredList<ActiveCredentialRow, CredentialCriteria> = {
  name: (verb) => `credentials.${verb}_active`,
  conditions,
  order: newestCredentialFirst,
  texts: textsByRange,
};

// The list of the users whose address has a part.

// A subquery with OFFSET runs once for each row, in any plan: another join would read all users, or all credentials.

const ofUser = (asked: readonly string[]): string => `CROSS JOIN LATERAL (
     SELECT c.id, c.issued_at FROM credentials c
     WHERE c.user_id = u.id AND c.credentials_revision = u.credentials_revision AND ${liveCredential}${allOf(asked)} OFFSET 0) AS c`;

const usersByGrams = ({ grams, pattern }: Pick<SearchParts, 'pattern' | 'grams'>): string =>
  `SELECT u.id, u.credentials_revision FROM users u
     WHERE text_grams(${textOfPerson}) @@ ${grams}::tsquery AND u.email LIKE ${pattern}`;

const place = `row_number() OVER (ORDER BY ${newestCredentialFirst.orderBy})::integer AS place`;
const byUser = 'user_id, c.credentials_revision';

/** The next live credentials that a filter lists, with their place. */
const next = (asked: readonly string[], after: string, rows: string): string =>
  `SELECT listed.id, listed.issued_at, c.${byUser}, listed.place FROM (
     SELECT c.id, c.issued_at, ${place} FROM (
       SELECT c.id, c.issued_at FROM range r CROSS JOIN LATERAL (
         SELECT c.id, c.issued_at FROM credentials c WHERE ${inRange(asked)} AND ${after} ${newest(rows)}) AS c
       ${newest(rows)}) AS c) AS listed
   CROSS JOIN LATERAL (SELECT c.* FROM credentials c WHERE c.id = listed.id OFFSET 0) AS c`;

/** Those of users whose address contains a text, newest first. */
export const activeCredentialsByAddress: SearchedList<ActiveCredentialRow, CredentialCriteria> = {
  name: 'credentials.search',
  conditions,
  order: newestCredentialFirst,
  near: ({ pattern, conditions: asked, after, limit }, rows) =>
    `${ranges(asked)} ${describe(
      `SELECT c.id, c.place FROM (${next(asked, after, String(rows))}) AS c
   CROSS JOIN LATERAL (
     SELECT FROM users u
     WHERE u.id = c.user_id AND u.credentials_revision = c.credentials_revision AND u.email LIKE ${pattern} OFFSET 0) AS u
   ${newest(limit)}`,
      ['place'],
    )}`,
  sample: `SELECT ${textOfPerson} AS text FROM users u`,
  candidates: usersByGrams,
  indexed: ({ conditions: asked, after, limit, ...search }, most) =>
    `WITH person AS MATERIALIZED (${usersByGrams(search)}${upTo(most)}),
   matching AS MATERIALIZED (SELECT c.id, c.issued_at FROM person u ${ofUser(asked)})
   ${describe(`SELECT c.id, ${totalsOf('matching', 'person', most)} FROM matching c WHERE ${after} ${newest(limit)}`, [
     'total',
     '"isCut"',
   ])}`,
  scanned: ({ pattern, conditions: asked }) => `SELECT FROM users u ${ofUser(asked)} WHERE u.email LIKE ${pattern}`,
  indexedRows: ({ conditions: asked, ...search }) =>
    `SELECT FROM (${usersByGrams(search)} OFFSET 0) AS u ${ofUser(asked)}`,
};

/** A page of those with these ids that are still active: few enough to be sorted as a whole. */
export const activeCredentialsByIds = statement<
  ActiveCredentialRow,
  [ids: readonly string[], micros: string | null, id: string | null, limit: number]
>(
  'credentials.list_by_ids',
  describe(`SELECT c.id FROM (
     SELECT c.id, c.issued_at, c.user_id, c.credentials_revision FROM credentials c
     WHERE c.id = ANY ($1::uuid[]) AND ${liveCredential} AND ${newestCredentialFirst.after('$2', '$3')}
     ORDER BY ${newestCredentialFirst.orderBy} OFFSET 0) AS c
   WHERE ${isOfRevision} ${newest('$4')}`),
);

/** Whether an id is that of a service account, also of one that was deleted. */
export const isServiceAccountId = statement<{ readonly isOne: boolean }, [id: string]>(
  'credentials.is_service_account_id',
  'SELECT EXISTS (SELECT 1 FROM service_accounts WHERE id = $1) AS "isOne"',
);
