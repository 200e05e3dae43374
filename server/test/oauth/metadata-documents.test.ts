/**
 * Clients whose client_id is the URL of a metadata document
 * (contract/organization-mcp.md#client-id-metadata-documents): what such a client can do, when its document is fetched,
 * and what ends it.
 */
import { describe, expect, it } from 'vitest';
import { DocumentClients } from '../../src/domain/oauth/document-clients.ts';
import type { FetchedDocument } from '../../src/platform/guarded-fetch.ts';
import { newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { answerIn, askSuperAdmin, authorizationQuery, redirectUri } from '../support/clients/authorization.ts';
import { operations } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { ageDocument, beginByDocument, connectByDocument, documentRowOf } from '../support/clients/document-clients.ts';
import { callTool } from '../support/clients/mcp.ts';
import {
  type ClientTokens,
  challengeOf,
  clientTokensOf,
  expectOAuthRefusal,
  newClient,
  newVerifier,
  postForm,
  redemptionOf,
  refreshAs,
} from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { runCleanup } from '../support/gatehouse/cleanup.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { answering, documentOf, loopbackRedirect, startDocumentSite } from '../support/servers/document-site.ts';

const webUri = 'https://client.example/callback';

const site = fixture(startDocumentSite);
const service = serviceFixture(() => ({
  MCP_CLIENT_METADATA_ALLOW_LIST: site.allowList,
  MCP_REDIRECT_ALLOW_LIST: webUri,
}));
const root = fixture(() => newSuperAdmin(service));

const begin = (url: string, changes: object = {}): Promise<PageAnswer> => beginByDocument(service, url, { ...changes });

const isBegun = ({ status, location }: PageAnswer): boolean =>
  status === 302 && location?.includes('/signin?redirect=/auth/mcp/continue/') === true;

const connect = (url: string) => connectByDocument(service, url);
const rowOf = (url: string) => documentRowOf(service, url);
const idOf = async (url: string): Promise<string> => (await rowOf(url))?.id ?? 'no row';
const age = (url: string, interval: string): Promise<void> => ageDocument(service, url, interval);

const freshSecondsOf = (url: string): Promise<number | undefined> =>
  service.sql.value<number>(
    'SELECT extract(epoch FROM document_fresh_until - now())::float8 AS seconds FROM oauth_clients WHERE metadata_url = $1',
    [url],
  );

describe('A client with a metadata document', () => {
  // Contract: organization-mcp#listed-documents — A listed URL is a client_id, from the authorization to the revocation
  it('connects, refreshes and revokes by its URL, without a registration', async () => {
    const url = site.publish();
    const { tokens } = await connect(url);
    expect(await rowOf(url)).toMatchObject({ name: 'Documented Client', uris: [loopbackRedirect] });
    const refreshed = await refreshAs(service, { clientId: url, tokens });
    const next = clientTokensOf(refreshed);
    const revoked = await postForm(service, 'revoke', { client_id: url, token: next.accessToken });
    expect([refreshed.status, revoked.status]).toEqual([200, 200]);
    await expectOAuthRefusal(service, 'invalid_grant', () => refreshAs(service, { clientId: url, tokens: next }));
    expect(site.requests(url)).toBe(1);
  });

  // Contract: organization-mcp#document-at-consent — The URL is shown where the client is named
  it('is shown by its URL, and its row has an id of its own', async () => {
    const url = site.publish();
    const { tokens } = await connect(url);
    const called = await callTool(service, { tokens }, 'mcp_whoami');
    expect(called.text).toContain(JSON.stringify({ id: url, name: 'Documented Client' }).slice(1, -1));
    const all = await runAs(
      service,
      root,
      'query { mcpClients(first: 100) { nodes { id name metadataUrl registeredIp } } }',
    );
    const id = await idOf(url);
    const registered = await newClient(service);
    const shown = { id, name: 'Documented Client', metadataUrl: url, registeredIp: null };
    expect(all.data).toEqual({ mcpClients: { nodes: expect.arrayContaining([shown]) as unknown } });
    const { data } = await runAs(service, root, 'query { mcpClients(first: 1) { nodes { id metadataUrl } } }');
    expect(data?.['mcpClients']).toEqual({ nodes: [{ id: registered, metadataUrl: null }] });
    const listed = await callTool(service, { tokens }, 'clients_list', {});
    expect(listed.text).toContain(`"metadataUrl":"${url}"`);
  });

  it('is unknown by the id of its row', async () => {
    const url = site.publish();
    const { tokens } = await connect(url);
    const id = await idOf(url);
    const page = await expectNothingStored(service, () => begin(id));
    expect([page.status, page.location]).toEqual([400, null]);
    await expectOAuthRefusal(service, 'invalid_client', () => refreshAs(service, { clientId: id, tokens }));
  });

  // Contract: organization-mcp#separate-grants — A grant never ends another one
  it('ends no earlier grant of the same person, nor one of another, and revokes only its own', async () => {
    const url = site.publish();
    const verifier = newVerifier();
    const asked = await askSuperAdmin(service, url, { code_challenge: challengeOf(verifier) });
    const grant = async (path: string, csrf: string): Promise<ClientTokens> => {
      const { location } = await asked.browser.post(path, { decision: 'approve', csrf_token: csrf });
      const { code = '' } = answerIn(location);
      return clientTokensOf(
        await postForm(service, 'token', redemptionOf({ code, clientId: url, redirectUri, verifier })),
      );
    };
    const first = await grant(asked.path, asked.csrf);
    const query = authorizationQuery(url, { code_challenge: challengeOf(verifier) });
    const { location } = await asked.browser.get(`/auth/mcp/authorize?${query}`);
    const path = new URL(location ?? '').pathname;
    const csrf = /name="csrf_token" value="([^"]+)"/.exec((await asked.browser.get(path)).text)?.[1] ?? '';
    const second = await grant(path, csrf);
    const other = (await connect(url)).tokens;
    const statuses = async (): Promise<readonly number[]> =>
      Promise.all(
        [first, second, other].map(async (tokens) => (await callTool(service, { tokens }, 'mcp_whoami')).status),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    await postForm(service, 'revoke', { client_id: url, token: first.refreshToken });
    expect(await statuses()).toEqual([401, 200, 200]);
  });

  it('may not use a code or a refresh token of another client', async () => {
    const [url, other] = [site.publish(), site.publish()];
    const { tokens } = await connect(url);
    await connect(other);
    const refused = await refreshAs(service, { clientId: other, tokens });
    expect([refused.status, refused.body['error']]).toEqual([400, 'invalid_grant']);
  });

  it('has the redirect URIs of its document that are allowed, compared as those of a registration are', async () => {
    const url = site.publish();
    const uris = [webUri, 'https://other.example/callback', 'http://localhost/cb', 'javascript:alert(1)'];
    site.change(url, answering(JSON.stringify(documentOf(url, { redirect_uris: uris }))));
    const uses = async (uri: string): Promise<boolean> => isBegun(await begin(url, { redirect_uri: uri }));
    expect(await Promise.all([webUri, 'http://localhost:4711/cb'].map(uses))).toEqual([true, true]);
    expect((await rowOf(url))?.uris).toEqual([webUri, 'http://localhost/cb']);
    for (const uri of ['https://other.example/callback', 'http://localhost:4711/other', redirectUri]) {
      const page = await expectNothingStored(service, () => begin(url, { redirect_uri: uri }));
      expect([page.status, page.location]).toEqual([400, null]);
    }
  });

  it('is named by client_name alone, and nothing in its document is fetched', async () => {
    const url = site.publish();
    const logo = site.publish();
    const claims = { logo_uri: logo, client_uri: logo, tos_uri: logo, jwks_uri: logo, software_id: 'Impostor' };
    site.change(url, answering(JSON.stringify(documentOf(url, claims))));
    const { browser, path } = await askSuperAdmin(service, url);
    const { text } = await browser.get(path);
    expect(text).toContain('<bdi>Documented Client</bdi>');
    expect(text).not.toMatch(/Impostor|<img/);
    expect(site.requests(logo)).toBe(0);
  });
});

