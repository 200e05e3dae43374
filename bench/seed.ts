/**
 * Rows of the measured database: people with an organization, a live session for `me`, one for refresh, and a history
 * of rotated credentials, so that tables and indexes have a realistic size and shape.
 */
import type pg from 'pg';
import { hashToken, newToken } from '../server/src/domain/credentials/token.ts';
import { scopesOfTools } from '../server/src/domain/tools/catalogue.ts';
import { newId } from '../server/src/kernel/ids.ts';

export interface Pair {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Every user's raw secrets, which only the load needs. */
export interface Seeded {
  readonly emails: readonly string[];
  readonly password: string;
  /** Live sessions that are only read. */
  readonly accessTokens: readonly string[];
  /** Live sessions of Platform MCP, each of another super admin. */
  readonly mcpTokens: readonly string[];
  /** Live sessions of the MCP of an organization, each of another owner in their own one. */
  readonly organizationMcpTokens: readonly string[];
  /** Live sessions that rotate. */
  readonly pairs: readonly Pair[];
  /** Live sessions that switch between the two organizations of their user. */
  readonly switchers: readonly Switcher[];
}

export interface Switcher {
  readonly accessToken: string;
  /** The active one last. */
  readonly organizationIds: readonly [string, string];
}

/** The users. */
export interface Crowd {
  /** Those whose sessions the load uses. */
  readonly users: number;
  /** Rotated pairs in the history of each of them. */
  readonly pastPairs: number;
  /**
   * This many of them are super admins, each with a session of Platform MCP and one of the MCP of their organization.
   */
  readonly mcpSessions: number;
  /** Credentials of people whom the load never uses: the size of the table. */
  readonly credentialsOfOthers: number;
  /** People with one live session each and nothing else, whom the load never sends either. */
  readonly peopleWithSession: number;
  readonly password: string;
  /** Of `password`, shared by all: hashing a thousand would take minutes. */
  readonly passwordHash: string;
  /** Whether the table of the refresh floor is wanted. */
  readonly hasFloor: boolean;
}

/** Of each of the others: one live pair and eleven that were rotated. */
const credentialsOfOne = 24;

export const seed = async (client: pg.ClientBase, crowd: Crowd): Promise<Seeded> => {
  const { users, password, passwordHash, pastPairs } = crowd;
  const numbers = Array.from({ length: users }, (_, index) => index);
  const userIds = numbers.map(() => newId());
  const emails = numbers.map((number) => `person-${number}@bench.example`);
  const [read, rotating, switching] = [numbers.map(newPair), numbers.map(newPair), numbers.map(newPair)];
  const [own, second] = [numbers.map(() => newId()), numbers.map(() => newId())];
  await client.query('BEGIN');
  await client.query(insertUsers, [userIds, emails, numbers.map((number) => `Person ${number}`), passwordHash]);
  for (const organizationIds of [second, own])
    await client.query(insertOrganizations, [organizationIds, numbers.map(() => newId()), userIds]);
  await client.query(insertPast, [pastPairs]);
  for (const pairs of [read, rotating, switching]) await insertPairs(client, userIds, pairs);
  const mcp = await insertMcpSessions(client, userIds.slice(0, crowd.mcpSessions));
  const organizationMcp = await insertOrganizationMcpSessions(client, userIds.slice(0, crowd.mcpSessions));
  await client.query(insertOthers, [Math.round(crowd.credentialsOfOthers / credentialsOfOne)]);
  if (crowd.peopleWithSession > 0) await insertPeopleWithSession(client, crowd.peopleWithSession);
  await client.query('COMMIT');
  if (crowd.hasFloor) await client.query(floorTables);
  await client.query('VACUUM ANALYZE');
  return {
    emails,
    password,
    accessTokens: read.map(({ accessToken }) => accessToken),
    mcpTokens: mcp,
    organizationMcpTokens: organizationMcp,
    pairs: rotating,
    switchers: switching.map(({ accessToken }, number) => ({
      accessToken,
      organizationIds: [second[number] ?? '', own[number] ?? ''],
    })),
  };
};

const newPair = (): Pair => ({ accessToken: newToken('user_session'), refreshToken: newToken('user_refresh') });

const insertPairs = async (
  client: pg.ClientBase,
  userIds: readonly string[],
  pairs: readonly Pair[],
): Promise<void> => {
  const families = pairs.map(() => newId());
  const pairIds = pairs.map(() => newId());
  const rows = [
    ['user_session', '1 hour', pairs.map(() => newId()), pairs.map(({ accessToken }) => hashToken(accessToken))],
    // A family is named after its first refresh credential.
    ['user_refresh', '30 days', families, pairs.map(({ refreshToken }) => hashToken(refreshToken))],
  ] as const;
  for (const [kind, life, ids, hashes] of rows) {
    await client.query(insertCredentials, [ids, hashes, families, pairIds, userIds, kind, life]);
  }
};

const insertMcpSessions = async (client: pg.ClientBase, userIds: readonly string[]): Promise<readonly string[]> => {
  const pairs = userIds.map(newPair);
  await client.query(appointSuperAdmins, [userIds, scopesOfTools]);
  await insertPairs(client, userIds, pairs);
  await client.query(grantToClient, [hashesOf(pairs), newId(), scopesOfTools, 'mcp', null]);
  return pairs.map(({ accessToken }) => accessToken);
};

/** A pair is bound to the membership that it was issued in by the host of the client's redirect. */
const insertOrganizationMcpSessions = async (
  client: pg.ClientBase,
  userIds: readonly string[],
): Promise<readonly string[]> => {
  const pairs = userIds.map(newPair);
  await insertPairs(client, userIds, pairs);
  const bound = ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'MEMBERS_UPDATE', 'MEMBERS_REMOVE'];
  await client.query(grantToClient, [hashesOf(pairs), newId(), bound, 'mcp_organization', '127.0.0.1']);
  return pairs.map(({ accessToken }) => accessToken);
};

