/** Clients that connect over HTTP: super admins see each step, and no secret is stored. */
import { beforeAll, describe, expect, it } from 'vitest';
import { doctorToken } from '../../src/domain/client-onboarding/steps.ts';
import type { ConnectionRule } from '../../src/kernel/errors.ts';
import { newId } from '../../src/kernel/ids.ts';
import { listedConnections, type ShownConnection, stepsOf } from '../support/actors/connections.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { findSecrets, tablesAsText } from '../support/checks/secret-scan.ts';
import {
  answerIn,
  askSuperAdmin,
  authorizationQuery,
  beginAuthorization,
  csrfTokenIn,
  PageBrowser,
  redirectUri,
} from '../support/clients/authorization.ts';
import { goodPassword, newAddress, register as signUp } from '../support/clients/clients.ts';
import { authorization, jsonHeaders, type McpAnswer, newMcpClient, postBody } from '../support/clients/mcp.ts';
import {
  challengeOf,
  clientTokensOf,
  newVerifier,
  type OAuthAnswer,
  postForm,
  refreshOf,
} from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

/** The one connection that a filter finds, with everything recorded about it. */
const reported = async (filter: object, steps: number): Promise<ShownConnection> => {
  await service.flush();
  const { nodes } = await listedConnections(service, root, filter);
  const [connection] = nodes;
  if (connection === undefined || nodes.length > 1) throw new Error(`${nodes.length} connections`);
  expect(connection.steps.length).toBeGreaterThanOrEqual(steps);
  return connection;
};

const as = (userAgent: string) => ({ 'user-agent': userAgent });

