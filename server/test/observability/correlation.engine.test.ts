/** One id for each request: in its answer, its error, its log lines, the record of tool calls, and its mails. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { runAs } from '../support/actors/tenants.ts';
import { inParallel, range, until } from '../support/checks/concurrency.ts';
import { goodPassword, newAddress, operations, post, registerAndSignIn } from '../support/clients/clients.ts';
import { callTool, correlationIdOf, newMcpClient, rowsOf } from '../support/clients/mcp.ts';
import { embedded, postgresOnly } from '../support/database/engines.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const header = 'x-correlation-id';
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const service = serviceFixture();

interface Line {
  readonly event: string;
  readonly correlationId?: string;
}

const linesOf = (event: string): Line[] =>
  service.logs.map((line) => JSON.parse(line) as Line).filter((line) => line.event === event);

const loggedIds = (event: string, ids: readonly string[]): string[] =>
  linesOf(event)
    .map(({ correlationId = '' }) => correlationId)
    .filter((id) => ids.includes(id))
    .toSorted();

const idOf = ({ headers }: { readonly headers: Headers }): string => headers.get(header) ?? '';

describe('The correlation id of an answer', () => {
  const me = { 'content-type': 'application/json' };
  const kinds: readonly (readonly [string, string, RequestInit])[] = [
    ['a health check', '/healthz', {}],
    ['an unknown path', '/auth/none', {}],
    ['a missing file', '/assets/none.js', {}],
    ['an operation', '/graphql', { method: 'POST', headers: me, body: '{"query":"{ __typename }"}' }],
    ['a body that is not JSON', '/graphql', { method: 'POST', headers: me, body: '{' }],
    ['a body that is too large', '/graphql', { method: 'POST', headers: me, body: ' '.repeat(200_000) }],
    ['a method that is not allowed', '/graphql', { method: 'PUT' }],
    ['a malformed URL', '/%', {}],
    ['a message without a token', '/mcp', { method: 'POST', body: '{}' }],
    ['a refused registration', '/auth/mcp/register', { method: 'POST', headers: me, body: '{}' }],
  ];

  // Contract: operation#correlation-id — A correlation id in every answer
  it.each(kinds)('is new on %s each time', async (_what, path, options) => {
    const ids = [await fetch(`${service.url}${path}`, options), await fetch(`${service.url}${path}`, options)].map(
      idOf,
    );
    for (const id of ids) expect(id).toMatch(idForm);
    expect(new Set(ids).size).toBe(2);
  });

  // Contract: operation#correlation-id — Not chosen by a client
  it('is never one sent by the client', async () => {
    const chosen = '11111111-2222-4333-8444-555555555555';
    const headers = { 'x-correlation-id': chosen, 'x-request-id': chosen, 'request-id': chosen, traceparent: chosen };
    const response = await fetch(`${service.url}/healthz`, { headers });
    expect(idOf(response)).toMatch(idForm);
    expect(idOf(response)).not.toBe(chosen);
    expect(service.logs.join('')).not.toContain(chosen);
  });

  it('can be read by pages of the portal at another origin', async () => {
    const response = await fetch(`${service.url}/graphql?query=%7B__typename%7D`, {
      headers: { origin: service.portalUrl },
    });
    expect(response.headers.get('access-control-expose-headers')?.toLowerCase()).toContain(header);
  });
});

describe('The correlation id of a request', () => {
  // Contract: operation#correlation-id — Through the log
  it('is in all of its log lines, among many concurrent requests', async () => {
    const { email } = await registerAndSignIn(service);
    const answers = await inParallel(range(12), 6, (index) =>
      post(service.url, operations.signIn, {
        input: { email, password: index % 2 === 0 ? goodPassword : `${goodPassword}-wrong` },
      }),
    );
    const idsBy = (code: string | null): string[] =>
      answers
        .filter((answer) => answer.code === code)
        .map(idOf)
        .toSorted();
    const logged = (event: string): string[] => loggedIds(event, answers.map(idOf));
    expect(idsBy(null)).toHaveLength(6);
    expect(logged('auth.sign_in')).toEqual(idsBy(null));
    expect(logged('auth.sign_in_refused')).toEqual(idsBy('INVALID_CREDENTIALS'));
    const requests = linesOf('request').map(({ correlationId }) => correlationId);
    for (const answer of answers) expect(requests.filter((id) => id === idOf(answer))).toHaveLength(1);
  });

  // Contract: operation#correlation-id — Through GraphQL
  it('is in the answer to an unexpected failure', async () => {
    const { tokens } = await registerAndSignIn(service);
    await service.sql('ALTER TABLE credentials RENAME COLUMN issue_ip TO issue_ip_away');
    onTestFinished(
      async () => void (await service.sql('ALTER TABLE credentials RENAME COLUMN issue_ip_away TO issue_ip')),
    );
    const answer = await runAs(service, { tokens }, operations.mySessions);
    expect(answer.extensions).toEqual({ code: 'INTERNAL', http: { status: 500 }, correlationId: idOf(answer) });
    expect(linesOf('request.failed').filter(({ correlationId }) => correlationId === idOf(answer))).toHaveLength(1);
  });

  // Contract: operation#correlation-id — Through MCP
  it('is the one of its tool call: in the answer, in the record and in the log', async () => {
    const client = await newMcpClient(service);
    const { result, rows } = await rowsOf(service, () => callTool(service, client, 'mcp_whoami'));
    const id = idOf(result);
    expect(correlationIdOf(result)).toBe(id);
    expect(rows.map(({ correlation }) => correlation)).toEqual([id]);
    expect(linesOf('mcp.tool_called').filter(({ correlationId }) => correlationId === id)).toHaveLength(1);
  });

  // Contract: operation#correlation-id — Through the queue
  it('is kept with the mail that it queued, and with no other', async () => {
    const inputs = range(4).map(() => ({ email: newAddress(), name: 'Test Person', password: goodPassword }));
    const answers = await inParallel(inputs, 4, (input) => post(service.url, operations.signUp, { input }));
    const ids = answers.map(idOf).toSorted();
    const sent = (): string[] => loggedIds('mail.sent', ids);
    await until('every mail is sent', async () => sent().length === ids.length);
    expect(sent()).toEqual(ids);
  });
});

// Contract: operation#shared-work — Not in what requests share
it.runIf(!embedded)(`A database connection opened by a request${postgresOnly} does not belong to it`, async () => {
  await inParallel(range(16), 16, () => registerAndSignIn(service));
  await service.sql(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await until('the cut is noticed', async () => linesOf('database.connection_cut').length > 0);
  for (const line of linesOf('database.connection_cut')) expect(line).not.toHaveProperty('correlationId');
});
