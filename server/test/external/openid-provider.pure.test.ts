/** The OpenID Connect client by itself: its requests, and how it reads claims and failures. */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import type { IdentityProvider, ProvidedIdentity, ProviderAttempt } from '../../src/platform/oidc/identity-provider.ts';
import {
  createOpenIdProvider,
  isEmailAuthoritative,
  type OpenIdProviderOptions,
  promptOf,
  requireUsableMetadata,
} from '../../src/platform/oidc/openid-provider.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { fixture } from '../support/fixture.ts';
import { controlDeadlines } from '../support/gatehouse/provider-deadlines.ts';
import { saying } from '../support/random/wrong-answers.ts';
import { type Faults, startHostileIssuer } from '../support/servers/hostile-issuer.ts';
import { listen } from '../support/servers/listen.ts';

const redirectUri = 'http://127.0.0.1:4790/auth/google/callback';
const discovery = '/.well-known/openid-configuration';

const issuer = fixture(startHostileIssuer);
afterEach(() => {
  issuer.behave();
  vi.useRealTimers();
});

/** The clock of this process stands still, so that a busy machine does not move it past the tolerance. */
const stopClock = (): void => void vi.useFakeTimers({ toFake: ['Date'] });

const newProvider = (options: Partial<OpenIdProviderOptions> = {}): IdentityProvider =>
  createOpenIdProvider({ ...issuer, displayName: 'The Issuer', now: async () => new Date(), ...options });

const newSecret = (): string => randomBytes(32).toString('base64url');
const newAttempt = (): ProviderAttempt => ({ state: newSecret(), nonce: newSecret(), codeVerifier: newSecret() });

/** There and back; returns the query of the callback. */
const walk = async (provider: IdentityProvider, attempt: ProviderAttempt): Promise<string> => {
  const url = await provider.authorizationUrl(attempt, redirectUri, 'sign_in');
  const sentBack = await fetch(url, { redirect: 'manual' });
  return new URL(sentBack.headers.get('location') ?? 'none:').search.slice(1);
};

const signIn = async (provider: IdentityProvider): Promise<ProvidedIdentity> => {
  const attempt = newAttempt();
  return provider.identify(await walk(provider, attempt), attempt, redirectUri);
};

const failureOf = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refusal) return `${error.code.slice('PROVIDER_'.length).toLowerCase()}: ${error.detail}`;
    throw error;
  }
  return 'did not fail';
};

const asksFor = async (path: string, work: () => Promise<unknown>): Promise<number> => {
  const before = issuer.asked.length;
  await work();
  return issuer.asked.slice(before).filter((asked) => asked === path).length;
};

describe('The metadata of an issuer', () => {
  it('is fetched at the first sign-in, and once for concurrent ones', async () => {
    let provider: IdentityProvider | undefined;
    expect(
      await asksFor(discovery, async () => {
        provider = newProvider();
      }),
    ).toBe(0);
    const asks = await asksFor(discovery, async () => {
      await inParallel(range(20), 20, async () => provider?.authorizationUrl(newAttempt(), redirectUri, 'sign_in'));
    });
    expect(asks).toBe(1);
    expect(await asksFor(discovery, async () => provider && signIn(provider))).toBe(0);
  });

  it('is fetched again after a failure, also for concurrent sign-ins', async () => {
    const provider = newProvider();
    issuer.behave({ discovery: saying('', 503) });
    const failures = await inParallel(range(5), 5, () => failureOf(() => signIn(provider)));
    expect(new Set(failures)).toEqual(new Set(['unavailable: http_503']));
    issuer.behave();
    expect((await signIn(provider)).subject).toBe(issuer.subject);
  });

  it('is fetched again when it has expired', async () => {
    const provider = newProvider({ metadataSeconds: 0 });
    const elsewhere = `${issuer.issuer}/elsewhere`;
    await signIn(provider);
    issuer.behave({ metadata: (good) => ({ ...good, authorization_endpoint: elsewhere }) });
    const url = await provider.authorizationUrl(newAttempt(), redirectUri, 'sign_in');
    expect(url.split('?')[0]).toBe(elsewhere);
  });

  it.each<[string, Faults]>([
    ['the issuer is down', { discovery: saying('', 500) }],
    ['it is unusable', { metadata: (good) => ({ ...good, token_endpoint: undefined }) }],
  ])('stays when %s, and is not fetched again at once', async (_title, faults) => {
    const provider = newProvider({ metadataSeconds: 0 });
    await signIn(provider);
    issuer.behave(faults);
    const asks = await asksFor(discovery, async () => {
      expect((await signIn(provider)).subject).toBe(issuer.subject);
    });
    expect(asks).toBe(1);
  });

  it.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri'])(
    'by https is refused with a %s by http',
    async (name) => {
      const https = 'https://provider.example';
      const good = {
        issuer: https,
        authorization_endpoint: `${https}/authorize`,
        token_endpoint: `${https}/token`,
        jwks_uri: `${https}/keys`,
      };
      expect(() => requireUsableMetadata(good)).not.toThrow();
      const downgraded = { ...good, [name]: 'http://provider.example/x' };
      expect(await failureOf(async () => requireUsableMetadata(downgraded))).toBe(`refused: no_${name}`);
    },
  );
});

