/** Cookies planted by a sibling host: names it cannot plant over https, and that planted ones have no effect. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, goodPassword, newAddress, operations, post } from '../support/clients/clients.ts';
import type { PageAnswer } from '../support/clients/cookie-jar.ts';
import { ProviderBrowser } from '../support/clients/provider-browser.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { startHostileIssuer } from '../support/servers/hostile-issuer.ts';

const origin = 'https://id.example.com';

let url: string;
const issuer = fixture(startHostileIssuer);
const service = serviceFixture(() => ({
  ...issuer.environment(),
  BASE_URL: origin,
  FRONTEND_URL: origin,
  EMAIL_VERIFICATION_ENABLED: 'false',
  RATE_LIMITS_ENABLED: 'true',
  TRUST_PROXY: '1',
}));
beforeAll(async () => {
  url = `http://127.0.0.1:${service.config.port}`;
});

const portal = (): { readonly url: string; readonly portalUrl: string } => ({ url, portalUrl: origin });

/** Name and attributes of each cookie that is set, without value and lifetime. */
const shapesIn = ({ setCookies }: Pick<PageAnswer | Answer, 'setCookies'>): Record<string, readonly string[]> =>
  Object.fromEntries(
    setCookies.map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      return [pair.split('=')[0] ?? '', attributes.filter((attribute) => !attribute.startsWith('Max-Age')).sort()];
    }),
  );

interface Person {
  readonly email: string;
  readonly browser: ProviderBrowser;
  readonly signedIn: Answer;
}

const person = async (): Promise<Person> => {
  const [email, browser] = [newAddress(), new ProviderBrowser()];
  const input = { email, password: goodPassword };
  await post(url, operations.signUp, { input: { ...input, name: 'Test Person' } });
  return { email, browser, signedIn: await browser.run(portal(), operations.signIn, { input }) };
};

const prepare = (browser: ProviderBrowser): Promise<PageAnswer> =>
  browser.get(`${url}/auth/google/prepare-link`, { accept: 'text/html' });

/** From the start to the callback, which is not opened; returns its URL here. */
const callbackOf = async (browser: ProviderBrowser, begun?: PageAnswer): Promise<string> => {
  const { location } = begun ?? (await browser.get(`${url}/auth/google`));
  return ((await browser.get(location ?? '')).location ?? '').replace(origin, url);
};

const outsider = (): string => {
  const email = newAddress();
  issuer.behave({ claims: (good) => ({ ...good, sub: email, email, email_verified: true }) });
  return email;
};

const rowsOf = async (): Promise<unknown> =>
  service.sql(`SELECT (SELECT count(*)::integer FROM users) AS users,
    (SELECT count(*)::integer FROM credentials) AS credentials,
    (SELECT count(*)::integer FROM external_identities) AS identities,
    (SELECT count(*)::integer FROM external_exchanges) AS exchanges`);

