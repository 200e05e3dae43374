/**
 * A provider that is down, slow or answers nonsense: the sign-in page informs the person, one line of the log informs
 * the operator, nothing is half done, other requests are served meanwhile, and the next attempt works without a restart
 * (security rules, I7 and I8).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { defaultIntervals } from '../../src/domain/access/deps.ts';
import type { ExternalRefusalCode } from '../../src/kernel/errors.ts';
import { operations, post } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { ProviderBrowser, signInAtProvider } from '../support/clients/provider-browser.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { type Service, serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { controlDeadlines } from '../support/gatehouse/provider-deadlines.ts';
import { withProductionLimits } from '../support/gatehouse/wait-limits.ts';
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

const wrongAnswers: readonly [string, WrongAnswer, Codes][] = [
  ['resets the connection', hangingUp, unavailable],
  ['resets the connection half-way', cutOff, unavailable],
  ['has an internal error (500)', saying('{"error":"canary-of-an-answer"}', 500), unavailable],
  [
    'is behind a gateway that cannot reach it (502)',
    saying('Bad Gateway <canary-of-an-answer>', 502, { 'content-type': 'text/html' }),
    unavailable,
  ],
  ['is under maintenance (503)', saying('', 503, { 'retry-after': '3600' }), unavailable],
  ['limits our rate (429)', saying('{"error":"slow_down"}', 429), unavailable],
  ['is not found (404)', saying('Not Found', 404, { 'content-type': 'text/plain' }), refused],
  [
    'requires other client credentials (401)',
    saying('{"error":"canary-of-an-answer","error_description":"canary-of-an-answer"}', 401),
    refused,
  ],
  [
    'requires credentials in a header',
    saying('', 401, { 'www-authenticate': 'Basic realm="canary-of-an-answer"' }),
    refused,
  ],
  ['is declared as HTML', html, refused],
  ['sends HTML declared as JSON', saying('<!doctype html>canary-of-an-answer'), refused],
  ['sends an empty body', saying(''), refused],
  ['sends no content (204)', saying('', 204, {}), refused],
  ['ends in the middle of its JSON', truncated, refused],
  ['sends null', saying('null'), refused],
  ['sends a list', saying('[]'), refused],
  ['sends a string', saying('"x"'), refused],
  ['sends bytes that are not text', saying('\ufffd\u0000\u0001'), refused],
  ['sends objects nested ten thousand deep', saying(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), refused],
  ['is larger than the limit', saying(`{"x":"${'x'.repeat(2 * 1024 * 1024)}"}`), refused],
];

type Endpoint = 'discovery' | 'token' | 'keys';
const endpoints: readonly Endpoint[] = ['discovery', 'token', 'keys'];

const good = (service: Service): string => `${service.portalUrl}/signin?oauth_exchange=1`;

/** From the sign-in page to the final redirect of the service: to the provider, or back. */
const attempt = async (service: Service, issuer: HostileIssuer): Promise<PageAnswer> => {
  const browser = new ProviderBrowser();
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

/** While the attempt waits for the provider, other requests are served; then it ends as for an unreachable provider. */
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

const expectAbandoned = async (
  service: Service,
  issuer: HostileIssuer,
  endpoint: Endpoint,
  way: 'silence' | 'unending',
): Promise<void> => {
  const deadlines = controlDeadlines();
  issuer.behave({ [endpoint]: deadlines[way] });
  await expectRefused(service, issuer, unavailable);
  expect(deadlines.given()).toEqual(new Set([defaultIntervals.identityProvider * 1000]));
};

it('A provider has five seconds for each answer', () =>
  withProductionLimits(async () => expect(defaultIntervals.identityProvider).toBe(5)));

describe.each(endpoints)('A provider whose %s', (endpoint) => {
  const issuer = fixture(startHostileIssuer);
  const service = serviceFixture(() => issuer.environment());

  // Contract: accounts#identity-provider — A provider that is down, slow or sends nonsense
  it.each(wrongAnswers)('%s signs no user in', async (_title, answer, codes) => {
    issuer.behave({ [endpoint]: answer });
    await expectRefused(service, issuer, codes);
  });

  it('redirects us is not followed', async () => {
    issuer.behave({ [endpoint]: redirectingTo(`${issuer.issuer}/elsewhere`) });
    await expectRefused(service, issuer, refused);
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  it('never ends its answer is read only up to the limit', async () => {
    let written = 0;
    const most = 64 * 1024 * 1024;
    const pouring = endless(most, (bytes) => {
      written += bytes;
    });
    issuer.behave({ [endpoint]: pouring });
    await expectRefused(service, issuer, refused);
    // Bytes buffered on the way come on top of the ones read.
    expect(written).toBeLessThan(most / 4);
  });

  // Contract: accounts#identity-provider — A provider that never answers: others are served meanwhile
  it('does not answer yet delays no other sign-in', async () => {
    await expectServedMeanwhile(service, issuer, endpoint);
  });

  it('never answers is abandoned at the deadline', async () => {
    await expectAbandoned(service, issuer, endpoint, 'silence');
  });

  // Contract: accounts#identity-provider — A provider that recovers: the next person signs in without a restart
  it('recovers from all of that signs the next person in, without a restart', async () => {
    issuer.behave({ [endpoint]: hangingUp });
    await expectRefused(service, issuer, unavailable);
    await expectGood(service, issuer);
  });
});

describe('A provider that', () => {
  const issuer = fixture(startHostileIssuer);
  const service = serviceFixture(() => issuer.environment());

  it.each<[string, Faults['metadata']]>([
    ['names another issuer', (metadata) => ({ ...metadata, issuer: 'https://accounts.google.com' })],
    [
      'names a lookalike of its host as issuer',
      (metadata) => ({ ...metadata, issuer: `${issuer.issuer}.evil.example` }),
    ],
    ['names no issuer', without('issuer')],
    ['names a number as issuer', (metadata) => ({ ...metadata, issuer: 5 })],
    ['names no authorization endpoint', without('authorization_endpoint')],
    [
      'names a script as authorization endpoint',
      (metadata) => ({ ...metadata, authorization_endpoint: 'javascript:alert(1)' }),
    ],
    [
      'names an invalid URL as authorization endpoint',
      (metadata) => ({ ...metadata, authorization_endpoint: '/authorize' }),
    ],
    [
      'names a list as authorization endpoint',
      (metadata) => ({ ...metadata, authorization_endpoint: [metadata['authorization_endpoint']] }),
    ],
    ['names no token endpoint', without('token_endpoint')],
    ['names a file as token endpoint', (metadata) => ({ ...metadata, token_endpoint: 'file:///etc/passwd' })],
    ['names no key set', without('jwks_uri')],
    ['names a file as key set', (metadata) => ({ ...metadata, jwks_uri: 'file:///etc/passwd' })],
    [
      'supports no signature algorithm that we verify',
      (metadata) => ({ ...metadata, id_token_signing_alg_values_supported: [] }),
    ],
  ])('%s signs no user in', async (_title, metadata) => {
    issuer.behave(metadata === undefined ? {} : { metadata });
    await expectRefused(service, issuer, refused);
  });

  it('corrects its metadata after all of that signs the next person in, without a restart', async () => {
    issuer.behave({ metadata: without('token_endpoint') });
    await expectRefused(service, issuer, refused);
    await expectGood(service, issuer);
  });

  it('starts an answer and never finishes it is abandoned too', async () => {
    await expectAbandoned(service, issuer, 'token', 'unending');
  });

  it.each<[string, Faults['keySet']]>([
    ['publishes no keys', () => ({ keys: [] })],
    ['publishes no list of keys', () => ({})],
    ['publishes invalid keys', () => ({ keys: [null, 5, 'key', {}] })],
    ['publishes a key without its modulus', (keys) => ({ keys: [{ ...firstOf(keys), n: undefined }] })],
    ['publishes a key that is too short', (keys) => ({ keys: [{ ...firstOf(keys), n: 'AQAB' }] })],
    ['publishes its key for encryption', (keys) => ({ keys: [{ ...firstOf(keys), use: 'enc' }] })],
    ['publishes two keys with the same id', (keys) => ({ keys: [firstOf(keys), firstOf(keys)] })],
  ])('%s signs no user in', async (_title, keySet) => {
    // Keys are cached for a while, wrong ones too: each fault meets a service without cached keys.
    const fresh = await testFixture(startService(issuer.environment()));
    issuer.behave(keySet === undefined ? {} : { keySet });
    await expectRefused(fresh, issuer, refused);
  });

  it('is down, before its metadata was read or during a sign-in, is queried again the next time', async () => {
    const fresh = await testFixture(startService(issuer.environment()));
    await issuer.down();
    await expectRefused(fresh, issuer, unavailable);
    await expectRefused(fresh, issuer, unavailable);
    await issuer.up();
    await expectGood(fresh, issuer);

    const browser = new ProviderBrowser();
    const start = `${fresh.portalUrl}/auth/google?redirect=%2Fsettings`;
    const callback = await signInAtProvider(browser, start, issuer.subject);
    await issuer.down();
    await expectRefused(fresh, issuer, unavailable, () => browser.get(callback));
    await issuer.up();
    await expectGood(fresh, issuer);
  });
});

/** The provider's answer must not be quoted. */
const canary = 'canary-of-an-answer';

const without =
  (name: string) =>
  (metadata: Json): Json =>
    Object.fromEntries(Object.entries(metadata).filter(([each]) => each !== name));

const firstOf = (keySet: Json): Json => {
  const { keys } = keySet as { readonly keys: readonly Json[] };
  return keys[0] ?? {};
};
