/**
 * Redirect URIs: which ones a client may register (contract/platform-mcp.md#redirect-uris; RFC 8252), and which it may
 * then use.
 */
import { describe, expect, it } from 'vitest';
import { isRegisteredRedirectUri } from '../../src/domain/oauth/register-client.ts';
import { register } from '../support/clients/oauth.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const listed = ['https://app.example.com/oauth/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'];

const service = serviceFixture({ MCP_REDIRECT_ALLOW_LIST: listed.join(',') });

const accepted: readonly string[] = [
  ...listed,
  'http://127.0.0.1/callback',
  'http://127.0.0.1:1/callback',
  'http://127.0.0.1:65535/callback',
  'http://127.0.0.1:8080',
  'http://127.0.0.1:8080/',
  'http://localhost:3000/oauth/callback?client=1&b=%2F',
  'http://localhost',
  'http://localhost?x=/../y',
  'http://[::1]:9/callback',
  'http://[::1]/a/.well-known/b..c/...',
];

// Contract: platform-mcp#redirect-uris — Loopback redirect URIs are always allowed; others only by exact match
it.each(accepted)('A redirect URI that may be registered is %s', async (uri) => {
  const { status, body } = await register(service, { redirect_uris: [uri] });
  expect(status).toBe(201);
  expect(body).toMatchObject({ redirect_uris: [uri], rejected_redirect_uris: [] });
});

