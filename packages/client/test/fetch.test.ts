/** `fetch` with the session: which origins get cookies, what is retried, and what an end of the session means. */
import { describe, expect, it } from 'vitest';
import { createClient } from '../src/index.ts';
import { GatehouseInMemory, noConnection, refusalOf } from './support/gatehouse.ts';

const api = 'https://api.example';

interface Sent {
  readonly url: string;
  readonly credentials: RequestCredentials | undefined;
  readonly body: string;
}

const backEndRefusal = (code: string): Response => Response.json({ error: { code, message: code } }, { status: 401 });

/** A back end beside the service, with the answers that it gives; the last one stays. */
const openWithBackEnd = (gatehouse: GatehouseInMemory, ...answers: (() => Response)[]) => {
  const sent: Sent[] = [];
  const browser = gatehouse.browser();
  const client = createClient(
    { baseUrl: 'https://id.example', origins: [api] },
    {
      ...browser,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        if (request.url === 'https://id.example/graphql' && browser.fetch !== undefined)
          return browser.fetch(input, init);
        sent.push({ url: request.url, credentials: init?.credentials, body: await request.text() });
        const answer = answers.length > 1 ? answers.shift() : answers[0];
        return answer === undefined ? Response.json({}) : answer();
      },
    },
  );
  return { client, sent };
};

const fine = () => Response.json({ notes: [] });

