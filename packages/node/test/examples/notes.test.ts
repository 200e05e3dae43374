/** The starting points in examples/ for back ends: one table of requests, which each answers alike. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { createWorld, type Person } from '@gatehouse/testing';
import { describe, expect, it } from 'vitest';
import application from '../../../../examples/application.ts';
import { type HeaderLines, sendLines } from '../../../../server/test/support/clients/entry-points.ts';
import { fixture } from '../../../../server/test/support/fixture.ts';
import { type Example, notesExamples, runs, startExample } from './start-example.ts';

const frontendUrl = 'https://id.acme.example';

const world = fixture(() => createWorld({ application }));
const people = fixture(async () => ({
  editor: await world.person({ role: 'EDITOR', organization: 'Acme', name: 'Ada' }),
  member: await world.person({ role: 'MEMBER', organization: 'Acme' }),
  stranger: await world.person({ role: 'OWNER', organization: 'Harbor' }),
  ada: await world.person({ role: 'OWNER', email: 'ada@acme.example' }),
}));

const canRunCurl = runs('curl', '--version') && runs('jq', '--version');
const runnable = notesExamples.filter((example) => example.missing === null);
const missing = notesExamples.filter((example) => example.missing !== null);

type Who = keyof typeof people;

const json = ['content-type', 'application/json'] as const;
const note = JSON.stringify({ text: 'Hello' });
const bearer = async (who: Who): Promise<HeaderLines[number]> => ['authorization', await people[who].bearer()];
/** With the other cookies of the portal. */
const cookie = async (who: Who): Promise<HeaderLines[number]> => ['cookie', `a=b; ${await people[who].cookies()}`];
const fromPortal = (): HeaderLines[number] => ['origin', world.frontendUrl];
const forged: HeaderLines = [
  ['x-auth-user-id', 'forged'],
  ['x-auth-organization-id', 'forged'],
  ['x-auth-scopes', 'notes:read notes:write'],
  ['x-forwarded-method', 'GET'],
  ['x-original-method', 'GET'],
];

interface Row {
  readonly title: string;
  readonly method: 'GET' | 'POST';
  readonly lines: () => Promise<HeaderLines> | HeaderLines;
  readonly body?: string;
  /** The status, and the code of a refusal. */
  readonly answer: readonly [status: number, code?: string];
}

const table: readonly Row[] = [
  { title: 'nobody', method: 'GET', lines: () => [], answer: [401, 'UNAUTHENTICATED'] },
  { title: 'nobody who writes', method: 'POST', lines: () => [json], answer: [401, 'UNAUTHENTICATED'] },
  { title: 'nobody with forged headers', method: 'GET', lines: () => forged, answer: [401, 'UNAUTHENTICATED'] },
  {
    title: 'a malformed Bearer beside a good cookie',
    method: 'GET',
    lines: async () => [['authorization', 'Bearer x'], await cookie('editor')],
    answer: [401, 'UNAUTHENTICATED'],
  },
  {
    title: 'an empty Authorization beside a good cookie',
    method: 'GET',
    lines: async () => [['authorization', ''], await cookie('editor')],
    answer: [401, 'UNAUTHENTICATED'],
  },
  {
    title: 'the cookie twice',
    method: 'GET',
    lines: async () => [['cookie', `${(await cookie('editor'))[1]}; ${(await cookie('member'))[1]}`]],
    answer: [401, 'UNAUTHENTICATED'],
  },
  { title: 'a Bearer that reads', method: 'GET', lines: async () => [await bearer('member')], answer: [200] },
  { title: 'a Bearer that writes', method: 'POST', lines: async () => [await bearer('editor'), json], answer: [201] },
  {
    title: 'a Bearer without the scope',
    method: 'POST',
    lines: async () => [await bearer('member'), json, ...forged],
    answer: [403, 'FORBIDDEN'],
  },
  { title: 'the cookie that reads', method: 'GET', lines: async () => [await cookie('member')], answer: [200] },
  {
    title: 'the cookie from a page of the front end',
    method: 'POST',
    lines: async () => [await cookie('editor'), fromPortal(), json],
    answer: [201],
  },
  {
    title: 'the cookie with a Referer of the front end',
    method: 'POST',
    lines: async () => [await cookie('editor'), ['referer', `${world.frontendUrl}/x`], json],
    answer: [201],
  },
  {
    title: 'the cookie without an Origin',
    method: 'POST',
    lines: async () => [await cookie('editor'), json, ...forged],
    answer: [403, 'ORIGIN_REFUSED'],
  },
  {
    title: 'the cookie from a foreign page',
    method: 'POST',
    lines: async () => [await cookie('editor'), ['origin', 'https://evil.example'], json],
    answer: [403, 'ORIGIN_REFUSED'],
  },
  {
    title: 'the cookie and an upgrade',
    method: 'GET',
    lines: async () => [await cookie('editor'), ['connection', 'upgrade'], ['upgrade', 'anything']],
    answer: [403, 'ORIGIN_REFUSED'],
  },
  {
    title: 'a note without a text',
    method: 'POST',
    lines: async () => [await bearer('editor'), json],
    body: '{}',
    answer: [400],
  },
  {
    title: 'nobody with a note without a text',
    method: 'POST',
    lines: () => [json],
    body: '{}',
    answer: [401, 'UNAUTHENTICATED'],
  },
];

