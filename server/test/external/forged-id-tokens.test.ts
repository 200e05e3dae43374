/** Forged id_tokens, and ones for another audience, sign no person in (OpenID Connect Core 1.0, section 3.1.3.7). */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture } from '../support/fixture.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { expectExternalRefusal } from '../support/servers/external-refusals.ts';
import { type Faults, startHostileIssuer } from '../support/servers/hostile-issuer.ts';
import {
  hashedWith,
  type Json,
  newSigningKey,
  type SigningKey,
  signedWith,
  unsigned,
  withClaims,
} from '../support/servers/id-tokens.ts';

const now = (): number => Math.floor(Date.now() / 1000);
const another = newSigningKey();
const anything = randomBytes(32).toString('base64url');

const claim =
  (name: string, value: unknown): ((good: Json) => Json) =>
  (good) => ({ ...good, [name]: value });

const without =
  (name: string): ((good: Json) => Json) =>
  (good) =>
    Object.fromEntries(Object.entries(good).filter(([each]) => each !== name));

const claims = (change: (good: Json) => Json): Faults => ({ claims: change });
const idToken = (make: (claims: Json, key: SigningKey) => string): Faults => ({ idToken: make });

describe('An id_token', () => {
  let service: Service;
  const issuer = fixture(startHostileIssuer);
  beforeAll(async () => {
    // An attacker may choose the algorithm: a longer list of the issuer must not make the weak ones acceptable.
    const algorithms = ['RS256', 'HS256', 'none'];
    issuer.behave({ metadata: (good) => ({ ...good, id_token_signing_alg_values_supported: algorithms }) });
    service = await startService(issuer.environment());
    await expectNextSignsIn();
  });
  afterAll(async () => {
    await service.close();
  });

  const comeBack = async (browser = new ProviderBrowser()) => {
    return browser.get(await arrive(browser));
  };

  /** Up to the callback, which is not opened; returns its URL. */
  const arrive = async (browser: ProviderBrowser): Promise<string> =>
    issuer.authorize((await browser.get(`${service.portalUrl}/auth/google`)).location ?? 'none:');

  const expectRefused = async (faults: Faults): Promise<void> => {
    issuer.behave(faults);
    const secrets = () => [...issuer.secrets, issuer.clientSecret, issuer.subject, anything];
    await expectExternalRefusal(service, { codes: ['PROVIDER_REFUSED'], secrets }, () => comeBack());
    issuer.behave();
  };

  const expectNextSignsIn = async (): Promise<void> => {
    expect((await comeBack()).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
  };

  it.each<[string, Faults]>([
    ['with no signature, by the algorithm none', idToken((good) => unsigned(good))],
    ['with no signature, by none in other case', idToken((good) => unsigned(good, 'None'))],
    ['with its signature removed', idToken((good, key) => signedWith(key, good).replace(/[^.]*$/, ''))],
    [
      'with the signature of another token',
      idToken((good, key) => withClaims(signedWith(key, good), claim('sub', 'x'))),
    ],
    ['signed with the client secret', idToken((good) => hashedWith(issuer.clientSecret, good))],
    ['signed with the public key as a secret', idToken((good, key) => hashedWith(key.pem, good, { kid: key.kid }))],
    ['signed with the published key as a secret', idToken((good, key) => hashedWith(JSON.stringify(key.jwk), good))],
    ['signed with an empty secret', idToken((good) => hashedWith('', good))],
    ['signed by an unpublished key', idToken((good) => signedWith(another, good))],
    ["signed by another key under the issuer's key id", idToken((good, { kid }) => signedWith(another, good, { kid }))],
    ['signed by another key in its header', idToken((good) => signedWith(another, good, { jwk: another.jwk }))],
    [
      'signed by another key at a URL in its header',
      idToken((good, { kid }) => signedWith(another, good, { kid, jku: `${issuer.issuer}/elsewhere` })),
    ],
    [
      'that names an algorithm which does not match its signature',
      idToken((good, key) => signedWith(key, good, { alg: 'RS512' })),
    ],
    ['with unsupported critical headers', idToken((good, key) => signedWith(key, good, { crit: ['b64'], b64: true }))],
  ])('%s is refused', async (_title, faults) => {
    await expectRefused(faults);
    expect(issuer.asked).not.toContain('/elsewhere');
    // It may have had the keys fetched again.
    await expectNextSignsIn();
  });

  it.each<[string, Faults]>([
    ['for another client', claims(claim('aud', 'another-client'))],
    ['for an empty audience', claims(without('aud'))],
    ['for an empty list of clients', claims(claim('aud', []))],
    ['for this client and another, without azp', claims((good) => ({ ...good, aud: [good['aud'], 'another'] }))],
    [
      'for this client and another, the authorized party',
      claims((good) => ({ ...good, aud: [good['aud'], 'another'], azp: 'another' })),
    ],
    ['of another issuer', claims(claim('iss', 'https://accounts.google.com'))],
    ['of the issuer with a trailing slash', claims((good) => ({ ...good, iss: `${String(good['iss'])}/` }))],
    ['of no issuer', claims(without('iss'))],
    ['that has expired', claims((good) => ({ ...good, exp: now() - 3600 }))],
    ['without expiry', claims(without('exp'))],
    ['with a text as expiry', claims(claim('exp', '9999999999'))],
    ['without the time of issue', claims(without('iat'))],
    ['issued tomorrow', claims((good) => ({ ...good, iat: now() + 86_400, exp: now() + 90_000 }))],
    ['valid from tomorrow', claims((good) => ({ ...good, nbf: now() + 86_400 }))],
  ])('%s is refused', async (_title, faults) => {
    await expectRefused(faults);
  });

  it.each<[string, (nonce: string) => unknown]>([
    ['without a nonce', () => undefined],
    ['with an empty nonce', () => ''],
    ['with a forged nonce', () => anything],
    ['with the nonce in a list', (nonce) => [nonce]],
    ['with a longer nonce', (nonce) => `${nonce}A`],
  ])('%s is refused', async (_title, change) => {
    await expectRefused(claims((good) => ({ ...good, nonce: change(String(good['nonce'])) })));
  });

  // Contract: accounts#id-token-and-claims — id_token: signature, issuer, audience, times, nonce
  it('made for another attempt of the same browser is refused', async () => {
    const browser = new ProviderBrowser();
    const first = await arrive(browser);
    let other = '';
    issuer.behave({
      claims: (good) => {
        other = String(good['nonce']);
        return good;
      },
    });
    await comeBack(browser);
    expect(other).not.toBe('');
    issuer.behave(claims(claim('nonce', other)));
    const expected = { codes: ['PROVIDER_REFUSED'], secrets: () => issuer.secrets } as const;
    await expectExternalRefusal(service, expected, () => browser.get(first));
  });

  it.each<[string, unknown]>([
    ['no subject', undefined],
    ['null as its subject', null],
    ['an empty subject', ''],
    ['a number as its subject', 12345678],
    ['a list as its subject', ['subject']],
    ['an object as its subject', { toString: 'subject' }],
    ['a subject of 256 characters', 'x'.repeat(256)],
    ['a subject of 10 kB', 'x'.repeat(10_240)],
    ['a subject with a NUL', 'subject\u0000'],
    ['a subject with a line break', 'subject\r\nX: y'],
    ['a subject with a lone surrogate', 'subject\ud800'],
    ['a subject with non-ASCII letters', 'sübject'],
  ])('with %s is refused', async (_title, subject) => {
    await expectRefused(claims(claim('sub', subject)));
  });

  it.each<[string, Faults]>([
    ['missing', { tokenAnswer: without('id_token') }],
    ['empty', { tokenAnswer: claim('id_token', '') }],
    ['a number', { tokenAnswer: claim('id_token', 5) }],
    ['null', { tokenAnswer: claim('id_token', null) }],
    ['not a token', { tokenAnswer: claim('id_token', anything) }],
    ['with unencoded parts', { tokenAnswer: claim('id_token', '{}.{}.{}') }],
    ['with parts that are not objects', { tokenAnswer: claim('id_token', 'W10.W10.W10') }],
    ['encrypted', { tokenAnswer: claim('id_token', `${btoa('{"alg":"dir"}')}.a.b.c.d`) }],
    ['larger than the limit', claims(claim('extra', 'x'.repeat(2 * 1024 * 1024)))],
    ['without an access token', { tokenAnswer: without('access_token') }],
    ['with an unrequested token type', { tokenAnswer: claim('token_type', 'mac') }],
  ])('%s is refused', async (_title, faults) => {
    await expectRefused(faults);
  });

  it('that is valid, after all of those, signs the person in', async () => {
    await expectNextSignsIn();
  });

  it('with the longest subject and unrequested claims is accepted, and the claims are not stored', async () => {
    const subject = 's'.repeat(255);
    issuer.behave(claims((good) => ({ ...good, sub: subject, extra: anything.repeat(2000), azp: issuer.clientId })));
    const browser = new ProviderBrowser();
    expect((await comeBack(browser)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    const longest = await service.sql.value<number>(
      'SELECT max(length(sealed_identity))::integer AS longest FROM external_exchanges',
    );
    expect(longest).toBeLessThan(2000);
    issuer.behave();
  });
});
