/**
 * SQL of the search for live credentials by any fields of a filter together (decision 0055). A field with an index is
 * a path to candidates; all fields are then checked on each candidate, of which a statement reads a bounded number.
 */
import { type Statement, statement } from '../../platform/database/database.ts';
import { rarestText } from '../../platform/database/searched-list.ts';
import { isNewestOfSession, isOfOwner, representsSession } from '../credentials/credential-owner-store.ts';
import { authMethods } from '../credentials/token.ts';
import { textOfPerson } from '../users/users-store.ts';
import {
  liveCredential,
  newestCredentialFirst,
  ofOrganization,
  rangeOfRow,
  ranges,
} from './active-credentials-store.ts';
import type { SessionCriteria } from './session-filter.ts';

type Text = string | null;

/** The values of a filter, `$1` to `$13` of each statement. */
export const paramsOf = (criteria: SessionCriteria) =>
  [
    criteria.user,
    criteria.email?.pattern ?? null,
    criteria.organization,
    criteria.audience,
    criteria.kind,
    criteria.client,
    criteria.method,
    criteria.issuedAfter,
    criteria.issuedBefore,
    criteria.seenAfter,
    criteria.seenBefore,
    criteria.network,
    criteria.userAgent?.pattern ?? null,
  ] as const;

type CriteriaParams = ReturnType<typeof paramsOf>;

/** Candidates that a statement reads at most. One that is not in memory takes 6 µs. */
export const mostRead = 50_000;
/** How many of the next rows of the list are read at first, and where there are too many others to sort them. */
const nextRows = { near: 300, far: 3000 } as const;
export type ScanDepth = keyof typeof nextRows;
/** Different user agents that are compared. */
const mostUserAgents = 20_000;

/** Gives every parameter its type, also where a statement does not use it. */
const params = `asked AS (SELECT $1::uuid, $2::text, $3::uuid, $4::text, $5::text, $6::uuid, $7::text, $8::timestamptz,
     $9::timestamptz, $10::timestamptz, $11::timestamptz, $12::inet, $13::text)`;

const inNetwork = (address: string): string =>
  `address_of(${address}) BETWEEN host(network($12::inet))::inet AND host(broadcast($12::inet))::inet`;

/** All fields but that of the user. */
const matches = `c.expires_at > now()
     AND ($1::uuid IS NULL OR c.user_id = $1 OR c.service_account_id = $1) AND ($3::uuid IS NULL OR c.organization_id = $3)
     AND ($4::text IS NULL OR c.audience = $4) AND ($5::text IS NULL OR c.kind = $5)
     AND ($6::uuid IS NULL OR c.client_id = $6) AND ($7::text IS NULL OR c.auth_method = $7)
     AND ($8::timestamptz IS NULL OR c.issued_at >= $8) AND ($9::timestamptz IS NULL OR c.issued_at < $9)
     AND ($10::timestamptz IS NULL OR c.last_seen_at >= $10) AND ($11::timestamptz IS NULL OR c.last_seen_at < $11)
     AND ($13::text IS NULL OR lower(c.issue_user_agent) LIKE $13)
     AND ($12::inet IS NULL OR ${inNetwork('c.issue_ip')} OR ${inNetwork('c.last_seen_ip')})`;

/**
 * The user's field. The user of a row is read only for it: a transaction that raises a credentials_revision also
 * revokes what has the previous one, and what is shown or ended of the rows is checked for it.
 */
const userMatches = `($2::text IS NULL OR (SELECT u.email LIKE $2 FROM users u WHERE u.id = c.user_id))`;
const ownerMatches = isOfOwner('$2::text');

// Paths to candidates: credentials that are not revoked.

export type AccessPath = 'user' | 'client' | 'network' | 'userAgent' | 'method' | 'email' | 'organization' | 'all';

interface Candidates {
  /** Common table expressions, as `WITH RECURSIVE … `. */
  readonly before: string;
  readonly rows: string;
}

const where = (condition: string): string =>
  `SELECT c.* FROM credentials c WHERE ${condition} AND c.revoked_at IS NULL`;

const plain = (rows: string): Candidates => ({ before: `WITH RECURSIVE ${params}`, rows });

const rangeMatches = `($4::text IS NULL OR r.audience = $4) AND ($5::text IS NULL OR r.kind = $5)`;
const issuedInRange = `c.issued_at > now() - longest_lifetime(r.class) AND c.issued_at >= coalesce($8, '-infinity')
     AND c.issued_at < coalesce($9, 'infinity')`;

const organizationOnly = `${ofOrganization} $3`;

/** The ranges of decision 0039, of an organization or of all. */
const rangesOfFilter = (path: 'organization' | 'all'): string =>
  ranges(path === 'organization' ? [organizationOnly] : []).replace('WITH RECURSIVE', `WITH RECURSIVE ${params}, `);