describe('Over https', () => {
  const ownHost = ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'];

  // Contract: credentials#cookie-name-prefix — Cookies other than auth_access, auth_refresh and auth_exchange: the
  //   prefix __Host- over https
  it('every cookie except those that the specification names has a name that no sibling host can plant', async () => {
    const { browser, signedIn } = await person();
    expect(shapesIn(signedIn)).toEqual({
      auth_access: ownHost,
      auth_refresh: ownHost,
      '__Host-sign_in_device': ownHost,
    });
    expect(shapesIn(await prepare(browser))).toEqual({
      '__Host-helper_session': ownHost,
      '__Host-oauth_link': ownHost,
    });
    const begun = await browser.get(`${url}/auth/google`);
    const taken = ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', ...ownHost];
    expect(shapesIn(begun)).toEqual({ '__Host-oauth_link': taken, '__Host-helper_session': ownHost });
    outsider();
    const arrived = new ProviderBrowser();
    const answer = await arrived.get(await callbackOf(arrived));
    expect(shapesIn(answer)).toEqual({ auth_exchange: ownHost, '__Host-exchange_marker': ownHost });
  });

  // Contract: accounts#helper-session — A planted helper session is ignored
  it('a helper session under the plain name is ignored, and so is a link cookie with it', async () => {
    const attacker = await person();
    await prepare(attacker.browser);
    const victim = new ProviderBrowser();
    for (const name of ['helper_session', 'oauth_link'])
      victim.keep(url, name, attacker.browser.valueOf(`__Host-${name}`) ?? '');
    const email = outsider();
    const answer = await victim.get(await callbackOf(victim));
    expect(answer.location).toBe(`${origin}/signin?oauth_exchange=1`);
    expect(victim.valueOf('__Host-helper_session')).not.toBe(victim.valueOf('helper_session'));
    expect(await service.sql('SELECT 1 FROM external_identities WHERE email = $1', [email])).toEqual([]);
  });

  // Contract: accounts#exchange-of-the-secret — An exchange with a planted secret and marker is refused
  it('an exchange of another browser has no effect here, and remains valid there', async () => {
    outsider();
    const [attacker, victim] = [new ProviderBrowser(), new ProviderBrowser()];
    await attacker.get(await callbackOf(attacker));
    for (const step of ['before the victim went to the provider', 'after it']) {
      const own = victim.valueOf('auth_exchange');
      victim.keep(url, 'auth_exchange', attacker.valueOf('auth_exchange') ?? '');
      victim.keep(url, 'exchange_marker', attacker.valueOf('__Host-exchange_marker') ?? '');
      const before = await rowsOf();
      const answer = await victim.run(portal(), operations.exchangeAuthTokens);
      expect([step, answer.code, await rowsOf()]).toEqual([step, 'EXCHANGE_REFUSED', before]);
      expect(Object.keys(shapesIn(answer))).toEqual(['auth_exchange']);
      expect([victim.valueOf('auth_access'), own === undefined]).toEqual([undefined, step.startsWith('before')]);
      outsider();
      await victim.get(await callbackOf(victim));
    }
    for (const browser of [attacker, victim])
      expect((await browser.run(portal(), operations.exchangeAuthTokens)).code).toBeNull();
  });

  it('a sign-in clears copies of its cookies, which would invalidate them, and leaves one of each', async () => {
    const { email, signedIn } = await person();
    const held = signedIn.setCookies.map((line) => line.split(';', 1)[0] ?? '');
    const input = { email, password: goodPassword };
    const cookie = [...held, 'auth_access=planted', 'auth_refresh=planted'].join('; ');
    expect((await post(url, '{ mySessions { id } }', {}, { origin, cookie })).code).toBe('UNAUTHENTICATED');
    const again = await post(url, operations.signIn, { input }, { origin, cookie });
    const lines = again.setCookies.filter((line) => line.startsWith('auth_'));
    const gone = lines.filter((line) => /^\w+=; Max-Age=0/.test(line));
    // Never the cookie of the service itself, host-only at /.
    const places = ['/graphql', 'id.example.com /', 'id.example.com /graphql', 'example.com /', 'example.com /graphql'];
    const placeOf = (line: string): string =>
      [/^\w+=;/, /Domain=[^;]+/, /Path=[^;]+/].flatMap((part) => part.exec(line) ?? []).join(' ');
    expect(gone.map((line) => placeOf(line).replaceAll(/(?:Domain|Path)=/g, '')).toSorted()).toEqual(
      ['auth_access', 'auth_refresh'].flatMap((name) => places.map((place) => `${name}=; ${place}`)).toSorted(),
    );
    const kept = lines.filter((line) => !gone.includes(line));
    expect(kept.map((line) => line.split('=', 1)[0])).toEqual(['auth_access', 'auth_refresh']);
    for (const line of kept) expect(line).not.toContain('Domain');
  });

  // Contract: credentials#repeated-cookies — A sign-in clears a planted copy of its cookies, also when only the copy
  //   was sent
  it('a sign-in clears a planted cookie that came alone, so that the new one is the only one', async () => {
    const { email } = await person();
    const input = { email, password: goodPassword };
    const { setCookies } = await post(url, operations.signIn, { input }, { origin, cookie: 'auth_access=planted' });
    const gone = setCookies.filter((line) => line.startsWith('auth_access=;'));
    expect(gone.map((line) => /Domain=([^;]+)/.exec(line)?.[1])).toEqual(['id.example.com', 'example.com']);
    expect(setCookies.filter((line) => line.startsWith('auth_refresh='))).toHaveLength(1);
  });

  it('a browser is recognized only by its prefixed cookie, whatever else is planted', async () => {
    const { email, browser } = await person();
    const device = browser.valueOf('__Host-sign_in_device') ?? '';
    const signIn = (cookie: string, ip: string): Promise<Answer> => {
      const headers = { origin, 'x-forwarded-for': ip, ...(cookie === '' ? {} : { cookie }) };
      return post(url, operations.signIn, { input: { email, password: goodPassword } }, headers);
    };
    const wrong = { email, password: 'Wrong.horse7' };
    await post(url, operations.signIn, { input: wrong }, { 'x-forwarded-for': '198.18.0.1' });
    // Unknown clients have used up the shared permits of this address.
    await service.sql(
      `UPDATE rate_limits SET due_at = now() + interval '2 hours' WHERE key LIKE 'sign_in_everywhere:%'`,
    );
    const planted = device.replace(/^[^.]+/, 'another');
    const known = [
      `__Host-sign_in_device=${device}`,
      `__Host-sign_in_device=${device}; sign_in_device=${planted}`,
      `sign_in_device=${planted}; __Host-sign_in_device=${device}`,
    ];
    const unknown = [
      '',
      `sign_in_device=${device}`,
      `__Host-sign_in_device=${planted}; sign_in_device=${device}`,
      `__Host-sign_in_device=${device}; __Host-sign_in_device=${planted}`,
    ];
    const codes = async (cookies: readonly string[], net: number) =>
      Promise.all(cookies.map(async (cookie, index) => (await signIn(cookie, `198.18.${net}.${index}`)).code));
    expect(await codes(known, 1)).toEqual(known.map(() => null));
    expect(await codes(unknown, 2)).toEqual(unknown.map(() => 'RATE_LIMITED'));
  });
});
