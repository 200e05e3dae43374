/** Handmade clients of Platform MCP: a credential, single JSON-RPC messages over HTTP, and the audit rows. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { platformScopes } from '../../../src/domain/scopes/scopes.ts';
import { seedConnection } from '../actors/seeding.ts';
import { newSuperAdmin, type Stored, type Tenant } from '../actors/tenants.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import type { Tokens } from './clients.ts';
import { type PlainResponse, postLikeFetch } from './plain-http.ts';

export const clientName = 'Client of the tests';

export interface McpClient {
  readonly clientId: string;
  readonly person: Tenant;
  readonly tokens: Tokens;
  /** Of the endpoint that it is connected to; by default that of Platform MCP. */
  readonly path?: string;
}

/** @param granted to the client; @param person by default a new super admin with every scope */
export const newMcpClient = async (
  stored: Stored,
  granted: readonly string[] = platformScopes,
  person?: Tenant,
): Promise<McpClient> => {
  const owner = person ?? (await newSuperAdmin(stored));
  return { person: owner, ...(await seedConnection(stored.database, owner.userId, clientName, granted)) };
};

export interface McpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Null for an empty body. */
  readonly body: Readonly<Record<string, unknown>>;
}

type HeaderMap = Readonly<Record<string, string>>;

export const jsonHeaders: HeaderMap = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

export const authorization = ({ tokens }: Pick<McpClient, 'tokens'>): HeaderMap => ({
  authorization: `Bearer ${tokens.accessToken}`,
});

export const postBody = async (
  { url }: Pick<Service, 'url'>,
  body: string | Uint8Array<ArrayBuffer>,
  headers: HeaderMap,
  path = '/mcp',
): Promise<McpAnswer> => readMcpAnswer(await postLikeFetch(`${url}${path}`, headers, body));

const readMcpAnswer = async (response: PlainResponse): Promise<McpAnswer> => {
  const text = await response.text();
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, text, body };
};

/** A request with exactly this method and these headers, including Host, which fetch does not allow. */
export const exchange = async (
  { url }: Pick<Service, 'url'>,
  { method = 'POST', path = '/mcp', headers = {}, body = '' }: Partial<Exchange>,
): Promise<McpAnswer> => {
  const asked = request(`${url}${path}`, { method, headers: { ...headers } });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  const parts = (await answer.toArray()) as Buffer[];
  const answered = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const text = Buffer.concat(parts).toString('utf8');
  const read = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { status: answer.statusCode ?? 0, headers: new Headers(answered), text, body: read };
};

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: HeaderMap;
  readonly body: string | Buffer;
}

/** The code in a plain error body, or in a JSON-RPC one. */
export const errorCodeOf = ({ body }: McpAnswer): unknown => {
  const { error } = body as { error?: { code?: unknown } };
  return error?.code;
};

export const versions = ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Version = (typeof versions)[number];

export interface RpcMessage {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  /** A notification when it is omitted. */
  readonly id?: unknown;
}

const perRequestMeta = (version: string) => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** Body and headers of a message as a client of this version sends it. */
export const requestIn = (
  version: Version,
  message: RpcMessage,
): { readonly body: string; readonly headers: HeaderMap } => {
  if (version !== '2026-07-28') {
    return { body: JSON.stringify({ jsonrpc: '2.0', ...message }), headers: { 'mcp-protocol-version': version } };
  }
  const params = { ...message.params, _meta: { ...perRequestMeta(version), ...metaIn(message) } };
  const name = message.params?.['name'];
  return {
    body: JSON.stringify({ jsonrpc: '2.0', ...message, params }),
    headers: {
      'mcp-protocol-version': version,
      'mcp-method': message.method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  };
};

const metaIn = ({ params }: RpcMessage): object => {
  const meta = params?.['_meta'];
  return typeof meta === 'object' && meta !== null ? meta : {};
};

export const send = (
  service: Pick<Service, 'url'>,
  client: Pick<McpClient, 'tokens' | 'path'>,
  message: RpcMessage,
  version: Version = '2025-11-25',
): Promise<McpAnswer> => {
  const { body, headers } = requestIn(version, message);
  return postBody(service, body, { ...jsonHeaders, ...authorization(client), ...headers }, client.path);
};

export const callTool = (
  service: Pick<Service, 'url'>,
  client: Pick<McpClient, 'tokens' | 'path'>,
  name: string,
  given: Readonly<Record<string, unknown>> = {},
  version: Version = '2025-11-25',
): Promise<McpAnswer> =>
  send(service, client, { id: 1, method: 'tools/call', params: { name, arguments: given } }, version);

export const listedNames = ({ body, text }: McpAnswer): string[] => {
  const { result } = body as { result?: { tools?: readonly { name: string }[] } };
  if (result?.tools === undefined) throw new Error(`No tools in ${text}`);
  return result.tools.map(({ name }) => name);
};

const idKey = 'gatehouse/correlationId';

/** From a result or an error; null when neither has it. */
export const correlationIdOf = ({ body }: McpAnswer): string | null => {
  const { result, error } = body as {
    result?: { _meta?: Record<string, unknown> };
    error?: { data?: { _meta?: Record<string, unknown> } };
  };
  const id = result?._meta?.[idKey] ?? error?.data?._meta?.[idKey];
  return typeof id === 'string' ? id : null;
};

export interface AuditRow {
  readonly actor: string;
  readonly credential: string;
  readonly client: string;
  readonly tool: string;
  readonly outcome: string;
  readonly correlation: string;
  readonly digest: string;
}

/** Every recorded call, the oldest first. */
export const auditRows = ({ sql }: Pick<Stored, 'sql'>): Promise<AuditRow[]> =>
  sql<AuditRow>(
    `SELECT actor_user_id AS actor, credential_id AS credential, client_id AS client, tool, outcome,
       correlation_id AS correlation, argument_digest AS digest FROM mcp_tool_audits ORDER BY position`,
  );

export const rowsOf = async <T>(
  stored: Pick<Stored, 'sql'>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly rows: readonly AuditRow[] }> => {
  const { length } = await auditRows(stored);
  const result = await work();
  return { result, rows: (await auditRows(stored)).slice(length) };
};