describe('The consent page of a client with a metadata document', () => {
  // Contract: organization-mcp#document-at-consent — The consent page shows the document's host, and warns of loopback
  it.each([
    ['warns where all redirects are on this computer', [loopbackRedirect, 'http://localhost/'], true],
    ['does not warn where a site receives codes too', [loopbackRedirect, webUri], false],
  ])('shows the host of the document, and %s', async (_case, uris, warns) => {
    const url = site.publish();
    site.change(url, answering(JSON.stringify(documentOf(url, { redirect_uris: uris }))));
    const { browser, path } = await askSuperAdmin(service, url);
    const { text } = await browser.get(path);
    expect(text).toContain(`A document at <bdi>${new URL(url).host}</bdi> describes this client`);
    expect(text).not.toContain('when it registered');
    expect(text.includes('<p class="caution">')).toBe(warns);
  });
});

describe('The fetch of a metadata document', () => {
  // Contract: organization-mcp#fetch-of-a-document — One fetch for all who ask
  it('is one for all that ask at once', async () => {
    const url = 'https://client.example/shared.json';
    const fetched = Promise.withResolvers<FetchedDocument>();
    let [reads, fetches] = [0, 0];
    const documents = new DocumentClients({
      database: {
        ...service.database,
        one: async (...asked) => {
          const row = await service.database.one(...asked);
          reads += 1;
          return row;
        },
      },
      logger: silentLogger,
      settings: service.config,
      fetch: () => {
        fetches += 1;
        return fetched.promise;
      },
    });
    const found = Promise.all(range(8).map(() => documents.find(url)));
    await expect.poll(() => reads).toBe(8);
    fetched.resolve({ kind: 'document', text: JSON.stringify(documentOf(url)), freshSeconds: 300 });
    expect(new Set((await found).map(({ client }) => client.id)).size).toBe(1);
    expect(fetches).toBe(1);
  });

  // Contract: organization-mcp#cache-of-a-document — Cached by its headers, within 5 minutes and 24 hours
  it.each([
    ['without headers, for 5 minutes', {}, 300],
    ['of 10 seconds, for 5 minutes', { 'cache-control': 'max-age=10' }, 300],
    ['that must not be stored, for 5 minutes', { 'cache-control': 'no-store, max-age=7200' }, 300],
    ['of two hours, for two hours', { 'cache-control': 'public, max-age=7200' }, 7200],
    ['of a year, for 24 hours', { 'cache-control': 'max-age=31536000, immutable' }, 86_400],
  ])('is repeated when it is due: a document %s', async (_case, headers, seconds) => {
    const url = site.publish();
    site.change(url, answering(JSON.stringify(documentOf(url)), headers));
    await begin(url);
    const fresh = (await freshSecondsOf(url)) ?? 0;
    expect(fresh).toBeLessThanOrEqual(seconds);
    expect(fresh).toBeGreaterThan(seconds - 120);
    await age(url, `${seconds - 130} seconds`);
    await begin(url);
    expect(site.requests(url)).toBe(1);
    await age(url, '130 seconds');
    site.change(url, answering(JSON.stringify(documentOf(url, { client_name: 'Renamed' }))));
    expect(isBegun(await begin(url))).toBe(true);
    expect(site.requests(url)).toBe(2);
    expect(await rowOf(url)).toMatchObject({ name: 'Renamed' });
  });

  // Contract: organization-mcp#cache-of-a-document — A stale copy serves seven days of outage
  it('may fail for seven days, in which the last document is used, and is tried once a minute', async () => {
    const url = site.publish();
    await begin(url);
    site.change(url, answering('{}', {}, 503));
    await age(url, '300 seconds');
    expect(isBegun(await begin(url))).toBe(true);
    expect(isBegun(await begin(url))).toBe(true);
    expect(site.requests(url)).toBe(2);
    await age(url, '6 days 23 hours');
    expect(isBegun(await begin(url))).toBe(true);
    expect(site.requests(url)).toBe(3);
    await age(url, '1 hour');
    const page = await expectNothingStored(service, () => begin(url));
    expect([page.status, page.location]).toEqual([400, null]);
    expect(site.requests(url)).toBe(4);
  });

  // Contract: organization-mcp#cache-of-a-document — 404, 410 or an invalid document ends the copy at once
  it.each([
    ['404', answering('{}', {}, 404)],
    ['410', answering('{}', {}, 410)],
    ['a redirect', answering('{}', { location: '/elsewhere' }, 302)],
    ['something else than JSON', answering('{}', { 'content-type': 'text/html' })],
    ['the document of another client', answering(JSON.stringify(documentOf('https://other.example/client.json')))],
  ])('ends a document at once when the site answers %s, until it is valid again', async (_case, answer) => {
    const url = site.publish();
    const { tokens } = await connect(url);
    site.change(url, answer);
    await age(url, '300 seconds');
    const page = await begin(url);
    expect([page.status, page.location]).toEqual([400, null]);
    site.change(url, answering(JSON.stringify(documentOf(url))));
    expect((await begin(url)).status).toBe(400);
    expect((await callTool(service, { tokens }, 'mcp_whoami')).status).toBe(200);
    await age(url, '60 seconds');
    expect(isBegun(await begin(url))).toBe(true);
    expect(site.requests(url)).toBe(3);
  });

  // Contract: organization-mcp#cache-of-a-document — A failure is cached for 60 seconds
  it('is not repeated within 60 seconds after a failure', async () => {
    const url = site.publish(answering('{}', {}, 500));
    for (const _twice of range(2)) expect((await begin(url)).status).toBe(400);
    expect(site.requests(url)).toBe(1);
    await age(url, '30 seconds');
    await begin(url);
    expect(site.requests(url)).toBe(1);
    await age(url, '30 seconds');
    await begin(url);
    expect(site.requests(url)).toBe(2);
  });
});