const inOrganization = (path: 'organization' | 'all'): string =>
  path === 'organization' ? ` AND ${organizationOnly}` : '';

const byRange = (path: 'organization' | 'all'): Candidates => ({
  before: rangesOfFilter(path),
  rows: `SELECT c.* FROM range r CROSS JOIN LATERAL (
     ${where(`${rangeOfRow} = (r.audience, r.kind, r.class) AND ${issuedInRange}${inOrganization(path)}`)}) AS c
   WHERE ${rangeMatches}`,
});

const userAgent = `coalesce(c.issue_user_agent, '')`;
const nextUserAgent = (of: string, condition: string): string => `CROSS JOIN LATERAL (
     SELECT ${userAgent} AS text FROM credentials c
     WHERE c.revoked_at IS NULL AND c.auth_method = ${of}${condition} ORDER BY ${userAgent} LIMIT 1) AS next`;

/** Reads each different user agent once, by skipping in the index, and then the rows of those that match. */
const byUserAgent: Candidates = {
  before: `WITH RECURSIVE ${params}, agent AS (
     SELECT m.name AS method, next.text
     FROM unnest(CASE WHEN $7::text IS NULL THEN '{${authMethods.join(',')}}'::text[] ELSE ARRAY[$7::text] END) AS m (name)
     ${nextUserAgent('m.name', '')}
     UNION ALL
     SELECT a.method, next.text FROM agent a ${nextUserAgent('a.method', ` AND ${userAgent} > a.text`)}),
   agents AS MATERIALIZED (SELECT method, text FROM agent LIMIT ${mostUserAgents + 1})`,
  rows: `SELECT c.* FROM agents a CROSS JOIN LATERAL (
     ${where(`c.auth_method = a.method AND ${userAgent} = a.text`)} OFFSET 0) AS c
   WHERE lower(a.text) LIKE $13`,
};

/** `$15` is the query for parts of the address. */
const byEmail = plain(`SELECT c.* FROM (
     SELECT u.id FROM users u WHERE text_grams(${textOfPerson}) @@ $15::tsquery AND u.email LIKE $2 OFFSET 0) AS u
   CROSS JOIN LATERAL (${where('c.user_id = u.id')} OFFSET 0) AS c`);

const otherAddress = 'c.last_seen_ip IS DISTINCT FROM c.issue_ip';

const paths: Readonly<Record<AccessPath, Candidates>> = {
  user: plain(`${where('c.user_id = $1')} UNION ALL ${where('c.service_account_id = $1')}`),
  client: plain(where('c.client_id = $6')),
  network: plain(`${where(inNetwork('c.issue_ip'))} UNION ALL
     ${where(`${inNetwork('c.last_seen_ip')} AND ${otherAddress} AND NOT coalesce(${inNetwork('c.issue_ip')}, false)`)}`),
  userAgent: byUserAgent,
  method: plain(where('c.auth_method = $7')),
  email: byEmail,
  organization: byRange('organization'),
  all: byRange('all'),
};

const candidates = (path: AccessPath, most: number): string =>
  `(SELECT c.* FROM (${paths[path].rows}) AS c LIMIT ${most}) AS c`;

/** A statement for each path, of a name that ends with it. */
const forEachPath = <Row, Params extends readonly (string | number | Date | null)[]>(
  name: string,
  text: (path: AccessPath) => string,
): ((path: AccessPath) => Statement<Row, Params>) => {
  const known = new Map<AccessPath, Statement<Row, Params>>();
  return (path) => {
    const made = known.get(path) ?? statement<Row, Params>(`${name}_${path}`, `${paths[path].before} ${text(path)}`);
    known.set(path, made);
    return made;
  };
};

// Statements. The parameters of each begin with those of the filter.

/** A credential of a filter. */
interface FoundRow {
  readonly id: string;
  readonly sessionFamilyId: string;
}

/** Those that match, in no order. Parameters: `$14` how many, `$15` only for the path `email`. */
export const seekCredentials = forEachPath<FoundRow, [...CriteriaParams, limit: number, ...grams: string[]]>(
  'credentials.seek_by',
  (path) => `SELECT c.id, c.session_family_id AS "sessionFamilyId" FROM ${candidates(path, mostRead)}
   WHERE ${matches} AND ${userMatches} LIMIT $14`,
);

/** Counts the candidates, up to one more than are read; also if there are more user agents than are compared. */
export const countCandidates = forEachPath<
  { readonly total: number },
  [...CriteriaParams, limit: number, ...grams: string[]]
>('credentials.count_candidates_by', (path) => {
  const counted = `(SELECT count(*)::integer FROM (${paths[path].rows} LIMIT $14::bigint) AS counted)`;
  if (path !== 'userAgent') return `SELECT ${counted} AS total`;
  return `SELECT CASE WHEN (SELECT count(*) FROM agents) > ${mostUserAgents} THEN ($14::bigint)::integer ELSE ${counted} END AS total`;
});

