/** What the starting points ask the service, and what they believe of its answers: with a stand-in for the service. */
import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { type HeaderLines, sendLines } from '../../../../server/test/support/clients/entry-points.ts';
import { fixture } from '../../../../server/test/support/fixture.ts';
import { listen } from '../../../../server/test/support/servers/listen.ts';
import { notesExamples, startExample } from './start-example.ts';

const identity = JSON.stringify({
  actor: { kind: 'PERSON', id: 'p', name: 'Ada', email: 'ada@acme.example' },
  user: { id: 'p', email: 'ada@acme.example', name: 'Ada', emailValidatedAt: null, isSuperAdmin: false },
  membership: { id: 'm', role: 'OWNER', organization: { id: 'o', name: 'Acme' } },
  scopes: ['notes:read', 'notes:write'],
});

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

const good: Answer = { status: 200, body: identity };

const standIn = fixture(async () => {
  const asked: { url: string; headers: IncomingMessage['headers'] }[] = [];
  const state = { answer: good, asked };
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ url, headers });
    const { status, body, type = 'application/json' } = url === '/elsewhere' ? good : state.answer;
    response.writeHead(status, { 'content-type': type, location: '/elsewhere' }).end(body);
  });
  const { url, close } = await listen(server);
  return Object.assign(state, { url, close });
});

const withAccess: HeaderLines = [['cookie', 'auth_refresh=r; auth_access=a; helper_session=h']];
const fromPage: HeaderLines = [
  ['origin', 'https://app.acme.example'],
  ['referer', 'https://app.acme.example/page'],
];
const others: HeaderLines = [
  ['user-agent', 'a browser'],
  ['x-forwarded-for', '192.0.2.1'],
  ['x-forwarded-method', 'GET'],
  ['x-auth-user-id', 'forged'],
  ['accept-language', 'de'],
  ['content-type', 'application/json'],
];

describe.each(notesExamples.filter(({ missing }) => missing === null))('$name', (example) => {
  const running = fixture(() => startExample(example, { GATEHOUSE_URL: standIn.url }));

  const ask = async (method: string, lines: HeaderLines, answer = good) => {
    standIn.answer = answer;
    standIn.asked.length = 0;
    return sendLines(`${running.url}/notes`, method, lines, method === 'POST' ? '{"text":"Hello"}' : '');
  };
  const credentials = () =>
    standIn.asked.map(({ headers: { authorization, cookie, origin, referer } }) => ({
      authorization,
      cookie,
      origin,
      referer,
    }));

  it('hands on the cookie auth_access with Origin and Referer, or Authorization alone, and the method', async () => {
    expect((await ask('POST', [...withAccess, ...fromPage, ...others])).status).toBe(201);
    expect(credentials()).toEqual([
      { cookie: 'auth_access=a', origin: 'https://app.acme.example', referer: 'https://app.acme.example/page' },
    ]);
    expect(standIn.asked[0]?.url).toMatch(/^\/auth\/identity\?.*method=POST/);
    const asked = JSON.stringify(standIn.asked);
    expect((await ask('GET', [['authorization', 'Bearer b'], ...withAccess, ...fromPage, ...others])).status).toBe(200);
    expect(credentials()).toEqual([{ authorization: 'Bearer b' }]);
    expect(standIn.asked[0]?.url).toMatch(/method=GET/);
    expect(asked + JSON.stringify(standIn.asked)).not.toMatch(/a browser|192\.0\.2\.1|forged|"de"|auth_refresh|helper/);
  });

  it('asks for each request', async () => {
    for (const answer of [good, { status: 401, body: '{"error":{"code":"UNAUTHENTICATED","message":"x"}}' }, good]) {
      expect((await ask('GET', withAccess, answer)).status).toBe(answer.status);
      expect(standIn.asked).toHaveLength(1);
    }
  });

  it.each<Answer & { readonly title: string }>([
    { title: 'a 503', status: 503, body: '{"error":{"code":"UNAVAILABLE","message":"x"}}' },
    { title: 'a 500', status: 500, body: '{"error":{"code":"INTERNAL","message":"x"}}' },
    { title: 'a 401 of another server', status: 401, body: '<h1>Unauthorized</h1>', type: 'text/html' },
    { title: 'a 401 in other JSON', status: 401, body: '{"error":"unauthorized"}' },
    { title: 'a redirect', status: 302, body: '' },
    { title: 'a page', status: 200, body: '<h1>Welcome</h1>', type: 'text/html' },
    { title: 'other JSON', status: 200, body: '{}' },
    { title: 'a 404', status: 404, body: '{"error":{"code":"NOT_FOUND","message":"x"}}' },
  ])('takes $title for a service that does not answer', async ({ title: _, ...answer }) => {
    for (const accept of ['*/*', 'text/html']) {
      const reply = await ask('GET', [...withAccess, ['accept', accept]], answer);
      expect([reply.status, JSON.parse(reply.body)]).toMatchObject([503, { error: { code: 'UNAVAILABLE' } }]);
    }
    expect(standIn.asked.map(({ url }) => url)).not.toContain('/elsewhere');
  });
});
