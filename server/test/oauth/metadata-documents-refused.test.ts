/**
 * Metadata documents that cannot be used (contract/organization-mcp.md#client-id-metadata-documents): the person sees
 * an error page, never a redirect; nothing is stored; super admins see the rule and its fix.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConnectionRule } from '../../src/kernel/errors.ts';
import { listedConnections } from '../support/actors/connections.ts';
import { newSuperAdmin } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { askSuperAdmin, authorizationQuery, PageBrowser } from '../support/clients/authorization.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { callTool } from '../support/clients/mcp.ts';
import {
  clientTokensOf,
  expectOAuthRefusal,
  newCode,
  postForm,
  redeem,
  refreshAs,
  refreshOf,
} from '../support/clients/oauth.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { type Service, serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import {
  answering,
  type DocumentAnswer,
  documentOf,
  loopbackRedirect,
  startDocumentSite,
} from '../support/servers/document-site.ts';

/** Spellings of addresses that are not on the internet, as hosts of listed https URLs. */
const specialHosts = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  'localhost',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::1]',
  '[2002:c0a8:101::1]',
  '[2001:0:7f00:1::1]',
  '[fc00::1]',
  '[fe80::1]',
  '[ff02::1]',
  '[2001:db8::1]',
];

const urlOfHost = (host: string): string => `https://${host}/client.json`;

const site = fixture(startDocumentSite);
const service = serviceFixture(() => ({
  MCP_CLIENT_METADATA_ALLOW_LIST: [site.allowList, ...specialHosts.map(urlOfHost)].join(','),
}));
const root = fixture(() => newSuperAdmin(service));

const begin = (url: string, to: Pick<Service, 'url'> = service): Promise<PageAnswer> =>
  // The record of connections has a quota for each browser.
  new PageBrowser(to).get(`/auth/mcp/authorize?${authorizationQuery(url)}`, { 'user-agent': randomUUID() });

/** Begins an authorization that must end on an error page, with nothing stored. @returns what super admins see */
const refused = async (url: string, title = 'This client cannot be identified') => {
  await service.flush();
  await service.sql('DELETE FROM mcp_connections');
  const page = await expectNothingStored(service, () => begin(url));
  expect([page.status, page.location]).toEqual([400, null]);
  expect(page.text).toContain(`<h1>${title}</h1>`);
  expect(page.text).not.toContain(url);
  expect(page.headers.getSetCookie()).toEqual([]);
  await service.flush();
  const { nodes } = await listedConnections(service, root, null);
  expect(nodes).toHaveLength(1);
  return nodes[0]?.firstRefusal;
};

/** The document of a URL with other members. */
const changed =
  (change: (url: string) => object): ((url: string) => DocumentAnswer) =>
  (url) =>
    answering(JSON.stringify({ ...documentOf(url), ...change(url) }));

const always =
  (answer: DocumentAnswer): (() => DocumentAnswer) =>
  () =>
    answer;

/** 5 KB. */
const maxDocumentBytes = 5120;

/** A valid document of this many bytes. */
const padded = (url: string, bytes: number): string => {
  const bare = JSON.stringify(documentOf(url, { software_id: '' }));
  return JSON.stringify(documentOf(url, { software_id: 'x'.repeat(bytes - bare.length) }));
};

const elsewhere = 'https://other.example/client.json';

type Bad = readonly [what: string, rule: ConnectionRule, reason: string, answer: (url: string) => DocumentAnswer];

const invalid = (what: string, reason: string, answer: Bad[3]): Bad => [
  what,
  'client_document_invalid',
  reason,
  answer,
];

