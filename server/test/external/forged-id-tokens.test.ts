/**
 * An id_token that is forged or issued for another audience: one that is not wholly valid signs no person
 * in (OpenID Connect Core 1.0, section 3.1.3.7; security rules).
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TravellingBrowser } from '../support/clients/provider-browser.ts';
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
    // An attacker may choose the algorithm: that the issuer lists more must not make the worse ones good.
    const algorithms = ['RS256', 'HS256', 'none'];
    issuer.behave({ metadata: (good) => ({ ...good, id_token_signing_alg_values_supported: algorithms }) });
    service = await startService(issuer.environment());
    await expectNextLetIn();
  });
  afterAll(async () => {
    await service.close();
  });

  const comeBack = async (browser = new TravellingBrowser()) => {
    return browser.get(await arrive(browser));
  };

  /** Up to the callback, which is not opened; answers its address. */
  const arrive = async (browser: TravellingBrowser): Promise<string> =>
    issuer.authorize((await browser.get(`${service.portalUrl}/auth/google`)).location ?? 'none:');

  /** Refused, with nothing left behind. */
  const expectRefused = async (faults: Faults): Promise<void> => {
    issuer.behave(faults);
    const secrets = () => [...issuer.secrets, issuer.clientSecret, issuer.subject, anything];
    await expectExternalRefusal(service, { codes: ['PROVIDER_REFUSED'], secrets }, () => comeBack());
    issuer.behave();
  };

  const expectNextLetIn = async (): Promise<void> => {
    expect((await comeBack()).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
  };

  it.each<[string, Faults]>([
    ['with no signature, by the algorithm none', idToken((good) => unsigned(good))],
    ['with no signature, by none in other letters', idToken((good) => unsigned(good, 'None'))],
    ['that lost its signature', idToken((good, key) => signedWith(key, good).replace(/[^.]*$/, ''))],
    [
      'with the signature of another token',
      idToken((good, key) => withClaims(signedWith(key, good), claim('sub', 'x'))),
    ],
    ['signed with the client secret', idToken((good) => hashedWith(issuer.clientSecret, good))],
    ['signed with the public key as a secret', idToken((good, key) => hashedWith(key.pem, good, { kid: key.kid }))],
    ['signed with the published key as a secret', idToken((good, key) => hashedWith(JSON.stringify(key.jwk), good))],
    ['signed with an empty secret', idToken((good) => hashedWith('', good))],
    ['signed by a key that nobody published', idToken((good) => signedWith(another, good))],
    ["signed by another key under the issuer's key id", idToken((good, { kid }) => signedWith(another, good, { kid }))],
    ['signed by another key that it brings along', idToken((good) => signedWith(another, good, { jwk: another.jwk }))],
    [
      'signed by another key that it says where to find',
      idToken((good, { kid }) => signedWith(another, good, { kid, jku: `${issuer.issuer}/elsewhere` })),
    ],
    ['that names an algorithm which it does not have', idToken((good, key) => signedWith(key, good, { alg: 'RS512' }))],
    ['that asks for unsupported values', idToken((good, key) => signedWith(key, good, { crit: ['b64'], b64: true }))],
  ])('%s is refused', async (_title, faults) => {
    await expectRefused(faults);
    expect(issuer.asked).not.toContain('/elsewhere');
    // It had the keys looked up again, perhaps.
    await expectNextLetIn();
  });

  it.each<[string, Faults]>([
    ['for another client', claims(claim('aud', 'another-client'))],
    ['for nobody', claims(without('aud'))],
    ['for an empty list of clients', claims(claim('aud', []))],
    [
      'for this client and another, not saying who asked',
      claims((good) => ({ ...good, aud: [good['aud'], 'another'] })),
    ],
    [
      'for this client and another, who asked',
      claims((good) => ({ ...good, aud: [good['aud'], 'another'], azp: 'another' })),
    ],
    ['of another issuer', claims(claim('iss', 'https://accounts.google.com'))],
    ['of the issuer with a slash more', claims((good) => ({ ...good, iss: `${String(good['iss'])}/` }))],
    ['of no issuer', claims(without('iss'))],
    ['that has expired', claims((good) => ({ ...good, exp: now() - 3600 }))],
    ['that never expires', claims(without('exp'))],
    ['that expires at a text', claims(claim('exp', '9999999999'))],
    ['that says not when it was made', claims(without('iat'))],
    ['that was made tomorrow', claims((good) => ({ ...good, iat: now() + 86_400, exp: now() + 90_000 }))],
    ['that holds from tomorrow on', claims((good) => ({ ...good, nbf: now() + 86_400 }))],
  ])('%s is refused', async (_title, faults) => {
    await expectRefused(faults);
  });

  it.each<[string, (nonce: string) => unknown]>([
    ['without a nonce', () => undefined],
    ['with an empty nonce', () => ''],
    ['with a nonce that nobody made', () => anything],
    ['with the nonce in a list', (nonce) => [nonce]],
    ['with more than the nonce', (nonce) => `${nonce}A`],
  ])('%s is refused', async (_title, change) => {
    await expectRefused(claims((good) => ({ ...good, nonce: change(String(good['nonce'])) })));
  });

  // Specification: External sign-in — id_token: signature, issuer, audience, times, nonce
  it('made for another attempt of the same browser is refused', async () => {
    const browser = new TravellingBrowser();
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
    ['a subject of other letters than ASCII', 'sübject'],
  ])('with %s is refused', async (_title, subject) => {
    await expectRefused(claims(claim('sub', subject)));
  });

  it.each<[string, Faults]>([
    ['missing', { tokenAnswer: without('id_token') }],
    ['empty', { tokenAnswer: claim('id_token', '') }],
    ['a number', { tokenAnswer: claim('id_token', 5) }],
    ['null', { tokenAnswer: claim('id_token', null) }],
    ['no token', { tokenAnswer: claim('id_token', anything) }],
    ['of parts that are not encoded', { tokenAnswer: claim('id_token', '{}.{}.{}') }],
    ['of parts that are no objects', { tokenAnswer: claim('id_token', 'W10.W10.W10') }],
    ['encrypted for somebody', { tokenAnswer: claim('id_token', `${btoa('{"alg":"dir"}')}.a.b.c.d`) }],
    ['larger than any', claims(claim('extra', 'x'.repeat(2 * 1024 * 1024)))],
    ['beside no access token', { tokenAnswer: without('access_token') }],
    ['beside a token of a kind that nobody asked for', { tokenAnswer: claim('token_type', 'mac') }],
  ])('%s is refused', async (_title, faults) => {
    await expectRefused(faults);
  });

  it('that is good, after all of those, is let in', async () => {
    await expectNextLetIn();
  });

  it('with the longest subject and unrequested claims is accepted, and the claims are not stored', async () => {
    const subject = 's'.repeat(255);
    issuer.behave(claims((good) => ({ ...good, sub: subject, extra: anything.repeat(2000), azp: issuer.clientId })));
    const browser = new TravellingBrowser();
    expect((await comeBack(browser)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    const longest = await service.sql.value<number>(
      'SELECT max(length(sealed_identity))::integer AS longest FROM external_exchanges',
    );
    expect(longest).toBeLessThan(2000);
    issuer.behave();
  });
});
