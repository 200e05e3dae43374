/** Forged, replayed and mixed-up callbacks: each is refused and leaves neither a person nor a session. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ExternalRefusalCode } from '../../src/kernel/errors.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { expectNothingStored } from '../support/checks/refusals.ts';
import { operations } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { RawConnection } from '../support/clients/raw-http.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';
import { userOf } from '../support/servers/external.ts';
import { expectExternalRefusal } from '../support/servers/external-refusals.ts';
import { startIssuerOfPeople } from '../support/servers/issuer-with-accounts.ts';

describe('A callback', () => {
  const provider = fixture(startIssuerOfPeople);
  const service = serviceFixture(() => provider.environment());

  /** A person whom the provider has redirected, before their browser opens the URL. */
  const arrive = async (browser = new ProviderBrowser()) => {
    const subject = provider.newPerson();
    const callback = await provider.signIn(browser, `${service.portalUrl}/auth/google`, subject);
    return { browser, subject, callback };
  };
  type Arrived = Awaited<ReturnType<typeof arrive>>;

  const parameterOf = (url: string, name: string): string => new URL(url).searchParams.get(name) ?? '';

  const secretsOf = ({ browser, callback, subject }: Arrived): readonly string[] => [
    parameterOf(callback, 'code'),
    parameterOf(callback, 'state'),
    ...(browser.valueOf('helper_session') ?? '').split('.'),
    provider.clientSecret,
    subject,
    String(provider.people.get(subject)?.['email']),
  ];

  const expectRefused = (
    arrived: Arrived,
    codes: readonly ExternalRefusalCode[],
    act: () => Promise<PageAnswer>,
  ): Promise<URLSearchParams> => expectExternalRefusal(service, { codes, secrets: () => secretsOf(arrived) }, act);

  const exchanges = async (): Promise<number> =>
    (await service.sql.value<number>('SELECT count(*)::integer AS open FROM external_exchanges')) ?? 0;

  /** The callback opens an exchange, and does nothing else for a person. */
  const expectGood = async ({ browser, callback }: Pick<Arrived, 'browser' | 'callback'>): Promise<void> => {
    const before = await exchanges();
    const answer = await browser.get(callback);
    expect(answer.location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    expect(answer.setCookies.filter((line) => line.startsWith('auth_exchange='))).toHaveLength(1);
    expect(await exchanges()).toBe(before + 1);
  };

  const tampered = (callback: string, change: (query: URLSearchParams) => void): string => {
    const url = new URL(callback);
    change(url.searchParams);
    return url.href;
  };

  it('that is unmodified opens one exchange, and creates neither a person nor a session', async () => {
    const counts = `SELECT (SELECT count(*)::integer FROM users) AS users,
      (SELECT count(*)::integer FROM credentials) AS credentials,
      (SELECT count(*)::integer FROM external_identities) AS identities,
      (SELECT count(*)::integer FROM organizations) AS organizations`;
    const [before] = await service.sql(counts);
    await expectGood(await arrive());
    expect(await service.sql(counts)).toEqual([before]);
  });

  // Contract: accounts#repeated-callback — A state of another attempt, replayed, forged or repeated
  it.each<[string, (query: URLSearchParams) => void]>([
    ['no state', (query) => query.delete('state')],
    ['an empty state', (query) => query.set('state', '')],
    ['a forged state', (query) => query.set('state', randomBytes(32).toString('base64url'))],
    ['a part of the state', (query) => query.set('state', (query.get('state') ?? '').slice(0, -1))],
    ['more than the state', (query) => query.set('state', `${query.get('state')}A`)],
    ['the state in other case', (query) => query.set('state', (query.get('state') ?? '').toLowerCase())],
    ['a state with a NUL', (query) => query.set('state', `${query.get('state')}\u0000`)],
    ['a state of 8 kB', (query) => query.set('state', 'x'.repeat(8192))],
    ['a state in a list', (query) => rename(query, 'state', 'state[]')],
    ['no query at all, as after a response in the fragment', (query) => clear(query)],
    ['a name of Object.prototype as its state', (query) => query.set('state', '__proto__')],
  ])('with %s is refused, and the pending attempt remains valid', async (_title, change) => {
    const arrived = await arrive();
    const address = tampered(arrived.callback, change);
    await expectRefused(arrived, ['ATTEMPT_OVER'], () => arrived.browser.get(address));
    await expectGood(arrived);
  });

  // Contract: accounts#repeated-callback — A code that is missing, repeated, or unknown
  it.each<[string, (query: URLSearchParams) => void]>([
    ['its state twice', (query) => query.append('state', query.get('state') ?? '')],
    ['its state and another', (query) => query.append('state', 'another')],
    ['another state and its own', (query) => prepend(query, 'state', 'another')],
    ['no code', (query) => query.delete('code')],
    ['an empty code', (query) => query.set('code', '')],
    ['an unknown code', (query) => query.set('code', randomBytes(32).toString('base64url'))],
    ['a code with a line break', (query) => query.set('code', `${query.get('code')}\r\nHost: evil.example`)],
    ['its code twice', (query) => query.append('code', query.get('code') ?? '')],
    ['its code and another', (query) => query.append('code', 'another')],
    ['no issuer, though the provider names itself', (query) => query.delete('iss')],
    ['an empty issuer', (query) => query.set('iss', '')],
    ['another issuer', (query) => query.set('iss', 'https://accounts.google.com')],
    ['its issuer with a trailing slash', (query) => query.set('iss', `${query.get('iss')}/`)],
    ['its issuer and another', (query) => query.append('iss', 'https://accounts.google.com')],
    ['an error and the code', (query) => query.set('error', 'server_error')],
    ['an error with markup', (query) => query.set('error', '<script>alert(1)</script>')],
    ['an id_token and the code', (query) => query.set('id_token', 'e30.e30.')],
    ['a token and the code', (query) => query.set('token', 'e30.e30.')],
    ['a signed response and the code', (query) => query.set('response', 'e30.e30.')],
  ])('with %s is refused, and its attempt ends', async (_title, change) => {
    const arrived = await arrive();
    const address = tampered(arrived.callback, change);
    await expectRefused(arrived, ['PROVIDER_REFUSED', 'ATTEMPT_OVER'], () => arrived.browser.get(address));
  });

  it('that is refused does not affect the other attempts of the browser', async () => {
    const one = await arrive();
    const another = await arrive(one.browser);
    const address = tampered(one.callback, (query) => query.set('code', 'wrong'));
    await expectRefused(one, ['PROVIDER_REFUSED'], () => one.browser.get(address));
    await expectRefused(one, ['ATTEMPT_OVER'], () => one.browser.get(one.callback));
    await expectGood(another);
  });

  it('with the code of another attempt of the same browser is refused, both ways round', async () => {
    const one = await arrive();
    const another = await arrive(one.browser);
    const [first, second] = [parameterOf(one.callback, 'code'), parameterOf(another.callback, 'code')];
    for (const [arrived, code] of [
      [one, second],
      [another, first],
    ] as const) {
      const address = tampered(arrived.callback, (query) => query.set('code', code));
      await expectRefused(arrived, ['PROVIDER_REFUSED'], () => arrived.browser.get(address));
    }
  });

  // Contract: accounts#repeated-callback — Another person’s callback in this browser (login CSRF)
  it('with the code of another person is refused: the browser cannot be signed in as them', async () => {
    const victim = await arrive();
    const attacker = await arrive();
    const code = parameterOf(attacker.callback, 'code');
    const address = tampered(victim.callback, (query) => query.set('code', code));
    await expectRefused(victim, ['PROVIDER_REFUSED'], () => victim.browser.get(address));
  });

  it('of another browser is refused here, with or without an attempt of this browser', async () => {
    const outsider = await arrive();
    for (const browser of [new ProviderBrowser(), (await arrive()).browser]) {
      await expectRefused(outsider, ['ATTEMPT_OVER'], () => browser.get(outsider.callback));
    }
    await expectGood(outsider);
  });

  it('that comes again in its browser has the same exchange, until it is used', async () => {
    const arrived = await arrive();
    await expectGood(arrived);
    const { browser, callback } = arrived;
    const secret = browser.valueOf('auth_exchange');
    const again = await expectNothingStored(service, () => browser.get(callback));
    expect(again.location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
    expect(browser.valueOf('auth_exchange')).toBe(secret);
    const thief = new ProviderBrowser();
    await expectRefused(arrived, ['ATTEMPT_OVER'], () => thief.get(callback));
    expect(userOf(await browser.run(service, operations.exchangeAuthTokens)).email).toContain('@');
    await expectRefused(arrived, ['ATTEMPT_OVER'], () => browser.get(callback));
    expect(browser.valueOf('auth_exchange')).toBeUndefined();
    expect((await browser.run(service, operations.me)).data?.['me']).not.toBeNull();
  });

  // Contract: accounts#repeated-callback — An attempt expires
  it('of an expired attempt is refused', async () => {
    // In the database, where the clock can be moved.
    const kept = await testFixture(startService({ ...provider.environment(), REDIS_URL: '' }));
    const browser = new ProviderBrowser();
    const subject = provider.newPerson();
    const callback = await provider.signIn(browser, `${kept.portalUrl}/auth/google`, subject);
    await kept.sql(`UPDATE helper_session_entries SET expires_at = now() - interval '1 second'`);
    const expected = { codes: ['ATTEMPT_OVER'], secrets: () => secretsOf({ browser, callback, subject }) } as const;
    await expectExternalRefusal(kept, expected, () => browser.get(callback));
  });

  // Contract: accounts#repeated-callback — A callback works once
  it('that arrives fifty times at once opens one exchange', async () => {
    const arrived = await arrive();
    const before = await exchanges();
    const answers = await inParallel(range(50), 50, () => arrived.browser.get(arrived.callback));
    const secrets = answers.map(({ setCookies }) => setCookies.find((line) => line.startsWith('auth_exchange=')));
    expect(new Set(answers.map(({ location }) => location))).toEqual(
      new Set([`${service.portalUrl}/signin?oauth_exchange=1`]),
    );
    expect(new Set(secrets).size).toBe(1);
    expect(await exchanges()).toBe(before + 1);
  });

  it.each(['POST', 'PUT', 'HEAD', 'DELETE'])('by %s is refused, and uses nothing up', async (method) => {
    const arrived = await arrive();
    const { search } = new URL(arrived.callback);
    const cookie = `helper_session=${arrived.browser.valueOf('helper_session')}`;
    const form = { body: search.slice(1), headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' } };
    const request = method === 'HEAD' ? { headers: { cookie } } : form;
    for (const address of [arrived.callback, new URL('/auth/google/callback', arrived.callback).href]) {
      const answer = await expectNothingStored(service, () =>
        fetch(address, { ...request, method, redirect: 'manual' }),
      );
      expect([404, 405, 415]).toContain(answer.status);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    await expectGood(arrived);
  });

  // Contract: accounts#begin-of-an-attempt — Addresses come from configuration, never from the Host header
  it.each([
    ['Host', 'Host: evil.example'],
    ['X-Forwarded-Host', 'Host: 127.0.0.1\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-Proto: https'],
    ['Forwarded', 'Host: 127.0.0.1\r\nForwarded: host=evil.example;proto=https'],
  ])('that names another host in %s stays at the configured origin', async (_name, headers) => {
    const arrived = await arrive();
    const cookie = `Cookie: helper_session=${arrived.browser.valueOf('helper_session')}`;
    const ask = async (path: string): Promise<string> => {
      const connection = await RawConnection.open(service.url);
      connection.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n${cookie}\r\nConnection: close\r\n\r\n`);
      return connection.closed();
    };
    const { pathname, search } = new URL(arrived.callback);
    for (const path of ['/auth/google', `${pathname}${search}`]) {
      const answer = await ask(path);
      expect(answer).toMatch(/^HTTP\/1\.1 302 /);
      expect(answer).not.toContain('evil.example');
      expect(answer).not.toMatch(/^set-cookie:.*domain=/im);
    }
    const begun = await ask('/auth/google');
    expect(begun).toContain(`redirect_uri=${encodeURIComponent(`${service.portalUrl}/auth/google/callback`)}`);
  });
});

describe('The cookie of the helper session', () => {
  const provider = fixture(startIssuerOfPeople);
  const service = serviceFixture(() => provider.environment());

  const start = (): string => `${service.portalUrl}/auth/google`;
  const arrive = async (browser = new ProviderBrowser()) => {
    const callback = await provider.signIn(browser, start(), provider.newPerson());
    return { browser, callback, cookie: browser.valueOf('helper_session') ?? '' };
  };
  const withCookie = (value: string): ProviderBrowser => {
    const browser = new ProviderBrowser();
    browser.keep(service.url, 'helper_session', value);
    return browser;
  };
  const expectSessionEnded = (cookie: string, callback: string): Promise<URLSearchParams> => {
    const expected = { codes: ['ATTEMPT_OVER'], secrets: () => cookie.split('.') } as const;
    return expectExternalRefusal(service, expected, () => withCookie(cookie).get(callback));
  };

  it('is useless to a thief without the state', async () => {
    const { cookie, callback, browser } = await arrive();
    const query = new URL(callback).searchParams;
    query.delete('state');
    for (const search of [query.toString(), '', 'state=', `${query}&state=${'A'.repeat(43)}`]) {
      await expectSessionEnded(cookie, `${service.portalUrl}/auth/google/callback?${search}`);
    }
    expect((await browser.get(callback)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
  });

  it('gives a thief no information about the person, and no session', async () => {
    const { cookie } = await arrive();
    const thief = withCookie(cookie);
    const { code } = await thief.run(service, '{ me { id } }');
    expect(code).toBe('UNAUTHENTICATED');
    expect((await thief.run(service, 'mutation { exchangeAuthTokens { accessToken } }')).code).not.toBeNull();
  });

  it.each<[string, (id: string, signature: string, other: string) => string]>([
    ['its id alone', (id) => id],
    ['its id without a signature', (id) => `${id}.`],
    ['a signature without an id', (_id, signature) => `.${signature}`],
    ['its id with the signature of another', (id, _signature, other) => `${id}.${other.split('.')[1]}`],
    ['the id of another with its signature', (_id, signature, other) => `${other.split('.')[0]}.${signature}`],
    ['a signature that is shorter', (id, signature) => `${id}.${signature.slice(0, -1)}`],
    ['a signature of zeros', (id, signature) => `${id}.${'A'.repeat(signature.length)}`],
    ['two signatures', (id, signature) => `${id}.${signature}.${signature}`],
    ['4 kB of random text', () => 'x'.repeat(4096)],
    ['nothing', () => ''],
  ])('forged as %s is ignored: the attempt is not found by it, and a new one is set', async (_title, forge) => {
    const victim = await arrive();
    const other = await arrive();
    const [id = '', signature = ''] = victim.cookie.split('.');
    const forged = forge(id, signature, other.cookie);
    await expectSessionEnded(forged, victim.callback);
    const browser = withCookie(forged);
    await browser.get(start());
    const given = browser.valueOf('helper_session') ?? '';
    expect([victim, other].map(({ cookie }) => cookie.split('.')[0])).not.toContain(given.split('.')[0]);
    expect(given.split('.')[0]).not.toBe(forged.split('.')[0]);
    expect((await victim.browser.get(victim.callback)).location).toBe(`${service.portalUrl}/signin?oauth_exchange=1`);
  });
});

const clear = (query: URLSearchParams): void => {
  for (const name of new Set(query.keys())) query.delete(name);
};

const rename = (query: URLSearchParams, name: string, other: string): void => {
  query.set(other, query.get(name) ?? '');
  query.delete(name);
};

/** Inserts a value before those that the parameter has. */
const prepend = (query: URLSearchParams, name: string, value: string): void => {
  const values = query.getAll(name);
  query.set(name, value);
  for (const each of values) query.append(name, each);
};