describe('The request to an issuer', () => {
  const authorizationHeadersWith = async (metadata: Faults['metadata']): Promise<readonly (string | undefined)[]> => {
    const headers: (string | undefined)[] = [];
    issuer.behave({
      ...(metadata === undefined ? {} : { metadata }),
      token: (request, response) => {
        headers.push(request.headers.authorization);
        saying('{"error":"invalid_client"}', 401)(request, response);
      },
    });
    expect(await failureOf(() => signIn(newProvider()))).toBe('refused: invalid_client');
    return headers;
  };

  it.each<[readonly string[] | undefined, readonly boolean[]]>([
    [undefined, [true]],
    [['client_secret_basic'], [true]],
    [
      ['client_secret_basic', 'client_secret_post'],
      [false, true],
    ],
    [['client_secret_post'], [false]],
  ])('sends, where it lists %j, the client secret in the header: %j', async (methods, areInHeader) => {
    const headers = await authorizationHeadersWith((good) => ({
      ...good,
      token_endpoint_auth_methods_supported: methods,
    }));
    expect(headers.map((header) => header?.startsWith('Basic ') ?? false)).toEqual(areInHeader);
  });

  // Contract: accounts#identity-provider — An issuer with a single method of client authentication
  it.each<['header' | 'body', readonly number[]]>([
    ['body', [1, 1]],
    ['header', [2, 1]],
  ])('to one that supports only %s succeeds, and needs no second attempt again', async (place, requests) => {
    issuer.behave({
      metadata: (good) => ({
        ...good,
        token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      }),
      onlyBy: place,
    });
    const provider = newProvider();
    for (const count of requests) {
      const before = issuer.redirectUris.length;
      expect((await signIn(provider)).subject).toBe(issuer.subject);
      expect(issuer.redirectUris.length - before).toBe(count);
    }
  });

  it.each<[unknown, string | null]>([
    [undefined, null],
    [['none', 'login', 'consent', 'select_account'], 'select_account'],
    [['none', 'login', 'consent'], 'consent'],
    [['login'], 'login'],
    [['none'], null],
    ['select_account', null],
  ])('of a link, not of a sign-in, prompts the person with %j', async (listed, prompt) => {
    issuer.behave({ metadata: (good) => ({ ...good, prompt_values_supported: listed }) });
    const provider = newProvider();
    for (const [purpose, expected] of [
      ['link', prompt],
      ['sign_in', null],
    ] as const) {
      const url = await provider.authorizationUrl(newAttempt(), redirectUri, purpose);
      expect(new URL(url).searchParams.get('prompt')).toBe(expected);
    }
  });

  // Contract: account#reauthentication-at-the-provider — The provider is asked to authenticate the person anew
  it.each([true, false])('of a reauthentication has the person authenticate anew (claims: %j)', async (supported) => {
    issuer.behave({ metadata: (good) => ({ ...good, claims_parameter_supported: supported }) });
    const url = new URL(await newProvider().authorizationUrl(newAttempt(), redirectUri, 'reauthenticate'));
    expect(url.searchParams.get('prompt')).toBe('login');
    expect(url.searchParams.get('max_age')).toBe('0');
    expect(url.searchParams.get('claims')).toBe(supported ? '{"id_token":{"auth_time":{"essential":true}}}' : null);
  });

  it('of a link at Google has it prompt for the account', () => {
    expect(promptOf({ issuer: 'https://accounts.google.com' })).toBe('select_account');
  });

  it('ends after its deadline', async () => {
    const { silence, given } = controlDeadlines();
    for (const faults of [{ discovery: silence }, { token: silence }, { keys: silence }] satisfies Faults[]) {
      const provider = newProvider({ timeoutSeconds: 0.3 });
      issuer.behave(faults);
      expect(await failureOf(() => signIn(provider))).toBe('unavailable: timeout');
    }
    expect(given()).toEqual(new Set([300]));
  });

  it('without a listening server fails with the reason of the system, and names no address', async () => {
    const provider = newProvider({ issuer: 'http://127.0.0.1:1' });
    expect(await failureOf(() => signIn(provider))).toBe('unavailable: unreachable');
    const gone = await startHostileIssuer();
    await gone.close();
    expect(await failureOf(() => signIn(newProvider({ issuer: gone.issuer })))).toBe('unavailable: ECONNREFUSED');
  });
});