/** One a line: the case → the URI. */
const tricks: readonly (readonly [string, string])[] = [
  ['a foreign host', 'http://evil.example/callback'],
  ['a foreign host over https', 'https://evil.example/callback'],
  ['loopback over https, for which no certificate exists', 'https://127.0.0.1/callback'],
  ['localhost over https', 'https://localhost/callback'],
  ['an upper-case scheme', 'HTTP://127.0.0.1/callback'],
  ['no scheme', '//127.0.0.1/callback'],
  ['no slashes', 'http:127.0.0.1/callback'],
  ['one slash', 'http:/127.0.0.1/callback'],
  ['three slashes', 'http:///127.0.0.1/callback'],
  ['backslashes for slashes', 'http:\\\\127.0.0.1/callback'],
  ['only a path', '/callback'],
  ['the empty string', ''],
  ['a script', 'javascript:alert(1)//http://127.0.0.1/'],
  ['data', 'data:text/html,http://127.0.0.1/'],
  ['a file', 'file:///127.0.0.1/callback'],
  ['a scheme of an app that is not listed', 'com.example.app:/callback'],
  ['another scheme to loopback', 'ws://127.0.0.1/callback'],
  ['the out-of-band URN', 'urn:ietf:wg:oauth:2.0:oob'],
  ['a user', 'http://user@127.0.0.1/callback'],
  ['a user and a password', 'http://user:pass@127.0.0.1/callback'],
  ['loopback as the user of a foreign host', 'http://127.0.0.1@evil.example/callback'],
  ['loopback with a port as user and password', 'http://127.0.0.1:80@evil.example/callback'],
  ['localhost as the user', 'http://localhost@evil.example/callback'],
  ['a user with an escaped at sign', 'http://127.0.0.1%40evil.example/callback'],
  ['loopback as the beginning of a foreign host', 'http://127.0.0.1.evil.example/callback'],
  ['localhost as the beginning of a foreign host', 'http://localhost.evil.example/callback'],
  ['localhost as the end of a foreign host', 'http://evil-localhost/callback'],
  ['localhost below a domain', 'http://evil.localhost/callback'],
  ['localhost with a dot', 'http://localhost./callback'],
  ['loopback with a dot', 'http://127.0.0.1./callback'],
  ['localhost in upper case', 'http://LOCALHOST/callback'],
  ['localhost with a capital', 'http://Localhost/callback'],
  ['localhost with a long s', 'http://localhoſt/callback'],
  ['localhost in full-width letters', 'http://ｌocalhost/callback'],
  ['loopback with ideographic full stops', 'http://127。0。0。1/callback'],
  ['loopback with circled digits', 'http://①27.0.0.1/callback'],
  ['localhost with a soft hyphen', 'http://local\u00adhost/callback'],
  ['localhost with an invisible joiner', 'http://local\u200dhost/callback'],
  ['loopback as one number', 'http://2130706433/callback'],
  ['loopback in octal', 'http://0177.0.0.1/callback'],
  ['loopback in hexadecimal', 'http://0x7f.0.0.1/callback'],
  ['loopback as one hexadecimal number', 'http://0x7f000001/callback'],
  ['loopback in short', 'http://127.1/callback'],
  ['loopback with leading zeros', 'http://127.000.000.001/callback'],
  ['another address of the loopback network', 'http://127.0.0.2/callback'],
  ['every address', 'http://0.0.0.0/callback'],
  ['IPv6 loopback in full', 'http://[0:0:0:0:0:0:0:1]/callback'],
  ['IPv6 loopback with zeros', 'http://[::01]/callback'],
  ['IPv6 that maps IPv4 loopback', 'http://[::ffff:127.0.0.1]/callback'],
  ['IPv6 that maps it in hexadecimal', 'http://[::ffff:7f00:1]/callback'],
  ['IPv6 with a zone', 'http://[::1%25lo0]/callback'],
  ['IPv6 without brackets', 'http://::1/callback'],
  ['every IPv6 address', 'http://[::]/callback'],
  ['an escaped host', 'http://%6c%6f%63alhost/callback'],
  ['port 0', 'http://127.0.0.1:0/callback'],
  ['a port too high', 'http://127.0.0.1:65536/callback'],
  ['a port far too high', 'http://127.0.0.1:99999/callback'],
  ['an empty port', 'http://127.0.0.1:/callback'],
  ['a port with a leading zero', 'http://127.0.0.1:08080/callback'],
  ['a port with a sign', 'http://127.0.0.1:+80/callback'],
  ['an invalid port', 'http://127.0.0.1:http/callback'],
  ['two ports', 'http://127.0.0.1:80:80/callback'],
  ['a wildcard as port', 'http://127.0.0.1:*/callback'],
  ['a fragment', 'http://127.0.0.1/callback#fragment'],
  ['an empty fragment', 'http://127.0.0.1/callback#'],
  ['a fragment after the query', 'http://127.0.0.1/callback?x=1#y'],
  ['a backslash in the path', 'http://127.0.0.1/call\\back'],
  ['a backslash after the host', 'http://127.0.0.1\\@evil.example/callback'],
  ['a foreign host after a backslash', 'http://evil.example\\@127.0.0.1/callback'],
  ['a leading space', ' http://127.0.0.1/callback'],
  ['a trailing space', 'http://127.0.0.1/callback '],
  ['a space in the path', 'http://127.0.0.1/call back'],
  ['a tab in the scheme', 'ht\ttp://127.0.0.1/callback'],
  ['a trailing line break', 'http://127.0.0.1/callback\n'],
  ['a header after a line break', 'http://127.0.0.1/callback\r\nset-cookie: a=b'],
  ['a NUL', 'http://127.0.0.1/call\u0000back'],
  ['a non-ASCII letter in the path', 'http://127.0.0.1/rückruf'],
  ['a direction mark in the path', 'http://127.0.0.1/\u202ekcabllac'],
  ['an unpaired surrogate', 'http://127.0.0.1/\ud800'],
  ['an invalid escape', 'http://127.0.0.1/%zz'],
  ['half an escape', 'http://127.0.0.1/callback%2'],
  ['a dot-dot segment', 'http://127.0.0.1/a/../callback'],
  ['a dot segment', 'http://127.0.0.1/./callback'],
  ['an escaped dot-dot segment', 'http://127.0.0.1/a/%2e%2E/callback'],
  ['a half escaped dot-dot segment at the end', 'http://127.0.0.1/a/.%2e'],
  ['markup', 'http://127.0.0.1/"><script>alert(1)</script>'],
  ['braces', 'http://127.0.0.1/{callback}'],
  ['two URIs with a space', 'http://127.0.0.1/ http://evil.example/'],
  ['a listed one with a trailing slash', `${listed[0]}/`],
  ['a listed one with a query', `${listed[0]}?x=1`],
  ['a listed one with a fragment', `${listed[0]}#x`],
  ['a listed one with its port', 'https://app.example.com:443/oauth/callback'],
  ['a listed one with another port', 'https://app.example.com:8443/oauth/callback'],
  ['a listed one over http', 'http://app.example.com/oauth/callback'],
  ['a listed one in upper case', 'https://APP.example.com/oauth/callback'],
  ['a listed one with a dot', 'https://app.example.com./oauth/callback'],
  ['a host below a listed one', 'https://evil.app.example.com/oauth/callback'],
  ['a path below a listed one', `${listed[0]}/evil`],
  ['the beginning of a listed one', 'https://app.example.com/oauth'],
  ['a listed one with an escaped letter', 'https://app.example.com/oauth/%63allback'],
  ['a listed one with a user', 'https://user@app.example.com/oauth/callback'],
  ['both listed ones as written in the configuration', listed.join(',')],
  ['a wildcard', 'https://*.example.com/oauth/callback'],
];