/** All at once: each needs a moment to start. */
const running = fixture(
  async () => {
    const settings = { GATEHOUSE_URL: world.url, GATEHOUSE_FRONTEND_URL: frontendUrl };
    const starting = runnable.map(async (example) => [example.name, await startExample(example, settings)] as const);
    return Object.fromEntries(await Promise.all(starting));
  },
  (started) => Promise.all(Object.values(started).map((example) => example.close())),
);

const urlOf = ({ name }: Example): string => running[name]?.url ?? '';

const ask = async (example: Example, method: string, lines: HeaderLines, body = note) => {
  const reply = await sendLines(`${urlOf(example)}/notes?a=1&b=2`, method, lines, method === 'POST' ? body : '');
  return { ...reply, json: () => JSON.parse(reply.body) as unknown };
};

const read = async (example: Example, person: Person) =>
  ask(example, 'GET', [['authorization', await person.bearer()]]);

const browser = ['accept', 'text/html,application/xhtml+xml'] as const;

describe.each(runnable)('$name', (example) => {
  it.each(table)('answers $title, $method: $answer', async ({ method, lines, body, answer: [status, code] }) => {
    const reply = await ask(example, method, await lines(), body);
    expect([reply.status, reply.body]).toEqual([status, expect.any(String)]);
    if (code !== undefined) expect(reply.json()).toMatchObject({ error: { code } });
    expect(reply.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
  });

  it('names the missing scopes', async () => {
    expect((await ask(example, 'POST', [await bearer('member'), json])).json()).toMatchObject({
      error: { code: 'FORBIDDEN', missingScopes: ['notes:write'] },
    });
  });

  it('shows the notes of an organization to its members alone', async () => {
    const mine = await world.person({ role: 'EDITOR', name: 'Ada' });
    const colleague = await world.person({ role: 'MEMBER', organization: mine.organizationId });
    const written = await ask(example, 'POST', [['authorization', await mine.bearer()], json]);
    expect([written.status, written.json()]).toEqual([201, { text: 'Hello', author: 'Ada' }]);
    expect((await read(example, colleague)).json()).toEqual({ notes: [{ text: 'Hello', author: 'Ada' }] });
    expect((await read(example, people.stranger)).json()).toEqual({ notes: [] });
  });

  it('refuses an ended session with the very next request', async () => {
    const person = await world.person();
    expect((await read(example, person)).status).toBe(200);
    await person.signOut();
    expect((await read(example, person)).status).toBe(401);
  });

  it('sends a browser that navigates to the sign-in page, and a script not', async () => {
    const reply = await ask(example, 'GET', [browser]);
    const back = encodeURIComponent(`${urlOf(example)}/notes?a=1&b=2`);
    expect([reply.status, reply.headers.location]).toEqual([302, `${frontendUrl}/signin?redirect=${back}`]);
    expect((await ask(example, 'GET', [browser, ['authorization', 'Bearer x']])).status).toBe(401);
    expect((await ask(example, 'GET', [['accept', '*/*']])).status).toBe(401);
    expect((await ask(example, 'POST', [browser, json])).status).toBe(401);
  });
});

describe.skipIf(!canRunCurl)('With curl and jq', () => {
  /** The commands of a README, for the addresses and the password of this test. */
  const commandsOf = async (example: Example): Promise<string> => {
    const page = await readFile(new URL(`../../../../examples/${example.name}/README.md`, import.meta.url), 'utf8');
    return (/```bash\n([\s\S]+?)```/.exec(page)?.[1] ?? '')
      .replaceAll('http://localhost:4000', world.url)
      .replaceAll('http://localhost:3000', urlOf(example))
      .replaceAll('Demo.gate1', people.ada.password);
  };

  it.each(runnable)('$name answers as its README says', async (example) => {
    const { stdout } = await promisify(execFile)('bash', ['-c', await commandsOf(example)]);
    const statuses = [...stdout.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => Number(status));
    expect(statuses).toEqual([401, 201, 200, 403, 201, 302, 401]);
  });
});

describe('When access tokens have expired', () => {
  fixture(() => world.clock.advance(15 * 60).then(() => ({})));

  it.each(runnable)('$name tells a script, and sends a browser to the portal, which refreshes', async (example) => {
    const reply = await ask(example, 'GET', [await cookie('member')]);
    expect([reply.status, reply.json()]).toMatchObject([401, { error: { code: 'ACCESS_EXPIRED' } }]);
    expect((await ask(example, 'GET', [await cookie('member'), browser])).status).toBe(302);
  });
});

describe('When Gatehouse has stopped', () => {
  fixture(() => world.close().then(() => ({})));

  it.each(runnable)('$name answers 503, and treats no user as signed out', async (example) => {
    for (const lines of [[], [browser], [await cookie('member'), browser], [await bearer('member')]]) {
      const reply = await ask(example, 'GET', lines);
      expect([reply.status, reply.json()]).toMatchObject([503, { error: { code: 'UNAVAILABLE' } }]);
    }
  });
});

it.for(missing)('$name runs where its runtime is installed', (example, { skip }) =>
  skip(`Missing: ${example.missing}`),
);