const newest = `ORDER BY ${newestCredentialFirst.orderBy}`;
const afterCursor = newestCredentialFirst.after('$14', '$15');

interface Next {
  readonly path: 'organization' | 'all';
  readonly depth: ScanDepth;
}

type NextStatement = Statement<{ readonly id: string }, [...CriteriaParams, micros: Text, id: Text, limit: number]>;

/** The next rows of the list, newest first, of which those that match are taken. */
const next = ({ path, depth }: Next, range: string, further: string): string =>
  `${rangesOfFilter(path)} SELECT c.id FROM (
     SELECT c.id, c.issued_at FROM range r CROSS JOIN LATERAL (
       SELECT c.id, c.issued_at FROM credentials c
       WHERE ${rangeOfRow} = (r.audience, r.kind, r.class) AND c.issued_at > now() - longest_lifetime(r.class)${further}
         AND ${liveCredential}${inOrganization(path)} AND ${afterCursor} ${newest} LIMIT ${nextRows[depth]}) AS c
     WHERE ${range} ${newest} LIMIT ${nextRows[depth]}) AS listed
   CROSS JOIN LATERAL (SELECT c.* FROM credentials c WHERE c.id = listed.id OFFSET 0) AS c`;

const nextCredentials = (one: Next): NextStatement =>
  statement(
    `credentials.${one.depth}_${one.path}`,
    `${next(one, rangeMatches, ` AND c.issued_at >= coalesce($8, '-infinity')`)} WHERE ${matches} AND ${ownerMatches}
   ${newest} LIMIT $16`,
  );

const sessionsInRange = `${representsSession.replace('c.kind', 'r.kind')} AND ($4::text IS NULL OR r.audience = $4)
       AND ($5::text IS NULL OR ($5 = 'machine') = (r.kind = 'machine'))`;

/** A session is listed at its refresh credential or newest secret, and matches when one of its rows does. */
const nextSessions = (one: Next): NextStatement =>
  statement(
    `credentials.${one.depth}_sessions_${one.path}`,
    `SELECT r.session_family_id AS id FROM (
       ${next(one, sessionsInRange, '').replace(
         'SELECT c.id FROM',
         'SELECT c.id, c.issued_at, c.session_family_id FROM',
       )} WHERE ${isNewestOfSession}) AS r
     CROSS JOIN LATERAL (
       SELECT FROM credentials c
       WHERE c.session_family_id = r.session_family_id AND c.revoked_at IS NULL AND ${matches} AND ${ownerMatches} LIMIT 1) AS one
     ORDER BY r.issued_at DESC, r.id DESC LIMIT $16`,
  );

const statementsOf = { credentials: nextCredentials, sessions: nextSessions } as const;

/** The parts of a list. */
export type Unit = keyof typeof statementsOf;

/** Where the next rows begin that a filter can match, for a page from the start of the list. */
export const startOf = ({ issuedBefore }: SessionCriteria): readonly [Text, Text] =>
  issuedBefore === null
    ? [null, null]
    : [String(BigInt(issuedBefore.getTime()) * 1000n), '00000000-0000-0000-0000-000000000000'];

export const nextOf = (unit: Unit, criteria: SessionCriteria, depth: ScanDepth): NextStatement =>
  statementsOf[unit]({ path: criteria.organization === null ? 'all' : 'organization', depth });

type All = [...CriteriaParams, micros: Text, id: Text, limit: number];

/** A page of all that match, where more match than are sorted by their ids. Not for the path `email`. */
export const sortedCredentials = forEachPath<{ readonly id: string }, All>(
  'credentials.sort_by',
  (path) => `SELECT c.id FROM ${candidates(path, mostRead)}
   WHERE ${matches} AND ${userMatches} AND ${afterCursor} ${newest} LIMIT $16`,
);

export const sortedSessions = forEachPath<{ readonly id: string }, All>(
  'credentials.sort_sessions_by',
  (path) => `SELECT c.session_family_id AS id FROM (
     SELECT DISTINCT c.session_family_id FROM ${candidates(path, mostRead)} WHERE ${matches} AND ${userMatches}) AS found
   JOIN credentials c ON c.session_family_id = found.session_family_id AND ${representsSession}
     AND ${liveCredential} AND ${isNewestOfSession}
   WHERE ${afterCursor} ${newest} LIMIT $16`,
);

/** The parts of an address that the fewest users have. */
export const rarestGramsOfPeople = statement<{ readonly gram: string }, readonly [grams: readonly string[]]>(
  'credentials.seek_rarest_grams',
  rarestText(`SELECT ${textOfPerson} AS text FROM users u`),
);
