/**
 * A provider that is down, slow or answers nonsense: the sign-in page informs the person, one line of the log the
 * operator of the log, nothing is half done, everybody else is served meanwhile, and the next attempt works without a
 * restart (security rules, I7 and I8).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ExternalRefusalCode } from '../../src/kernel/errors.ts';
import { operations, post } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { signInAtProvider, TravellingBrowser } from '../support/clients/provider-browser.ts';
import { fixture, serviceFixture, testFixture } from '../support/fixture.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { passDeadlines } from '../support/gatehouse/passed-deadlines.ts';
import { cutOff, endless, hangingUp, html, redirectingTo, saying, truncated } from '../support/random/wrong-answers.ts';
import { expectExternalRefusal } from '../support/servers/external-refusals.ts';
import {
  type Faults,
  type HostileIssuer,
  startHostileIssuer,
  type WrongAnswer,
} from '../support/servers/hostile-issuer.ts';
import type { Json } from '../support/servers/id-tokens.ts';

type Codes = readonly ExternalRefusalCode[];
const unavailable: Codes = ['PROVIDER_UNAVAILABLE'];
const refused: Codes = ['PROVIDER_REFUSED'];

/** Any endpoint that answers like this. */
const wrongAnswers: readonly [string, WrongAnswer, Codes][] = [
  ['hangs up', hangingUp, unavailable],
  ['hangs up in the middle', cutOff, unavailable],
  ['has an error of its own (500)', saying('{"error":"canary-of-an-answer"}', 500), unavailable],
  [
    'is behind a gateway that cannot reach it (502)',
    saying('Bad Gateway <canary-of-an-answer>', 502, { 'content-type': 'text/html' }),
    unavailable,
  ],
  ['is under maintenance (503)', saying('', 503, { 'retry-after': '3600' }), unavailable],
  ['has enough of us (429)', saying('{"error":"slow_down"}', 429), unavailable],
  ['has nothing there (404)', saying('Not Found', 404, { 'content-type': 'text/plain' }), refused],
  [
    'requires other client credentials (401)',
    saying('{"error":"canary-of-an-answer","error_description":"canary-of-an-answer"}', 401),
    refused,
  ],
  [
    'asks for credentials in a header',
    saying('', 401, { 'www-authenticate': 'Basic realm="canary-of-an-answer"' }),
    refused,
  ],
  ['says that it is HTML', html, refused],
  ['sends HTML and calls it JSON', saying('<!doctype html>canary-of-an-answer'), refused],
  ['says nothing', saying(''), refused],
  ['says nothing at all (204)', saying('', 204, {}), refused],
  ['breaks off in the middle of its JSON', truncated, refused],
  ['sends null', saying('null'), refused],
  ['sends a list', saying('[]'), refused],
  ['sends a text', saying('"x"'), refused],
  ['sends bytes that are no text', saying('\ufffd\u0000\u0001'), refused],
  [
    'sends an object in an object ten thousand deep',
    saying(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`),
    refused,
  ],
  ['is larger than any', saying(`{"x":"${'x'.repeat(2 * 1024 * 1024)}"}`), refused],
];

type Endpoint = 'discovery' | 'token' | 'keys';
const endpoints: readonly Endpoint[] = ['discovery', 'token', 'keys'];

const good = (service: Service): string => `${service.portalUrl}/signin?oauth_exchange=1`;

/** From the page of sign-in to wherever the service leads in the end: it sends the browser to the provider, or back. */
const attempt = async (service: Service, issuer: HostileIssuer): Promise<PageAnswer> => {
  const browser = new TravellingBrowser();
  const begun = await browser.get(`${service.portalUrl}/auth/google?redirect=%2Fsettings`);
  if (!begun.location?.startsWith(issuer.issuer)) return begun;
  return browser.get(await signInAtProvider(browser, begun.location, issuer.subject));
};

const expectGood = async (service: Service, issuer: HostileIssuer): Promise<void> => {
  issuer.behave();
  expect((await attempt(service, issuer)).location).toBe(`${good(service)}&redirect=%2Fsettings`);
};

const expectRefused = async (
  service: Service,
  issuer: HostileIssuer,
  codes: Codes,
  act = () => attempt(service, issuer),
): Promise<void> => {
  const secrets = () => [...issuer.secrets, issuer.clientSecret, issuer.subject, canary];
  const query = await expectExternalRefusal(service, { codes, secrets }, act);
  expect(query.get('redirect')).toBe('/settings');
};

/**
 * While the attempt waits for the provider, everybody else is served; it ends as one at a provider that is not there.
 */
const expectServedMeanwhile = async (service: Service, issuer: HostileIssuer, endpoint: Endpoint): Promise<void> => {
  const asked = Promise.withResolvers<ServerResponse>();
  issuer.behave({ [endpoint]: (_request: IncomingMessage, response: ServerResponse) => asked.resolve(response) });
  await expectRefused(service, issuer, unavailable, async () => {
    let hasEnded = false;
    const ending = attempt(service, issuer).finally(() => {
      hasEnded = true;
    });
    const response = await asked.promise;
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect((await post(service.url, operations.me)).code).toBe('UNAUTHENTICATED');
    expect(hasEnded).toBe(false);
    response.destroy();
    return ending;
  });
};

const expectGivenUp = async (
  service: Service,
  issuer: HostileIssuer,
  endpoint: Endpoint,
  way: 'silence' | 'unending',
): Promise<void> => {
  const deadlines = passDeadlines();
  issuer.behave({ [endpoint]: deadlines[way] });
  await expectRefused(service, issuer, unavailable);
  expect(deadlines.given()).toEqual(new Set([5000]));
};

describe.each(endpoints)('A provider whose %s', (endpoint) => {
  const issuer = fixture(startHostileIssuer);
  const service = serviceFixture(() => issuer.environment());

  // Specification: External sign-in — A provider that is down, slow or talks nonsense
  it.each(wrongAnswers)('%s signs no user in', async (_title, answer, codes) => {
    issuer.behave({ [endpoint]: answer });
    await expectRefused(service, issuer, codes);
  });

  it('sends us elsewhere is not followed', async () => {
    issuer.behave({ [endpoint]: redirectingTo(`${issuer.issuer}/elsewhere`) });
    await expectRefused(service, issuer, refused);
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  it('never ends its answer is not listened to for long', async () => {
    let written = 0;
    const most = 64 * 1024 * 1024;
    const pouring = endless(most, (bytes) => {
      written += bytes;
    });
    issuer.behave({ [endpoint]: pouring });
    await expectRefused(service, issuer, refused);
    // What is on its way in buffers comes on top of what is read.
    expect(written).toBeLessThan(most / 4);
  });

  // Specification: External sign-in — A provider that never answers: others are served meanwhile
  it('does not answer yet delays no other sign-in', async () => {
    await expectServedMeanwhile(service, issuer, endpoint);
  });

  it('never answers is given up', async () => {
    await expectGivenUp(service, issuer, endpoint, 'silence');
  });

  // Specification: External sign-in — A provider that recovers: the next person gets in without a restart
  it('is well again after all of that lets the next one in, without a restart', async () => {
    issuer.behave({ [endpoint]: hangingUp });
    await expectRefused(service, issuer, unavailable);
    await expectGood(service, issuer);
  });
});

describe('A provider that', () => {
  const issuer = fixture(startHostileIssuer);
  const service = serviceFixture(() => issuer.environment());

  it.each<[string, Faults['metadata']]>([
    ['calls itself another issuer', (metadata) => ({ ...metadata, issuer: 'https://accounts.google.com' })],
    [
      'calls itself a host that looks like its own',
      (metadata) => ({ ...metadata, issuer: `${issuer.issuer}.evil.example` }),
    ],
    ['calls itself nothing', without('issuer')],
    ['calls itself a number', (metadata) => ({ ...metadata, issuer: 5 })],
    ['names no page to sign in at', without('authorization_endpoint')],
    ['names a script as its page', (metadata) => ({ ...metadata, authorization_endpoint: 'javascript:alert(1)' })],
    ['names a page that is no address', (metadata) => ({ ...metadata, authorization_endpoint: '/authorize' })],
    [
      'names a list of pages',
      (metadata) => ({ ...metadata, authorization_endpoint: [metadata['authorization_endpoint']] }),
    ],
    ['names no place for tokens', without('token_endpoint')],
    ['names a file as its place for tokens', (metadata) => ({ ...metadata, token_endpoint: 'file:///etc/passwd' })],
    ['names no place for its keys', without('jwks_uri')],
    ['names a file as the place of its keys', (metadata) => ({ ...metadata, jwks_uri: 'file:///etc/passwd' })],
    ['signs in a way that nobody checks', (metadata) => ({ ...metadata, id_token_signing_alg_values_supported: [] })],
  ])('%s signs no user in', async (_title, metadata) => {
    issuer.behave(metadata === undefined ? {} : { metadata });
    await expectRefused(service, issuer, refused);
  });

  it('corrects its metadata after all of that allows the next sign-in, without a restart', async () => {
    issuer.behave({ metadata: without('token_endpoint') });
    await expectRefused(service, issuer, refused);
    await expectGood(service, issuer);
  });

  it('begins an answer and never comes to its end is given up too', async () => {
    await expectGivenUp(service, issuer, 'token', 'unending');
  });

  it.each<[string, Faults['keySet']]>([
    ['publishes no keys', () => ({ keys: [] })],
    ['publishes no list of keys', () => ({})],
    ['publishes keys that are none', () => ({ keys: [null, 5, 'key', {}] })],
    ['publishes a key without its number', (keys) => ({ keys: [{ ...firstOf(keys), n: undefined }] })],
    ['publishes a key that is too short', (keys) => ({ keys: [{ ...firstOf(keys), n: 'AQAB' }] })],
    ['publishes its key as one to encrypt with', (keys) => ({ keys: [{ ...firstOf(keys), use: 'enc' }] })],
    ['publishes two keys by the same name', (keys) => ({ keys: [firstOf(keys), firstOf(keys)] })],
  ])('%s signs no user in', async (_title, keySet) => {
    // Keys that were read are kept for a while, wrong ones too: each fault meets a service that has none.
    const fresh = await testFixture(startService(issuer.environment()));
    issuer.behave(keySet === undefined ? {} : { keySet });
    await expectRefused(fresh, issuer, refused);
  });

  it('is down, before its metadata was read or during a sign-in, is asked again the next time', async () => {
    const fresh = await testFixture(startService(issuer.environment()));
    await issuer.down();
    await expectRefused(fresh, issuer, unavailable);
    await expectRefused(fresh, issuer, unavailable);
    await issuer.up();
    await expectGood(fresh, issuer);

    const browser = new TravellingBrowser();
    const start = `${fresh.portalUrl}/auth/google?redirect=%2Fsettings`;
    const callback = await signInAtProvider(browser, start, issuer.subject);
    await issuer.down();
    await expectRefused(fresh, issuer, unavailable, () => browser.get(callback));
    await issuer.up();
    await expectGood(fresh, issuer);
  });
});

/** What an answer of the provider holds must not be quoted. */
const canary = 'canary-of-an-answer';

const without =
  (name: string) =>
  (metadata: Json): Json =>
    Object.fromEntries(Object.entries(metadata).filter(([each]) => each !== name));

const firstOf = (keySet: Json): Json => {
  const { keys } = keySet as { readonly keys: readonly Json[] };
  return keys[0] ?? {};
};