const hashesOf = (pairs: readonly Pair[]): readonly Buffer[] =>
  pairs.flatMap(({ accessToken, refreshToken }) => [hashToken(accessToken), hashToken(refreshToken)]);

const appointSuperAdmins = 'UPDATE users SET is_super_admin = true, platform_scopes = $2 WHERE id = ANY ($1)';

const grantToClient = `WITH client AS (
    INSERT INTO oauth_clients (id, name, redirect_uris) VALUES ($2, 'Bench', ARRAY['http://127.0.0.1/']) RETURNING id)
  UPDATE credentials SET audience = $4, auth_method = 'mcp_oauth', scopes = $3, client_id = client.id, redirect_host = $5
  FROM client WHERE token_hash = ANY ($1)`;

const insertUsers = `INSERT INTO users (id, email, name, password_hash, email_validated_at)
  SELECT id, email, name, $4, now() FROM unnest($1::uuid[], $2::text[], $3::text[]) AS fresh (id, email, name)`;

const insertOrganizations = `WITH fresh AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) WITH ORDINALITY
      AS fresh (organization_id, member_id, user_id, number)),
  organization AS (
    INSERT INTO organizations (id, name) SELECT organization_id, 'Organization ' || number FROM fresh),
  subscription AS (
    INSERT INTO subscriptions (organization_id, status, product) SELECT organization_id, 'ACTIVE', 'free' FROM fresh),
  member AS (
    INSERT INTO organization_members (id, user_id, organization_id, role, joined_at)
    SELECT member_id, user_id, organization_id, 'OWNER', now() FROM fresh)
  UPDATE users SET current_membership = fresh.member_id FROM fresh WHERE users.id = fresh.user_id`;

const insertPast = `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id,
    credentials_revision, audience, auth_method, expires_at, family_expires_at, revoked_at, revocation_reason,
    issue_ip, issue_user_agent)
  SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), kind, gen_random_uuid(), gen_random_uuid(), u.id,
    0, 'api', 'password', now(), now(), now(), 'rotated', '192.0.2.1', 'bench'
  FROM users u, generate_series(1, $1::integer), unnest(ARRAY['user_session', 'user_refresh']) AS kind`;