describe('The claims of an issuer', () => {
  const identityWith = (claims: Readonly<Record<string, unknown>>): Promise<ProvidedIdentity> => {
    issuer.behave({ claims: (good) => ({ ...good, ...claims }) });
    return signIn(newProvider());
  };

  it('are used as written in the id_token', async () => {
    const { authenticatedAt, ...identity } = await identityWith({});
    expect(authenticatedAt).toBeTypeOf('number');
    expect(identity).toEqual({
      issuer: issuer.issuer,
      subject: issuer.subject,
      email: `${issuer.subject}@example.com`,
      isEmailVerified: true,
      isEmailAuthoritative: true,
      name: 'Person at the Issuer',
    });
  });

  it.each<[unknown, boolean]>([
    [true, true],
    ['true', true],
    ['TRUE', false],
    ['yes', false],
    [1, false],
    [[true], false],
    [false, false],
    [undefined, false],
  ])('vouch for an address by email_verified %j: %s', async (email_verified, isEmailVerified) => {
    expect((await identityWith({ email_verified })).isEmailVerified).toBe(isEmailVerified);
  });

  it.each<[Readonly<Record<string, unknown>>, boolean]>([
    [{ email: 'ada@gmail.com' }, true],
    [{ email: ' Ada@GoogleMail.COM ' }, true],
    [{ email: 'ada@company.example', hd: 'company.example' }, true],
    [{ email: 'ada@company.example' }, false],
    [{ email: 'ada@company.example', hd: '' }, false],
    [{ email: 'ada@company.example', hd: true }, false],
    [{ email: 'ada@notgmail.com' }, false],
    [{ email: 'ada@gmail.com.company.example' }, false],
    [{ email: ['ada@gmail.com'] }, false],
    [{}, false],
  ])('are authoritative for an address, in the claims %j of Google: %s, and of any other issuer', (claims, isKnown) => {
    expect(isEmailAuthoritative('https://accounts.google.com', claims)).toBe(isKnown);
    expect(isEmailAuthoritative('https://login.example.com', claims)).toBe(true);
  });

  it.each<[Readonly<Record<string, unknown>>, string | null]>([
    [{ name: 'Ada Lovelace', given_name: 'Other' }, 'Ada Lovelace'],
    [{ name: undefined, given_name: 'Ada', family_name: 'Lovelace' }, 'Ada Lovelace'],
    [{ name: ' ', given_name: 'Ada' }, 'Ada'],
    [{ name: 7, family_name: 'Lovelace' }, 'Lovelace'],
    [{ name: undefined }, null],
  ])('contain a name in %j', async (claims, name) => {
    expect((await identityWith(claims)).name).toBe(name);
  });

  it.each([undefined, 7, '', ['a@example.com']])('contain no address when the claim is %j', async (email) => {
    expect((await identityWith({ email })).email).toBeNull();
  });

  describe('Claims at the UserInfo endpoint', () => {
    let answer: { readonly status: number; readonly body: unknown };
    const bearers: (string | undefined)[] = [];
    const fetched = createServer((request, response) => {
      bearers.push(request.headers.authorization);
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
    const server = fixture(() => listen(fetched));

    const signInAsking = (claims: Readonly<Record<string, unknown>>): Promise<ProvidedIdentity> => {
      issuer.behave({
        metadata: (good) => ({ ...good, userinfo_endpoint: `${server.url}/userinfo` }),
        claims: (good) => ({ ...good, ...claims }),
      });
      return signIn(newProvider());
    };
    const short = { email: undefined, email_verified: undefined, name: undefined };

    it('are fetched when the id_token has too few', async () => {
      const email = 'ada@example.com';
      answer = { status: 200, body: { sub: issuer.subject, email, email_verified: true, name: 'Ada' } };
      const { authenticatedAt, ...identity } = await signInAsking(short);
      expect(authenticatedAt).toBeTypeOf('number');
      expect(identity).toEqual({
        issuer: issuer.issuer,
        subject: issuer.subject,
        email,
        isEmailVerified: true,
        isEmailAuthoritative: true,
        name: 'Ada',
      });
      expect(issuer.secrets).toContain(bearers.at(-1)?.replace('Bearer ', ''));
    });

    const blank: readonly unknown[] = [undefined, null, '', '  '];

    it.each(blank)('fill in an email_verified of %j, of the same address alone', async (verified) => {
      const email = `${issuer.subject}@example.com`;
      const answers = [{ email, email_verified: true }, { email_verified: true }, { email, email_verified: false }, {}];
      const found: unknown[] = [];
      for (const body of answers) {
        answer = { status: 200, body: { sub: issuer.subject, ...body } };
        const identity = await signInAsking({ email_verified: verified });
        found.push([identity.email, identity.isEmailVerified]);
      }
      expect(found).toEqual([
        [email, true],
        [email, false],
        [email, false],
        [email, false],
      ]);
    });

    it.each(blank)('fill in an address of %j, with what is said of it', async (email) => {
      answer = { status: 200, body: { sub: issuer.subject, email: 'ada@example.com' } };
      // That the id_token calls verified is not this one.
      expect(await signInAsking({ email, email_verified: undefined })).toMatchObject({
        email: 'ada@example.com',
        isEmailVerified: false,
      });
      answer = { status: 200, body: { sub: issuer.subject, email: 'ada@example.com', email_verified: 'true' } };
      expect(await signInAsking({ email, email_verified: undefined })).toMatchObject({
        email: 'ada@example.com',
        isEmailVerified: true,
      });
    });

    it('never say of one address what was said of another', async () => {
      const other = { email: 'other@example.com', email_verified: true, hd: 'example.com' };
      answer = { status: 200, body: { sub: issuer.subject, ...other } };
      expect(await signInAsking({ email_verified: undefined })).toMatchObject({
        email: 'other@example.com',
        isEmailVerified: true,
      });
      expect(await signInAsking({ email_verified: false, name: undefined })).toMatchObject({
        email: `${issuer.subject}@example.com`,
        isEmailVerified: false,
      });
      answer = { status: 200, body: { sub: issuer.subject, email: 'other@example.com' } };
      expect(await signInAsking({ name: undefined })).toMatchObject({
        email: `${issuer.subject}@example.com`,
        isEmailVerified: true,
      });
    });

    it.each(blank)('say of their address nothing that the id_token says without one: %j', async (email) => {
      const address = 'ada@example.com';
      const found: unknown[] = [];
      for (const verified of [false, undefined, true]) {
        answer = { status: 200, body: { sub: issuer.subject, email: address, email_verified: verified } };
        const identity = await signInAsking({ email, email_verified: verified !== true });
        found.push([identity.email, identity.isEmailVerified]);
      }
      expect(found).toEqual([
        [address, false],
        [address, false],
        [address, true],
      ]);
    });

    it('are of another address in other letter case', async () => {
      const email = `${issuer.subject}@example.com`;
      answer = { status: 200, body: { sub: issuer.subject, email: email.toUpperCase(), email_verified: true } };
      expect(await signInAsking({ email_verified: false, name: undefined })).toMatchObject({
        email,
        isEmailVerified: false,
      });
    });

    it.each(blank)('fill in a name of %j, and are not missed where they do not answer', async (name) => {
      answer = { status: 200, body: { sub: issuer.subject, given_name: 'Ada', family_name: 'Lovelace' } };
      const email = `${issuer.subject}@example.com`;
      expect(await signInAsking({ name })).toMatchObject({ email, isEmailVerified: true, name: 'Ada Lovelace' });
      for (const wrong of [
        { status: 503, body: {} },
        { status: 200, body: { sub: 'another subject', name: 'Eve' } },
      ]) {
        answer = wrong;
        expect(await signInAsking({ name })).toMatchObject({ email, isEmailVerified: true, name: null });
      }
    });

    it('are not fetched when the id_token is complete', async () => {
      const before = bearers.length;
      answer = { status: 200, body: { sub: issuer.subject, email: 'other@example.com', email_verified: true } };
      expect((await signInAsking({})).email).toBe(`${issuer.subject}@example.com`);
      expect(bearers).toHaveLength(before);
    });

    it.each<[string, number, () => unknown, string]>([
      [
        'is for another subject',
        200,
        () => ({ sub: 'somebody else', email: 'victim@example.com', email_verified: true }),
        'refused: OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
      ],
      ['has no subject', 200, () => ({ email: 'victim@example.com' }), 'refused: OAUTH_INVALID_RESPONSE'],
      ['is empty', 403, () => ({}), 'refused: OAUTH_RESPONSE_IS_NOT_CONFORM'],
      ['is down', 503, () => ({}), 'unavailable: http_503'],
    ])('sign no user in when the answer %s', async (_title, status, body, failure) => {
      answer = { status, body: body() };
      expect(await failureOf(() => signInAsking(short))).toBe(failure);
    });
  });
});

describe('The reason of a failure', () => {
  it.each<[string, string]>([
    ['access_denied', 'cancelled: access_denied'],
    ['server_error', 'refused: server_error'],
    ['login_required', 'refused: login_required'],
    ['x'.repeat(500), 'refused: OAUTH_AUTHORIZATION_RESPONSE_ERROR'],
  ])('names the error %s in known words', async (error, failure) => {
    issuer.behave({ callback: ({ state, iss }) => ({ state, iss, error, error_description: 'a foreign text' }) });
    expect(await failureOf(() => signIn(newProvider()))).toBe(failure);
  });

  it.each<[string, Faults, string]>([
    ['an unknown code', { token: saying('{"error":"invalid_grant"}', 400) }, 'refused: invalid_grant'],
    [
      'an access_denied of the token endpoint',
      { token: saying('{"error":"access_denied"}', 400) },
      'refused: access_denied',
    ],
    ['an unknown error', { token: saying('{"error":"a_canary"}', 400) }, 'refused: OAUTH_RESPONSE_BODY_ERROR'],
    ['another nonce', { claims: (good) => ({ ...good, nonce: 'x' }) }, 'refused: OAUTH_JWT_CLAIM_COMPARISON_FAILED'],
    ['an expired token', { claims: (good) => ({ ...good, exp: 5 }) }, 'refused: OAUTH_JWT_TIMESTAMP_CHECK_FAILED'],
    ['a redirect', { token: saying('', 302, { location: '/elsewhere' }) }, 'refused: OAUTH_RESPONSE_IS_NOT_CONFORM'],
    ['an endless answer', { token: saying('x'.repeat(1_100_000)) }, 'refused: answer_too_large'],
  ])('names %s by a stable code', async (_title, faults, failure) => {
    issuer.behave(faults);
    expect(await failureOf(() => signIn(newProvider()))).toBe(failure);
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  it('allows clocks to differ by half a minute', async () => {
    stopClock();
    const now = Math.floor(Date.now() / 1000);
    issuer.behave({ claims: (good) => ({ ...good, iat: now + 20, exp: now - 20 }) });
    expect((await signIn(newProvider())).subject).toBe(issuer.subject);
  });

  it.each([600, -600])("uses instants of the database's clock, also when it moves: %i s", async (ahead) => {
    stopClock();
    let skew = 0;
    const provider = newProvider({ now: async () => new Date(Date.now() + skew * 1000) });
    const now = Math.floor(Date.now() / 1000);
    const issued = (at: number): void => issuer.behave({ claims: (good) => ({ ...good, iat: at, exp: at + 60 }) });
    const failure = ahead > 0 ? 'issued_in_the_future' : 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED';
    issued(now + ahead);
    expect(await failureOf(() => signIn(provider))).toBe(`refused: ${failure}`);
    skew = ahead;
    expect((await signIn(provider)).subject).toBe(issuer.subject);
    issued(now);
    expect(await failureOf(() => signIn(provider))).not.toBe('did not fail');
  });

  it.each([
    ['at its beginning', 0],
    ['at its end', 40_000],
  ])('takes no long wait for the instant of the database, read %s, for another clock', async (_when, readAfter) => {
    stopClock();
    const pass = (milliseconds: number): void => void vi.setSystemTime(Date.now() + milliseconds);
    const now = async (): Promise<Date> => {
      pass(readAfter);
      const instant = new Date();
      pass(40_000 - readAfter);
      return instant;
    };
    expect((await signIn(newProvider({ now }))).subject).toBe(issuer.subject);
  });

  it('does not query the issuer when the database clock is unavailable', async () => {
    const provider = newProvider({ now: () => Promise.reject(new DatabaseUnavailable('out of reach')) });
    const before = issuer.asked.length;
    await expect(signIn(provider)).rejects.toThrow(DatabaseUnavailable);
    expect(issuer.asked).toHaveLength(before);
  });
});
