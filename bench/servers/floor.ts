/**
 * The floor: a minimal hand-written server. node:http, a pool of `pg`, one prepared lookup for each request, one
 * transaction or one statement for each refresh, one row for each tool call; no GraphQL, no validation, no limits, no
 * headers, no log.
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { toolCallOn } from './floor-tool-call.ts';

const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 8 });

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

const bearerHash = (request: IncomingMessage): Buffer => hashOf((request.headers.authorization ?? '').slice(7));

const live = `c.token_hash = $1 AND c.kind = 'user_session' AND c.revoked_at IS NULL AND c.expires_at > now()
  AND c.credentials_revision = u.credentials_revision`;

interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

const me = async (request: IncomingMessage): Promise<object> => {
  const { rows } = await pool.query<Person>({
    name: 'me',
    text: `SELECT u.id, u.email, u.name FROM credentials c JOIN users u ON u.id = c.user_id WHERE ${live}`,
    values: [bearerHash(request)],
  });
  const [person] = rows;
  if (person === undefined) throw new Error('No such session');
  return { data: { me: { id: person.id, email: person.email, name: person.name } } };
};

const scopes = [
  'MEMBERS_VIEW',
  'MEMBERS_INVITE',
  'MEMBERS_UPDATE',
  'MEMBERS_REMOVE',
  'ORGANIZATION_UPDATE',
  'BILLING_MANAGE',
];

const meWithMembership = async (request: IncomingMessage): Promise<object> => {
  const { rows } = await pool.query<Person & { role: string; organization: string }>({
    name: 'me_with_membership',
    text: `SELECT u.id, u.email, u.name, m.role, o.name AS organization FROM credentials c
      JOIN users u ON u.id = c.user_id JOIN organization_members m ON m.id = u.current_membership
      JOIN organizations o ON o.id = m.organization_id WHERE ${live}`,
    values: [bearerHash(request)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('No such session');
  const currentMembership = { role: row.role, scopes, organization: { name: row.organization } };
  return { data: { me: { id: row.id, email: row.email, name: row.name, currentMembership } } };
};

const consume = {
  name: 'consume',
  text: `UPDATE floor_credentials SET revoked_at = now(), revocation_reason = 'rotated'
    WHERE token_hash IN ($1, $2) AND revoked_at IS NULL
    RETURNING session_family_id, user_id, credentials_revision, family_expires_at, organization_id, membership_id`,
};

const mint = {
  name: 'mint',
  text: `INSERT INTO floor_credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision,
      audience, auth_method, expires_at, family_expires_at, organization_id, membership_id, issue_ip, issue_user_agent,
      last_seen_at, last_seen_ip)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'api', 'password', $8, $9, $10, $11, '127.0.0.1', 'floor', now(), '127.0.0.1')`,
};

interface Consumed {
  readonly session_family_id: string;
  readonly user_id: string;
  readonly credentials_revision: number;
  readonly family_expires_at: Date;
  readonly organization_id: string;
  readonly membership_id: string;
}

interface RefreshBody {
  readonly variables: { readonly refreshToken: string; readonly accessToken: string };
}

const refresh = async (request: IncomingMessage): Promise<object> => {
  const { variables } = JSON.parse(await text(request)) as RefreshBody;
  const [accessToken, refreshToken] = [newToken('a'), newToken('r')];
  const expiresAt = new Date(Date.now() + 900_000);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const values = [hashOf(variables.refreshToken), hashOf(variables.accessToken)];
    const [old] = (await client.query<Consumed>({ ...consume, values })).rows;
    if (old === undefined) throw new Error('No such pair');
    const { session_family_id: family, user_id: user, credentials_revision: revision, family_expires_at: end } = old;
    const rest = [family, randomUUID(), user, revision];
    const place = [old.organization_id, old.membership_id];
    const session = [randomUUID(), hashOf(accessToken), 'user_session', ...rest, expiresAt, end, ...place];
    await client.query({ ...mint, values: session });
    await client.query({
      ...mint,
      values: [randomUUID(), hashOf(refreshToken), 'user_refresh', ...rest, end, end, ...place],
    });
    await client.query('COMMIT');
    const instants = { accessTokenExpiresAt: expiresAt, refreshTokenExpiresAt: end };
    return { data: { refreshAccessToken: { accessToken, refreshToken, ...instants } } };
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
};

/** The same in one statement, over the light table. */
const rotate = {
  name: 'rotate',
  text: `WITH consumed AS (
      UPDATE light_credentials SET revoked_at = now(), revocation_reason = 'rotated'
      WHERE token_hash IN ($1, $2) AND revoked_at IS NULL RETURNING *),
    old AS (SELECT * FROM consumed WHERE kind = 'user_refresh' AND (SELECT count(*) FROM consumed) = 2)
    INSERT INTO light_credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision,
      audience, auth_method, expires_at, family_expires_at, organization_id, membership_id, issue_ip, issue_user_agent,
      last_seen_at, last_seen_ip)
    SELECT fresh.id, fresh.token_hash, fresh.kind, session_family_id, $7, user_id, credentials_revision, audience,
      auth_method, coalesce(fresh.ends, family_expires_at), family_expires_at, organization_id, membership_id,
      '127.0.0.1', 'floor', now(), '127.0.0.1'
    FROM old CROSS JOIN (VALUES ($3::uuid, $4::bytea, 'user_session', $8::timestamptz), ($5, $6, 'user_refresh', NULL))
      AS fresh (id, token_hash, kind, ends)
    RETURNING family_expires_at`,
};

const refreshLightly = async (request: IncomingMessage): Promise<object> => {
  const { variables } = JSON.parse(await text(request)) as RefreshBody;
  const [accessToken, refreshToken] = [newToken('a'), newToken('r')];
  const expiresAt = new Date(Date.now() + 900_000);
  const old = [hashOf(variables.refreshToken), hashOf(variables.accessToken)];
  const fresh = [randomUUID(), hashOf(accessToken), randomUUID(), hashOf(refreshToken), randomUUID(), expiresAt];
  const { rows } = await pool.query<{ family_expires_at: Date }>({ ...rotate, values: [...old, ...fresh] });
  const [row] = rows;
  if (row === undefined) throw new Error('No such pair');
  const instants = { accessTokenExpiresAt: expiresAt, refreshTokenExpiresAt: row.family_expires_at };
  return { data: { refreshAccessToken: { accessToken, refreshToken, ...instants } } };
};

const newToken = (letter: string): string => `gate_${letter}_${randomBytes(36).toString('base64url')}`;

const toolCall = toolCallOn(pool);

const routes = new Map([
  ['/healthz', async () => ({ status: 'ok' })],
  ['/me', me],
  ['/me-with-membership', meWithMembership],
  ['/refresh', refresh],
  ['/refresh-light', refreshLightly],
  ['/mcp', toolCall],
]);

const server = createServer((request, response) => {
  const answer = (status: number, body: object): void => {
    const json = JSON.stringify(body);
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(json) };
    response.writeHead(status, headers).end(json);
  };
  const route = routes.get(request.url ?? '') ?? (async () => Promise.reject(new Error('No such route')));
  if (route !== refresh && route !== refreshLightly && route !== toolCall) request.resume();
  route(request).then(
    (body) => answer(200, body),
    (error: unknown) => answer(500, { error: String(error) }),
  );
});
server.keepAliveTimeout = 72_000;
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