const bad: readonly Bad[] = [
  invalid('a redirect', 'status 302', (url) => answering('{}', { location: `${url}?again` }, 302)),
  invalid('a permanent redirect', 'status 308', (url) => answering('{}', { location: `${url}?again` }, 308)),
  invalid('a status of success without a document', 'status 204', always(answering('', {}, 204))),
  invalid('a refusal', 'status 403', always(answering('{}', {}, 403))),
  invalid('6 KB', 'more than 5120 bytes', (url) => answering(padded(url, 6 * 1024))),
  invalid('one byte too many', 'more than 5120 bytes', (url) => answering(padded(url, maxDocumentBytes + 1))),
  invalid('a body without end', 'more than 5120 bytes', () => (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = (): void => {
      if (!response.destroyed) response.write('[0,'.repeat(400), () => setImmediate(more));
    };
    more();
  }),
  invalid('HTML', 'not application/json', (url) =>
    answering(JSON.stringify(documentOf(url)), { 'content-type': 'text/html' }),
  ),
  invalid(
    'no content type',
    'not application/json',
    (url) => (response) => response.end(JSON.stringify(documentOf(url))),
  ),
  invalid('a compressed body', 'is compressed', (url) =>
    answering(JSON.stringify(documentOf(url)), { 'content-encoding': 'gzip' }),
  ),
  invalid('no JSON', 'not a JSON object', always(answering('{"client_id":'))),
  invalid('a JSON list', 'not a JSON object', always(answering('[]'))),
  invalid('JSON null', 'not a JSON object', always(answering('null'))),
  invalid(
    'no client_id',
    'client_id is not its URL',
    changed(() => ({ client_id: undefined })),
  ),
  invalid(
    'another client_id',
    'client_id is not its URL',
    changed(() => ({ client_id: elsewhere })),
  ),
  invalid(
    'its client_id in capitals',
    'client_id is not its URL',
    changed((url) => ({ client_id: url.toUpperCase() })),
  ),
  invalid(
    'its client_id with a slash more',
    'client_id is not its URL',
    changed((url) => ({ client_id: `${url}/` })),
  ),
  invalid(
    'a secret',
    'client_secret',
    changed(() => ({ client_secret: 'public' })),
  ),
  ...['client_secret_basic', 'private_key_jwt', null, 4].map((method) =>
    invalid(
      `the client authentication ${method}`,
      'token_endpoint_auth_method',
      changed(() => ({ token_endpoint_auth_method: method })),
    ),
  ),
  invalid(
    'no redirect URIs',
    'redirect_uris',
    changed(() => ({ redirect_uris: undefined })),
  ),
  invalid(
    'an empty list of redirect URIs',
    'redirect_uris',
    changed(() => ({ redirect_uris: [] })),
  ),
  invalid(
    'redirect URIs that are no list',
    'redirect_uris',
    changed(() => ({ redirect_uris: loopbackRedirect })),
  ),
  invalid(
    '21 redirect URIs',
    'redirect_uris',
    changed(() => ({ redirect_uris: range(21).map((index) => `http://127.0.0.1/${index}`) })),
  ),
  invalid(
    'a name that is no text',
    'RFC 7591',
    changed(() => ({ client_name: 7 })),
  ),
  invalid(
    'a name that turns text around',
    'RFC 7591',
    changed(() => ({ client_name: 'Test\u202eelgooG' })),
  ),
  [
    'only redirect URIs that are refused',
    'redirect_uri_not_allowed',
    elsewhere,
    changed(() => ({ redirect_uris: [elsewhere] })),
  ],
  ['404', 'client_document_gone', 'status 404', always(answering('{}', {}, 404))],
  ['410', 'client_document_gone', 'status 410', always(answering('{}', {}, 410))],
  ['500', 'client_document_unreachable', 'status 500', always(answering('{}', {}, 500))],
  ['429', 'client_document_unreachable', 'status 429', always(answering('{}', {}, 429))],
  [
    'a body that breaks off',
    'client_document_unreachable',
    'no answer',
    () => (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{', () => response.destroy());
    },
  ],
  ['no answer', 'client_document_unreachable', 'no answer', () => (_response, request) => request.destroy()],
];

describe('A metadata document', () => {
  // Contract: organization-mcp#valid-document — Bad documents: the error page, nothing stored
  it.each(bad)('that is %s is refused as %s', async (_what, rule, reason, answer) => {
    const url = site.publish();
    site.change(url, answer(url));
    const seen = await refused(url);
    expect(seen).toMatchObject({ step: 'client_document', rule });
    expect(seen?.detail).toContain(url);
    expect(seen?.detail).toContain(reason);
    expect(seen?.mend?.length).toBeGreaterThan(20);
    expect(site.requests(`${url}?again`)).toBe(0);
    // The last failure counts: no second request.
    const before = site.requests(url);
    await refused(url);
    expect([before, site.requests(url)]).toEqual([1, 1]);
  });

  it.each([
    ['of 5 KB', (url: string) => answering(padded(url, maxDocumentBytes))],
    [
      'with a content type of a JSON format',
      (url: string) =>
        answering(JSON.stringify(documentOf(url)), { 'content-type': 'application/oauth+json; charset=UTF-8' }),
    ],
    ['without token_endpoint_auth_method', changed(() => ({ token_endpoint_auth_method: undefined }))],
    [
      'with 20 redirect URIs',
      changed(() => ({ redirect_uris: [loopbackRedirect, ...range(19).map((index) => `http://127.0.0.1/${index}`)] })),
    ],
  ])('%s is accepted', async (_what, answer) => {
    const url = site.publish();
    site.change(url, answer(url));
    expect((await begin(url)).status).toBe(302);
  });

  // Contract: organization-mcp#fetch-of-a-document — No special-use address in any spelling
  it.each(specialHosts)('at https://%s is not fetched', async (host) => {
    expect(await refused(urlOfHost(host))).toMatchObject({ step: 'client_document', rule: 'client_document_address' });
  });

  // Contract: organization-mcp#fetch-of-a-document — The fetch ends in time
  it.each([
    ['sends nothing', (): DocumentAnswer => () => undefined],
    [
      'never ends its headers',
      (): DocumentAnswer => (response) =>
        response.socket?.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'),
    ],
    [
      'never ends its body',
      (): DocumentAnswer => (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    ],
  ])('whose site %s is given up', async (_what, answer) => {
    const slow = site.publish(answer());
    const limited = await testFixture(
      startService({ MCP_CLIENT_METADATA_ALLOW_LIST: site.allowList }, 'none', {}, { clientDocument: 200 }),
    );
    const page = await expectNothingStored(limited, () => begin(slow, limited));
    expect([page.status, page.location]).toEqual([400, null]);
    expect(
      await limited.sql('SELECT rule, reason FROM oauth_document_failures WHERE metadata_url = $1', [slow]),
    ).toEqual([{ rule: 'client_document_unreachable', reason: 'no complete answer in time' }]);
  });
});

describe('A URL that is not listed', () => {
  // Contract: organization-mcp#listed-documents — What is not listed is an unknown client, and never fetched
  it('is an unknown client and never fetched, at every endpoint', async () => {
    const listed = site.publish();
    for (const url of [
      `${listed}?x=1`,
      `${listed}#x`,
      `${listed}/`,
      listed.replace('.json', '.JSON'),
      listed.replace('127.0.0.1', 'localhost'),
      listed.replace('/clients/', '/./clients/'),
      listed.replace('http:', 'HTTP:'),
      ` ${listed}`,
    ]) {
      const page = await expectNothingStored(service, () => begin(url));
      expect([page.status, page.location]).toEqual([400, null]);
      expect(page.text).toContain('<h1>This client is not registered here</h1>');
      await expectOAuthRefusal(service, 'invalid_client', () =>
        postForm(service, 'token', refreshOf(url, 'gate_r_of_no_one')),
      );
      await expectOAuthRefusal(service, 'invalid_client', () =>
        postForm(service, 'revoke', { client_id: url, token: 'gate_r_of_no_one' }),
      );
    }
    expect(site.requests(listed)).toBe(0);
  });

  it('is shown to super admins, with the list that lets it in', async () => {
    const url = 'https://client.example/not-listed.json';
    const seen = await refused(`${url}?secret=1`, 'This client is not registered here');
    expect(seen).toMatchObject({ step: 'client_document', rule: 'client_document_not_listed', detail: url });
    expect(seen?.mend).toContain('MCP_CLIENT_METADATA_ALLOW_LIST');
  });

  it.each(['https://client.example/\u0000', `https://client.example/${'x'.repeat(3000)}`, 'https://client.example/ü'])(
    'is unknown in any spelling: %j',
    async (url) => {
      const page = await expectNothingStored(service, () => begin(url));
      expect([page.status, page.location]).toEqual([400, null]);
    },
  );
});

/** The list of a process never changes, so the URL of the client does. @returns a URL that is not listed */
const takeOff = async (listed: string): Promise<string> => {
  const url = listed.replace('/clients/', '/former/');
  await service.sql('UPDATE oauth_clients SET metadata_url = $2 WHERE metadata_url = $1', [listed, url]);
  return url;
};

describe('A URL that is taken off the list', () => {
  // Contract: organization-mcp#unlisted-document — A URL taken off the list ends nothing, begins nothing, refreshes
  //   nothing
  it('ends nothing, begins nothing and refreshes nothing, and its tokens can be revoked', async () => {
    const listed = site.publish();
    expect((await begin(listed)).status).toBe(302);
    const id =
      (await service.sql.value<string>('SELECT id FROM oauth_clients WHERE metadata_url = $1', [listed])) ?? '';
    const person = await newSuperAdmin(service);
    const newCodeOf = async (clientId: string) => ({
      ...(await newCode(service, { clientId: id, userId: person.userId, redirectUri: loopbackRedirect })),
      clientId,
    });
    const tokens = clientTokensOf(await redeem(service, await newCodeOf(listed)));
    const url = await takeOff(listed);
    expect((await callTool(service, { tokens }, 'mcp_whoami')).status).toBe(200);
    await expectOAuthRefusal(service, 'invalid_client', () => refreshAs(service, { clientId: url, tokens }));
    const code = await newCodeOf(url);
    await expectOAuthRefusal(service, 'invalid_client', () => redeem(service, code));
    expect((await expectNothingStored(service, () => begin(url))).status).toBe(400);
    expect((await callTool(service, { tokens }, 'mcp_whoami')).status).toBe(200);
    const revoked = await postForm(service, 'revoke', { client_id: url, token: tokens.refreshToken });
    expect(revoked.status).toBe(200);
    expect((await callTool(service, { tokens }, 'mcp_whoami')).status).toBe(401);
  });

  it('is not allowed by a person who was asked before', async () => {
    const url = site.publish();
    const { browser, path, csrf } = await askSuperAdmin(service, url);
    await takeOff(url);
    for (const answer of [
      () => browser.get(path),
      () => browser.post(path, { decision: 'approve', csrf_token: csrf }),
    ]) {
      const page = await expectNothingStored(service, answer);
      expect([page.status, page.location]).toEqual([400, null]);
    }
  });
});
