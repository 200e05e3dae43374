/**
 * The floor of a tool call: one look-up of the token, one row in a table with the columns and indexes of the audit
 * record, and JSON by hand. Its rows carry a hash, but no chain; nothing is validated, limited or logged.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type pg from 'pg';

interface Caller {
  readonly id: string;
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly client_id: string;
  readonly client_name: string;
  readonly session_family_id: string;
}

const lookUp = {
  name: 'caller',
  text: `SELECT c.id, c.user_id, u.email, u.name, c.scopes, c.client_id, k.name AS client_name, c.session_family_id
    FROM credentials c JOIN users u ON u.id = c.user_id JOIN oauth_clients k ON k.id = c.client_id
    WHERE c.token_hash = $1 AND c.audience = 'mcp' AND c.revoked_at IS NULL AND c.expires_at > now()
      AND c.credentials_revision = u.credentials_revision`,
};

const record = {
  name: 'record',
  text: `INSERT INTO floor_tool_audits (position, id, actor_user_id, credential_id, client_id, tool, outcome,
      correlation_id, argument_digest, created_at, previous_hash, hash)
    VALUES (nextval('floor_tool_audits_position'), $1, $2, $3, $4, $5, 'success', $6, $7, now(), '', $8)`,
};

interface CallBody {
  readonly id: number;
  readonly params: { readonly name: string; readonly arguments: object };
}

const sha256 = (content: string): Buffer => createHash('sha256').update(content).digest();

/** @returns the handler of POST /mcp, for the body of one `tools/call` */
export const toolCallOn =
  (pool: pg.Pool) =>
  async (request: IncomingMessage): Promise<object> => {
    const { id, params } = JSON.parse(await text(request)) as CallBody;
    const tokenHash = sha256((request.headers.authorization ?? '').slice(7));
    const [caller] = (await pool.query<Caller>({ ...lookUp, values: [tokenHash] })).rows;
    if (caller === undefined) throw new Error('No such session');
    const correlationId = randomUUID();
    const digest = sha256(JSON.stringify(params.arguments)).toString('base64url');
    const facts = [randomUUID(), caller.user_id, caller.id, caller.client_id, params.name, correlationId, digest];
    await pool.query({ ...record, values: [...facts, sha256(facts.join(' '))] });
    return { jsonrpc: '2.0', id, result: { ...answerOf(caller), _meta: { correlationId } } };
  };

const answerOf = ({ id, user_id: userId, email, name, scopes, ...rest }: Caller): object => {
  const structuredContent = {
    user: { id: userId, email, name },
    scopes,
    grantedScopes: scopes,
    client: { id: rest.client_id, name: rest.client_name },
    credentialId: id,
    sessionFamilyId: rest.session_family_id,
  };
  const sentence = `You act for ${name} (${email}), through ${rest.client_name}, with ${scopes.length} scopes.`;
  return { content: [{ type: 'text', text: `${sentence}\n${JSON.stringify(structuredContent)}` }], structuredContent };
};