describe('fetch with the session', () => {
  it.each([
    [`${api}/notes`, 'include'],
    ['https://id.example/notes', 'include'],
    ['https://api.example.evil.com/notes', 'omit'],
    ['https://api.example:8443/notes', 'omit'],
    ['http://api.example/notes', 'omit'],
    ['https://elsewhere.example/notes', 'omit'],
  ])('to %s has the credentials mode %s', async (url, credentials) => {
    const { client, sent } = openWithBackEnd(GatehouseInMemory.signedIn(), fine);
    await client.fetch(url);
    await client.fetch(new URL(url));
    await client.fetch(new Request(url));
    expect(sent.map((each) => each.credentials)).toEqual([credentials, credentials, credentials]);
  });

  it('never sends cookies to another origin, even when asked to', async () => {
    const { client, sent } = openWithBackEnd(GatehouseInMemory.signedIn(), fine);
    await client.fetch('https://elsewhere.example/', { credentials: 'include' });
    expect(sent.map(({ credentials }) => credentials)).toEqual(['omit']);
  });

  it.each([
    ['a Request', (): Parameters<typeof fetch> => [new Request(`${api}/notes`, { credentials: 'omit' })]],
    ['the options', (): Parameters<typeof fetch> => [`${api}/notes`, { credentials: 'omit' }]],
  ])('sends no cookies, and refreshes nothing, where %s leave them out', async (_, request) => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal('UNAUTHENTICATED'));
    expect((await client.fetch(...request())).status).toBe(401);
    expect(sent.map(({ credentials }) => credentials)).toEqual(['omit']);
    expect(gatehouse.requests).toEqual([]);
  });

  it('reads a URL with user info as the browser does: it sends nothing', async () => {
    const { client, sent } = openWithBackEnd(GatehouseInMemory.signedIn(), fine);
    await expect(client.fetch('https://id.example@elsewhere.example/')).rejects.toThrow(TypeError);
    await expect(client.fetch('https://user:password@id.example/')).rejects.toThrow(TypeError);
    expect(sent).toEqual([]);
  });

  it.each([
    ['of the options', (signal: AbortSignal): Parameters<typeof fetch> => [`${api}/notes`, { signal }]],
    ['of a Request', (signal: AbortSignal): Parameters<typeof fetch> => [new Request(`${api}/notes`, { signal })]],
  ])('rejects at once when the signal %s fires during the refresh, which goes on', async (_, request) => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal('ACCESS_EXPIRED'), fine);
    await client.session.open();
    gatehouse.expireAccess();
    const refresh = Promise.withResolvers<void>();
    gatehouse.holdNext('RefreshAccess', refresh.promise);
    const controller = new AbortController();
    const answer = client.fetch(...request(controller.signal));
    await expect.poll(() => gatehouse.count('RefreshAccess')).toBe(1);
    controller.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    refresh.resolve();
    expect((await client.fetch(`${api}/notes`)).status).toBe(200);
    expect(sent).toHaveLength(2);
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it.each(['ACCESS_EXPIRED', 'UNAUTHENTICATED'])('refreshes once and retries once after %s', async (code) => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal(code), fine);
    const response = await client.fetch(`${api}/notes`, { method: 'POST', body: 'Milk' });
    expect(response.status).toBe(200);
    expect(sent.map(({ body }) => body)).toEqual(['Milk', 'Milk']);
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it.each([
    ['a form', () => new URLSearchParams({ text: 'Milk' }), 'text=Milk'],
    ['a blob', () => new Blob(['Milk']), 'Milk'],
    ['bytes', () => new TextEncoder().encode('Milk'), 'Milk'],
  ])('sends %s again', async (_, body, text) => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal('ACCESS_EXPIRED'), fine);
    await client.fetch(`${api}/notes`, { method: 'POST', body: body() });
    expect(sent.map((each) => each.body)).toEqual([text, text]);
  });

  it('sends a Request with a body again', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal('ACCESS_EXPIRED'), fine);
    const response = await client.fetch(new Request(`${api}/notes`, { method: 'POST', body: 'Milk' }));
    expect(response.status).toBe(200);
    expect(sent.map(({ body }) => body)).toEqual(['Milk', 'Milk']);
  });

  it('sends a stream once, and refreshes for the next request', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal('ACCESS_EXPIRED'));
    const body = new Blob(['Milk']).stream();
    const response = await client.fetch(`${api}/notes`, { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(response.status).toBe(401);
    expect(sent).toHaveLength(1);
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });

  it('retries once when the back end keeps refusing, and the person stays signed in', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal('UNAUTHENTICATED'));
    await client.session.open();
    const response = await client.fetch(`${api}/notes`);
    expect(await response.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    expect(sent).toHaveLength(2);
    expect(client.session.state()).toMatchObject({ status: 'signedIn' });
    expect(gatehouse.count('RefreshAccess')).toBe(0);
  });

  it.each([
    [403, { error: { code: 'FORBIDDEN' } }],
    [401, { error: { code: 'SOMETHING_ELSE' } }],
    [401, 'no JSON'],
    [500, { error: { code: 'ACCESS_EXPIRED' } }],
  ])('answers %i %j as it is', async (status, body) => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { client, sent } = openWithBackEnd(gatehouse, () => Response.json(body, { status }));
    const response = await client.fetch(`${api}/notes`);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(body);
    expect(sent).toHaveLength(1);
    expect(gatehouse.requests).toEqual([]);
  });

  it('answers the 401 when the session has ended, and the state says so', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { client, sent } = openWithBackEnd(gatehouse, () => backEndRefusal('UNAUTHENTICATED'));
    await client.session.open();
    gatehouse.revoke();
    expect((await client.fetch(`${api}/notes`)).status).toBe(401);
    expect(sent).toHaveLength(1);
    expect(client.session.state()).toEqual({ status: 'signedOut', reason: 'expired' });
  });

  it.each([
    ['no connection', noConnection, 'OFFLINE'],
    ['a busy service', () => refusalOf('UNAVAILABLE', 503), 'UNAVAILABLE'],
  ])('rejects, and signs nobody out, when the refresh meets %s', async (_, answer, code) => {
    const gatehouse = GatehouseInMemory.signedIn();
    const { client } = openWithBackEnd(gatehouse, () => backEndRefusal('ACCESS_EXPIRED'));
    await client.session.open();
    gatehouse.expireAccess();
    gatehouse.nextResponse('RefreshAccess', answer);
    await expect(client.fetch(`${api}/notes`)).rejects.toMatchObject({ code });
    expect(client.session.state()).toMatchObject({ status: 'signedIn' });
  });

  it('refreshes once for twenty requests at once', async () => {
    const gatehouse = GatehouseInMemory.signedIn();
    gatehouse.expireAccess();
    const refusals = Array.from({ length: 20 }, () => () => backEndRefusal('ACCESS_EXPIRED'));
    const { client } = openWithBackEnd(gatehouse, ...refusals, fine);
    const responses = await Promise.all(refusals.map(() => client.fetch(`${api}/notes`)));
    expect(responses.map(({ status }) => status)).toEqual(refusals.map(() => 200));
    expect(gatehouse.count('RefreshAccess')).toBe(1);
  });
});