/** The first of each pair is live; all in one statement, because there may be millions. */
const insertOthers = `WITH people AS (
    INSERT INTO users (id, email, name, email_validated_at)
    SELECT gen_random_uuid(), 'other-' || number || '@bench.example', 'Other ' || number, now()
    FROM generate_series(1, $1::integer) AS number RETURNING id),
  pairs AS MATERIALIZED (
    SELECT people.id AS user_id, number, gen_random_uuid() AS family, gen_random_uuid() AS pair
    FROM people, generate_series(1, 12) AS number)
  INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
    auth_method, expires_at, family_expires_at, revoked_at, revocation_reason, issue_ip, issue_user_agent)
  SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), kind, family, pair, user_id, 0, 'api', 'password',
    now() + interval '1 hour', now() + interval '30 days', CASE WHEN number > 1 THEN now() END,
    CASE WHEN number > 1 THEN 'rotated' END, '192.0.2.1', 'bench'
  FROM pairs, unnest(ARRAY['user_session', 'user_refresh']) AS kind`;

/** The index of the search is made afterwards: row by row it would take ten times as long. */
const insertPeopleWithSession = async (client: pg.ClientBase, people: number): Promise<void> => {
  const index = await client.query<{ definition: string }>(
    "SELECT pg_get_indexdef('users_by_grams'::regclass) AS definition",
  );
  await client.query('DROP INDEX users_by_grams');
  await client.query(insertSessions, [people]);
  for (const { definition } of index.rows) await client.query(definition);
};

/**
 * Issued within the last 30 days; every access credential is live too. Of the addresses, one in a thousand is `seldom`.
 */
const insertSessions = `WITH people AS (
    INSERT INTO users (id, email, name, email_validated_at)
    SELECT gen_random_uuid(), 'somebody-' || number || CASE WHEN number % 1000 = 7 THEN '@seldom' ELSE '@bench' END || '.example',
      'Somebody ' || number, now()
    FROM generate_series(1, $1::integer) AS number RETURNING id),
  pairs AS MATERIALIZED (
    SELECT id AS user_id, gen_random_uuid() AS family, gen_random_uuid() AS pair,
      now() - random() * interval '29 days' AS issued_at FROM people)
  INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
    auth_method, issued_at, expires_at, family_expires_at, issue_ip, issue_user_agent)
  SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), kind, family, pair, user_id, 0, 'api', 'password',
    issued_at, CASE kind WHEN 'user_session' THEN now() + interval '1 hour' ELSE issued_at + interval '30 days' END,
    issued_at + interval '30 days', '192.0.2.1', 'bench'
  FROM pairs, unnest(ARRAY['user_session', 'user_refresh']) AS kind`;

const insertCredentials = `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id,
    credentials_revision, audience, auth_method, organization_id, membership_id, expires_at, family_expires_at,
    issue_ip, issue_user_agent)
  SELECT fresh.id, fresh.token_hash, $6, fresh.family, fresh.pair, u.id, u.credentials_revision, 'api', 'password',
    m.organization_id, m.id, now() + $7::interval, now() + interval '30 days', '192.0.2.1', 'bench'
  FROM unnest($1::uuid[], $2::bytea[], $3::uuid[], $4::uuid[], $5::uuid[])
    AS fresh (id, token_hash, family, pair, user_id)
  JOIN users u ON u.id = fresh.user_id
  JOIN organization_members m ON m.id = u.current_membership`;

/**
 * The tables of the floors: of a refresh and of a tool call with the same columns, checks, indexes, foreign key and
 * rows, and of a light refresh with what one by hand needs at least: its four indexes. No trigger.
 */
const floorTables = `CREATE TABLE floor_credentials (LIKE credentials INCLUDING ALL);
  INSERT INTO floor_credentials SELECT * FROM credentials;
  ALTER TABLE floor_credentials ADD FOREIGN KEY (user_id) REFERENCES users ON DELETE CASCADE;
  CREATE TABLE light_credentials (LIKE credentials INCLUDING DEFAULTS);
  INSERT INTO light_credentials SELECT * FROM credentials;
  ALTER TABLE light_credentials ADD PRIMARY KEY (id), ADD UNIQUE (token_hash);
  CREATE UNIQUE INDEX ON light_credentials (session_family_id, kind) WHERE revoked_at IS NULL;
  CREATE INDEX ON light_credentials (user_id) WHERE revoked_at IS NULL;
  CREATE TABLE floor_tool_audits (LIKE mcp_tool_audits INCLUDING ALL);
  CREATE SEQUENCE floor_tool_audits_position`;