it.each(tricks)('A redirect URI is rejected, and the registration is stored without it: %s', async (_trick, uri) => {
  const { status, body } = await register(service, { redirect_uris: [uri, 'http://127.0.0.1/good'] });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    redirect_uris: ['http://127.0.0.1/good'],
    rejected_redirect_uris: [uri],
  });
  const uris = await service.sql.value<string[]>('SELECT redirect_uris AS uris FROM oauth_clients WHERE id = $1', [
    String(body['client_id']),
  ]);
  expect(uris).toEqual(['http://127.0.0.1/good']);
});

describe('A redirect URI in a request', () => {
  const loopback = ['http://127.0.0.1:1000/cb?x=1', 'http://localhost/cb', 'http://[::1]:5/cb', 'http://127.0.0.1'];
  const registered = [...loopback, ...listed];
  const uses: readonly (readonly [string, boolean, string])[] = [
    ['the registered one', true, 'http://127.0.0.1:1000/cb?x=1'],
    ['another port', true, 'http://127.0.0.1:2000/cb?x=1'],
    ['no port', true, 'http://127.0.0.1/cb?x=1'],
    ['a port where none was registered', true, 'http://localhost:65535/cb'],
    ['a port of IPv6', true, 'http://[::1]:6/cb'],
    ['an invalid port', false, 'http://localhost:65536/cb'],
    ['another spelling of the host', false, 'http://localhost:1000/cb?x=1'],
    ['another path', false, 'http://localhost/cb2'],
    ['a trailing slash', false, 'http://localhost/cb/'],
    ['a slash where no path was registered', true, 'http://127.0.0.1:7/'],
    ['a query where no path was registered', false, 'http://127.0.0.1/?x=1'],
    ['two slashes where no path was registered', false, 'http://127.0.0.1:7//'],
    ['the path in upper case', false, 'http://localhost/CB'],
    ['another query', false, 'http://127.0.0.1:1000/cb?x=2'],
    ['no query', false, 'http://127.0.0.1:1000/cb'],
    ['a query where none was registered', false, 'http://localhost/cb?code=mine'],
    ['a fragment', false, 'http://localhost/cb#x'],
    ['a user', false, 'http://me@localhost/cb'],
    ['the listed one', true, listed[0] ?? ''],
    ['the listed one with another port', false, 'https://app.example.com:444/oauth/callback'],
    ['a foreign one', false, 'https://evil.example/cb'],
  ];

  // Contract: platform-mcp#redirect-uris — Any port, host and path exact (RFC 8252)
  it.each(uses)('%s: %s', (_what, isGood, uri) => {
    expect(isRegisteredRedirectUri(uri, registered, listed)).toBe(isGood);
  });

  // Contract: platform-mcp#redirect-uris — The current allow-list counts
  it('is refused once it was removed from the allow-list, or when only another client registered it', () => {
    const [uri = ''] = listed;
    expect(isRegisteredRedirectUri(uri, registered, listed.slice(1))).toBe(false);
    expect(isRegisteredRedirectUri(uri, loopback, listed)).toBe(false);
    expect(isRegisteredRedirectUri('http://localhost/cb', listed, listed)).toBe(false);
  });
});