const register = async (agent: string, metadata: object = {}): Promise<string | undefined> => {
  const response = await fetch(`${service.url}/auth/mcp/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...as(agent) },
    body: JSON.stringify({ client_name: agent, redirect_uris: [redirectUri], ...metadata }),
  });
  return ((await response.json()) as { client_id?: string }).client_id;
};

const newClient = async (agent: string): Promise<string> => {
  const clientId = await register(agent);
  if (clientId === undefined) throw new Error('Not registered');
  return clientId;
};

const tokenAs = (agent: string, form: Record<string, string>): Promise<OAuthAnswer> =>
  postForm(service, 'token', form, as(agent));

const whoami = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'mcp_whoami' } };

const callAs = (
  agent: string,
  headers: Readonly<Record<string, string>>,
  message: object = whoami,
): Promise<McpAnswer> => postBody(service, JSON.stringify(message), { ...jsonHeaders, ...as(agent), ...headers });

/** A person has approved: the parameters of the token request. */
const redemption = async (
  clientId: string,
  further: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> => {
  const verifier = newVerifier();
  const asked = await askSuperAdmin(service, clientId, { ...further, code_challenge: challengeOf(verifier) });
  const { location } = await asked.browser.post(asked.path, { decision: 'approve', csrf_token: asked.csrf });
  const { code = '' } = answerIn(location);
  return {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
};

// Contract: platform-mcp#bounds-of-the-record — Nothing secret is kept of a connection
it('A connecting client is one connection, recorded step by step, without a secret', async () => {
  const agent = 'journey/1.0';
  await callAs(agent, {});
  for (const path of ['oauth-protected-resource/mcp', 'oauth-authorization-server'])
    await fetch(`${service.url}/.well-known/${path}`, { headers: as(agent) });
  const clientId = await newClient(agent);
  const [verifier, state] = [newVerifier(), 'a state that is a secret of the client'];
  const challenge = challengeOf(verifier);
  const asked = await askSuperAdmin(service, clientId, { code_challenge: challenge, state });
  const { location } = await asked.browser.post(asked.path, { decision: 'approve', csrf_token: asked.csrf });
  // Going back in the browser is not a refusal.
  const back = await asked.browser.get(asked.path);
  expect([back.status, back.text]).toEqual([410, expect.stringContaining('already answered') as unknown]);
  const { code = '' } = answerIn(location);
  const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri };
  const first = clientTokensOf(await tokenAs(agent, { ...form, code_verifier: verifier }));
  await callAs(agent, authorization({ tokens: first }));
  // An unknown tool is not a refusal of the connection.
  await callAs(agent, authorization({ tokens: first }), { ...whoami, params: { name: 'no_such_tool' } });
  const connected = await reported({ clientId }, 8);
  expect(connected).toMatchObject({ status: 'CONNECTED', firstRefusal: null, ip: '127.0.0.1', userAgent: agent });
  const second = clientTokensOf(await tokenAs(agent, refreshOf(clientId, first.refreshToken)));
  await tokenAs(agent, { ...form, code_verifier: verifier });
  await tokenAs(agent, refreshOf(clientId, second.refreshToken));

  const connection = await reported({ clientId }, 11);
  expect(stepsOf(connection)).toEqual([
    'challenge',
    'resource_metadata',
    'server_metadata',
    'registration',
    'authorization',
    'consent',
    'token',
    'call',
    'refresh',
    'token: code_replayed',
    'refresh: refresh_refused',
  ]);
  expect(connection).toMatchObject({ id: connected.id, clientId, clientName: agent });
  expect(connection).toMatchObject({ status: 'REFUSED', firstRefusal: { step: 'token', rule: 'code_replayed' } });

  const secrets = new Map<string, string>([
    ['code', code],
    ['verifier', verifier],
    ['challenge', challenge],
    ['state', state],
    ['token against forged answers', asked.csrf],
    ['password', goodPassword],
    ...[first, second].flatMap((tokens) => Object.entries(tokens)),
    ...['auth_access', 'auth_refresh'].map((name) => [name, asked.browser.valueOf(name) ?? 'no cookie'] as const),
  ]);
  expect([...secrets.values()].every((secret) => secret.length > 8)).toBe(true);
  const record = (await tablesAsText(service.sql)).filter(({ name }) => name.includes('mcp_connection'));
  expect(record.map(({ name }) => name)).toEqual(['table public.mcp_connection_steps', 'table public.mcp_connections']);
  for (const { bytes } of record) expect(bytes.length).toBeGreaterThan(100);
  expect(findSecrets(secrets, record)).toEqual([]);
});

const authorize = async (clientId: string, changes: Parameters<typeof authorizationQuery>[1]): Promise<void> => {
  await new PageBrowser(service).get(`/auth/mcp/authorize?${authorizationQuery(clientId, changes)}`);
};

/** Takes a user with this address to the consent page, and answers for them. */
const answerAs = async (clientId: string, email: string, decision: string): Promise<void> => {
  const browser = new PageBrowser(service);
  await browser.signIn(service, email);
  const path = await beginAuthorization(browser, clientId);
  const page = await browser.get(path);
  if (page.status === 200) await browser.post(path, { decision, csrf_token: csrfTokenIn(page) });
};

interface RefusedStep {
  readonly rule: ConnectionRule;
  readonly step: string;
  readonly detail: string | null;
  readonly mend: string;
  readonly act: (clientId: string) => Promise<unknown>;
}

const refused = (
  ...[rule, step, detail, mend, act]: readonly [RefusedStep['rule'], string, string | null, string, RefusedStep['act']]
): RefusedStep => ({ rule, step, detail, mend, act });

const ordinary = newAddress();

const table: readonly RefusedStep[] = [
  refused('redirect_uri_not_registered', 'authorization', 'https://other.example/callback', 'registers the URI', (id) =>
    authorize(id, { redirect_uri: 'https://other.example/callback?secret=1' }),
  ),
  refused('pkce_missing', 'authorization', null, 'OAuth 2.1', (id) => authorize(id, { code_challenge: null })),
  refused('request_malformed', 'authorization', null, 'Connect again', (id) =>
    authorize(id, { response_type: 'token' }),
  ),
  refused('resource_foreign', 'authorization', 'https://other.example/mcp', 'BASE_URL/mcp', (id) =>
    authorize(id, { resource: 'https://other.example/mcp' }),
  ),
  refused('scope_unknown', 'authorization', 'MEMBERS_VIEW', 'Remove the scopes', (id) =>
    authorize(id, { scope: 'MEMBERS_VIEW openid' }),
  ),
  refused('not_super_admin', 'consent', ordinary, 'gatehouse create-super-admin', async (id) => {
    await signUp(service, ordinary);
    await answerAs(id, ordinary, 'approve');
  }),
  refused('scope_not_held', 'consent', null, '--scopes', async (id) => {
    const { browser, path, csrf } = await askSuperAdmin(service, id, { scopes: ['users:view'], scope: 'users:view' });
    await service.sql(`UPDATE users SET platform_scopes = '{mcp:whoami}' WHERE platform_scopes = '{users:view}'`);
    await browser.post(path, { decision: 'approve', csrf_token: csrf });
  }),
  refused('consent_denied', 'consent', null, 'approve', async (id) => {
    const { browser, path, csrf } = await askSuperAdmin(service, id);
    await browser.post(path, { decision: 'deny', csrf_token: csrf });
  }),
  refused('consent_expired', 'consent', null, 'within ten minutes', async (id) => {
    const { browser, path, csrf } = await askSuperAdmin(service, id);
    await service.sql('UPDATE oauth_requests SET expires_at = now() WHERE client_id = $1', [id]);
    await browser.post(path, { decision: 'approve', csrf_token: csrf });
  }),
  refused('consent_other_browser', 'consent', null, 'allow cookies', async (id) => {
    const { path, csrf } = await askSuperAdmin(service, id);
    const other = await askSuperAdmin(service, await newClient('another agent'));
    await other.browser.post(path, { decision: 'approve', csrf_token: csrf });
  }),
  refused('code_unknown', 'token', null, 'DATABASE_URL', async (id) =>
    tokenAs('agent', { ...(await redemption(id)), code: newVerifier() }),
  ),
  refused('code_expired', 'token', null, 'Connect again', async (id) => {
    const form = await redemption(id);
    await service.sql('UPDATE oauth_codes SET expires_at = now() WHERE client_id = $1', [id]);
    await tokenAs('agent', form);
  }),
  refused('code_other_client', 'token', null, 'one client at a time', async (id) => {
    const form = await redemption(await newClient('another agent'));
    await tokenAs('agent', { ...form, client_id: id });
  }),
  refused('verifier_mismatch', 'token', null, 'verifier', async (id) =>
    tokenAs('agent', { ...(await redemption(id)), code_verifier: newVerifier() }),
  ),
  refused('refresh_superseded', 'refresh', null, 'Nothing, as long as', async (id) => {
    const { refreshToken } = clientTokensOf(await tokenAs('agent', await redemption(id)));
    for (const _twice of [1, 2]) await tokenAs('agent', refreshOf(id, refreshToken));
  }),
  refused('scope_widened', 'refresh', 'sessions:revoke', 'additional scopes', async (id) => {
    const { refreshToken } = clientTokensOf(await tokenAs('agent', await redemption(id, { scope: 'mcp:whoami' })));
    await tokenAs('agent', { ...refreshOf(id, refreshToken), scope: 'sessions:revoke' });
  }),
  refused('client_revoked', 'authorization', null, 'registers as a new client', async (id) => {
    await service.sql('UPDATE oauth_clients SET revoked_at = now() WHERE id = $1', [id]);
    await authorize(id, {});
  }),
];

const passedIn = ({ steps }: ShownConnection) => steps.filter(({ rule }) => rule === null).length;

describe('A refused client', () => {
  const clients = new Map<ConnectionRule, string>();
  // Refuses all of them first: steps are written two seconds later.
  beforeAll(async () => {
    for (const { rule, act } of table) {
      const clientId = await newClient('agent');
      clients.set(rule, clientId);
      await act(clientId);
    }
  });

  // Contract: platform-mcp#steps-of-a-connection — Refusals over HTTP, each at its step
  it.each(table)('by $rule is recorded at its step, with its fix', async ({ rule, step, detail, mend }) => {
    await service.flush();
    const [shown] = (await listedConnections(service, root, { clientId: clients.get(rule), status: 'REFUSED' })).nodes;
    expect(shown?.firstRefusal).toMatchObject({ step, rule, detail });
    expect(shown?.firstRefusal?.mend).toContain(mend);
    expect(shown && passedIn(shown)).toBeGreaterThan(0);
  });

  it('by redirect_uri_not_allowed names the URI to allow, without its query', async () => {
    const uri = 'https://client.example/callback';
    const clientId = await register('refused uri', { redirect_uris: [`${uri}?secret=1`] });
    const { firstRefusal } = await reported({ search: 'refused uri' }, 1);
    expect(clientId).toBeDefined();
    expect(firstRefusal).toMatchObject({ step: 'registration', rule: 'redirect_uri_not_allowed', detail: uri });
    expect(firstRefusal?.mend).toContain('MCP_REDIRECT_ALLOW_LIST');
  });

  // Contract: platform-mcp#status-of-a-connection — The doctor's probe is not a refusal
  it('does not include the doctor, whose token is accepted nowhere', async () => {
    const { status } = await callAs('gatehouse-doctor', { authorization: `Bearer ${doctorToken}` });
    const connection = await reported({ search: 'gatehouse-doctor' }, 1);
    expect([status, stepsOf(connection)]).toEqual([401, ['challenge']]);
    expect(connection).toMatchObject({ status: 'UNFINISHED', firstRefusal: null });
  });

  it('by registration_malformed is recorded without a client', async () => {
    expect(await register('malformed agent', { redirect_uris: 'none' })).toBeUndefined();
    const connection = await reported({ search: 'malformed agent' }, 1);
    expect(connection).toMatchObject({ clientId: null, clientName: null });
    expect(connection.firstRefusal).toMatchObject({ step: 'registration', rule: 'registration_malformed' });
  });

  it('by client_unknown explains that the client reuses an old registration', async () => {
    await tokenAs('forgetful agent', { ...refreshOf(newId(), newVerifier()) });
    const { firstRefusal } = await reported({ search: 'forgetful agent' }, 1);
    expect(firstRefusal).toMatchObject({ step: 'refresh', rule: 'client_unknown' });
    expect(firstRefusal?.mend).toContain('Remove the saved server');
  });

  const secret = (): string => `gate_a_${newVerifier()}abcdef`;
  const atMcp: readonly (readonly [
    ConnectionRule,
    string,
    string | null,
    string,
    (agent: string) => Promise<unknown>,
  ])[] = [
    ['portal_token', 'challenge', null, 'Never paste a portal token', (agent) => callAs(agent, authorization(root))],
    [
      'token_not_accepted',
      'challenge',
      null,
      'connect again',
      (agent) => callAs(agent, { authorization: `Bearer ${secret()}` }),
    ],
    [
      'host_or_origin',
      'challenge',
      'https://foreign.example',
      'TRUST_PROXY',
      (agent) => callAs(agent, { origin: 'https://foreign.example' }),
    ],
    [
      'protocol_version',
      'call',
      '1999-01-01',
      'Update the client',
      async (agent) =>
        callAs(agent, { ...authorization(await newMcpClient(service)), 'mcp-protocol-version': '1999-01-01' }),
    ],
    [
      'message_malformed',
      'call',
      null,
      'Streamable HTTP',
      async (agent) => callAs(agent, authorization(await newMcpClient(service)), [whoami]),
    ],
    [
      'tool_denied',
      'call',
      null,
      'which scope the tool needs',
      async (agent) => callAs(agent, authorization(await newMcpClient(service, ['users:view']))),
    ],
  ];
  it.each(atMcp)('by %s at /mcp is recorded at its step, with its fix', async (rule, step, detail, mend, act) => {
    const agent = `agent of ${rule}`;
    await act(agent);
    const { status, firstRefusal } = await reported({ search: agent }, 1);
    expect({ status, step: firstRefusal?.step, rule: firstRefusal?.rule }).toEqual({ status: 'REFUSED', step, rule });
    expect(firstRefusal?.mend).toContain(mend);
    if (detail !== null) expect(firstRefusal?.detail).toContain(detail);
  });

  it('is resolved by the next success, whatever the refused message was', async () => {
    const headers = authorization(await newMcpClient(service));
    const agent = 'agent that comes back';
    await callAs(agent, headers);
    await callAs(agent, { ...headers, 'mcp-protocol-version': '1999-01-01' });
    expect((await reported({ search: agent }, 2)).status).toBe('REFUSED');
    await callAs(agent, headers);
    expect((await reported({ search: agent }, 2)).status).toBe('CONNECTED');
  });
});