describe('A URL that was revoked', () => {
  const revoke = async (url: string) => runAs(service, root, operations.revokeMcpClient, { id: await idOf(url) });

  // Contract: organization-mcp#unlisted-document — revokeMcpClient shuts the URL out for good
  it('is refused everywhere, with all that it was granted, and is never fetched again', async () => {
    const url = site.publish();
    const { tokens } = await connect(url);
    expect((await revoke(url)).data).toMatchObject({ revokeMcpClient: { success: true, revokedCredentials: 2 } });
    await age(url, '8 days');
    const page = await expectNothingStored(service, () => begin(url));
    expect([page.status, page.location]).toEqual([400, null]);
    expect((await callTool(service, { tokens }, 'mcp_whoami')).status).toBe(401);
    await expectOAuthRefusal(service, 'invalid_client', () => refreshAs(service, { clientId: url, tokens }));
    expect(site.requests(url)).toBe(1);
  });

  it('stays revoked when its fetch was in progress', async () => {
    const url = site.publish();
    await begin(url);
    await age(url, '300 seconds');
    const held: (() => void)[] = [];
    site.change(url, (response) => {
      held.push(() => answering(JSON.stringify(documentOf(url, { client_name: 'Late' })))(response, response.req));
    });
    const asked = begin(url);
    await expect.poll(() => held.length).toBe(1);
    await revoke(url);
    for (const release of held) release();
    expect((await asked).status).toBe(400);
    expect(await rowOf(url)).toMatchObject({ name: 'Documented Client' });
  });

  it('is not forgotten by the cleanup, and neither is one that no person allowed', async () => {
    const [revoked, unused] = [site.publish(), site.publish()];
    for (const url of [revoked, unused]) await begin(url);
    await revoke(revoked);
    const registered = await newClient(service);
    await service.sql("UPDATE oauth_requests SET expires_at = now() - interval '2 days'");
    await service.sql("UPDATE oauth_clients SET registered_at = now() - interval '31 days'");
    await runCleanup(service.database);
    expect(await service.sql('SELECT FROM oauth_clients WHERE id = $1', [registered])).toEqual([]);
    expect([await idOf(revoked), await idOf(unused)]).not.toContain('no row');
    expect((await begin(revoked)).status).toBe(400);
  });
});
