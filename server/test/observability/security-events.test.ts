/** Security events in the log: each under its stable name, once, with the id of its request and no secret. */
import { describe, expect, it } from 'vitest';
import { events } from '../../src/platform/observability/events.ts';
import { ageRotation, refresh } from '../support/actors/credentials.ts';
import { newMember, newOwner, runAs } from '../support/actors/tenants.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
} from '../support/clients/clients.ts';
import { callTool, newMcpClient } from '../support/clients/mcp.ts';
import { eventProblem } from '../support/gatehouse/event-lines.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture({ STRIPE_WEBHOOK_SECRET: 'whsec_of_the_tests' });

interface Line {
  readonly event: string;
  readonly level: string;
  readonly security?: boolean;
  readonly correlationId?: string;
  readonly [field: string]: unknown;
}

/** The security events during `work`, and the whole log of that time, as text. */
const watching = async <Result>(work: () => Promise<Result>) => {
  const start = service.logs.length;
  const result = await work();
  const texts = service.logs.slice(start);
  const lines = texts.map((text) => JSON.parse(text) as Line).filter(({ security }) => security === true);
  return { result, lines, text: texts.join('') };
};

const idOf = ({ headers }: Pick<Answer, 'headers'>): string | null => headers.get('x-correlation-id');

describe('The log has once, without a secret,', () => {
  it('a wrong password, and of a sign-up', async () => {
    const email = newAddress();
    const input = { email, name: 'Test Person', password: goodPassword };
    const signedUp = await watching(() => post(service.url, operations.signUp, { input }));
    expect(signedUp.lines).toMatchObject([{ event: 'auth.signed_up', correlationId: idOf(signedUp.result) }]);
    const password = 'Wrong.horse77';
    const { result, lines, text } = await watching(() =>
      post(service.url, operations.signIn, { input: { email, password } }),
    );
    expect(lines).toMatchObject([
      { event: 'auth.sign_in_refused', code: 'INVALID_CREDENTIALS', correlationId: idOf(result), ip: '127.0.0.1' },
    ]);
    for (const secret of [email, password, goodPassword]) expect(signedUp.text + text).not.toContain(secret);
  });

  it('a replayed refresh token', async () => {
    const { tokens } = await registerAndSignIn(service);
    await refresh(service, tokens);
    await ageRotation(service, tokens, 61);
    const first = await watching(() => refresh(service, tokens));
    expect(first.lines).toMatchObject([
      { event: 'auth.refresh.reuse', level: 'warn', correlationId: idOf(first.result) },
    ]);
    const again = await watching(() => refresh(service, tokens));
    expect(again.lines).toEqual([]);
    for (const token of Object.values(tokens)) expect(first.text + again.text).not.toContain(token);
  });

  // Contract: operation#security-events — Denied operations are events
  it('a denied operation, under any name and however often it is requested', async () => {
    const owner = await newOwner(service);
    const other = await newMember(service, owner.organizationId);
    const { result, lines, text } = await watching(() =>
      runAs(service, other, 'mutation Harmless { a: renameOrganization(name: "Stolen") { id } }'),
    );
    expect(result.code).toBe('FORBIDDEN');
    expect(lines).toMatchObject([
      {
        event: 'access.denied',
        code: 'FORBIDDEN',
        userId: other.userId,
        operation: 'renameOrganization',
        correlationId: idOf(result),
      },
    ]);
    expect(text).not.toContain('Stolen');
    expect(text).not.toContain('Harmless');
    const rows = await service.sql('SELECT id FROM organizations WHERE name = $1', ['Stolen']);
    expect(rows).toEqual([]);
  });

  // Contract: operation#security-events — Changes by cookies from foreign pages are events
  it('a change by cookies from a page of another site', async () => {
    const email = await register(service);
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    const { result, lines, text } = await watching(() =>
      browser.run(operations.signOutEverywhere, {}, { origin: 'https://evil.example' }),
    );
    expect(result.code).toBe('ORIGIN_REFUSED');
    expect(lines).toMatchObject([
      { event: 'access.denied', code: 'ORIGIN_REFUSED', refusals: 1, correlationId: idOf(result) },
    ]);
    // Every client can cause it at will: later ones are summarized a minute later.
    const again = await watching(() =>
      browser.run(operations.signOutEverywhere, {}, { origin: 'https://evil.example' }),
    );
    expect([again.result.code, again.lines]).toEqual(['ORIGIN_REFUSED', []]);
    for (const secret of browser.cookies.values()) expect(text).not.toContain(secret);
    expect((await browser.run(operations.me)).code).toBeNull();
  });

  it('an unsigned payment event', async () => {
    const forge = (): Promise<Response> =>
      fetch(`${service.url}/webhooks/stripe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
        body: '{"id":"evt_canary"}',
      });
    const { result, lines } = await watching(forge);
    expect(result.status).toBe(400);
    expect(lines).toMatchObject([{ event: 'billing.event_refused', refusals: 1, correlationId: idOf(result) }]);
    const again = await watching(forge);
    expect([again.result.status, again.lines]).toEqual([400, []]);
    expect(await service.sql('SELECT 1 FROM payment_events')).toEqual([]);
  });

  it('a tool that was not granted to the client', async () => {
    const client = await newMcpClient(service, ['mcp:whoami']);
    const { result, lines, text } = await watching(() =>
      callTool(service, client, 'users_search', { query: 'canary' }),
    );
    expect(lines).toMatchObject([
      { event: 'mcp.tool_called', outcome: 'deny', tool: 'users_search', correlationId: idOf(result) },
    ]);
    expect(text).not.toContain('canary');
    expect(text).not.toContain(client.tokens.accessToken);
  });

  it('nothing for requests about the user’s own data', async () => {
    const { tokens } = await registerAndSignIn(service);
    const { lines } = await watching(() => runAs(service, { tokens }, operations.me));
    expect(lines).toEqual([]);
  });
});

describe('The list of events', () => {
  // Contract: operation#security-events — Security events with stable names
  it('defines the lines of every test: name, level, fields, and whether they are of security', () => {
    const line = { level: 'info', event: 'auth.sign_in', userId: 'x', method: 'password', security: true };
    const problemOf = (change: object): string | null => eventProblem(JSON.stringify({ ...line, ...change }));
    expect(problemOf({})).toBeNull();
    expect(problemOf({ event: 'auth.signin' })).toContain('is no event');
    expect(problemOf({ level: 'warn' })).toContain('logged at warn');
    expect(problemOf({ security: undefined })).toContain('security');
    expect(problemOf({ email: 'x' })).toContain('email');
  });

  it('spells each event in one way', () => {
    for (const name of Object.keys(events)) expect(name).toMatch(/^[a-z_]+(\.[a-z_]+)*$/);
  });
});
