/** Delivery of a pair of tokens, and sources of identity (contract/credentials.md#delivery). */
import { describe, expect, it } from 'vitest';
import { alter, credentialsOf, familyOf, liveOf, me, refresh } from '../support/actors/credentials.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
  tokensOf,
} from '../support/clients/clients.ts';
import { testFixture } from '../support/fixture.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const signInFrom = async (headers: Record<string, string>): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email: await register(service), password: goodPassword } }, headers);

/** A person signed in on the portal. */
const onPortal = async (): Promise<{ email: string; browser: Browser }> => {
  const [email, browser] = [await register(service), new Browser(service)];
  await browser.run(operations.signIn, { input: { email, password: goodPassword } });
  return { email, browser };
};

const emailSeenBy = async (browser: Browser): Promise<unknown> => (await browser.run(operations.me)).data?.['me'];

/** The payload of the one mutation in an answer. */
const payload = (answer: Answer, name: string): unknown => answer.data?.[name];

const noTokens = { accessToken: null, refreshToken: null };
const bothCookies = [expect.stringMatching(/^auth_access=gate_a_/), expect.stringMatching(/^auth_refresh=gate_r_/)];

/** Attributes of a Set-Cookie line in lower case, without the value; Max-Age separately. */
const attributesOf = (line: string): { readonly maxAge: number; readonly others: readonly string[] } => {
  const [, ...attributes] = line.toLowerCase().split('; ');
  const maxAge = attributes.find((attribute) => attribute.startsWith('max-age='));
  return {
    maxAge: Number(maxAge?.slice('max-age='.length)),
    others: attributes.filter((attribute) => attribute !== maxAge).sort(),
  };
};

const expectCleared = (answer: Answer): void => {
  expect(answer.setCookies.map((line) => line.split('; ')[0])).toEqual(['auth_access=', 'auth_refresh=']);
  for (const line of answer.setCookies) {
    expect(line).toMatch(/Path=\/(;|$)/);
    expect(line).toMatch(/Max-Age=0|Expires=Thu, 01 Jan 1970/);
  }
};

describe('Delivery', () => {
  // Contract: credentials#caller-and-delivery — Portal callers get cookies; body tokens are null
  it("gives a caller with the portal's Origin cookies and no tokens in the body", async () => {
    const answer = await signInFrom({ origin: service.url });
    expect(payload(answer, 'signInWithPassword')).toMatchObject(noTokens);
    expect(answer.setCookies).toEqual(bothCookies);
  });

  // Contract: credentials#caller-and-delivery — Opaque clients get accessToken and refreshToken in the body
  it('gives a caller without an Origin tokens in the body and no cookies', async () => {
    const answer = await signInFrom({});
    expect(Object.keys(tokensOf(answer))).toEqual(['accessToken', 'refreshToken']);
    expect(answer.setCookies).toEqual([]);
  });

  // Contract: credentials#caller-and-delivery — X-Auth-Delivery: bearer
  it('gives a portal caller that requests bearer delivery tokens in the body and no cookies', async () => {
    const answer = await signInFrom({ origin: service.url, 'x-auth-delivery': 'bearer' });
    expect(tokensOf(answer).accessToken).toMatch(/^gate_a_/);
    expect(answer.setCookies).toEqual([]);
  });

  // Contract: credentials#caller-and-delivery — A foreign page must not plant a session in a browser
  it('gives a foreign Origin no cookie', async () => {
    const { browser, email } = await onPortal();
    const input = { email: await register(service), password: goodPassword };
    for (const origin of ['https://evil.example', 'null', `${service.url}.evil.example`, `${service.url}/`]) {
      const answer = await browser.run(operations.signIn, { input }, { origin });
      expect(answer.setCookies).toEqual([]);
      expect(tokensOf(answer).accessToken).toMatch(/^gate_a_/);
    }
    expect(await emailSeenBy(browser)).toMatchObject({ email });
  });

  // Contract: credentials#attributes-of-cookies — httpOnly, path /, SameSite=Lax, max age aligned with refresh
  it('sets both cookies HttpOnly, Lax, on every path, for the lifetime of the refresh token', async () => {
    const { email, browser } = await onPortal();
    const inAnHour = `now() + interval '1 hour'`;
    const shorten = `expires_at = ${inAnHour}, family_expires_at = ${inAnHour}`;
    await alter(service, browser.cookies.get('auth_refresh') ?? '', shorten);
    const answers = [await signInFrom({ origin: service.url }), await browser.run(operations.refreshByCookie)];
    const lives = answers.map(({ setCookies }) => setCookies.map(attributesOf));
    for (const { others } of lives.flat()) expect(others).toEqual(['httponly', 'path=/', 'samesite=lax']);
    for (const [index, seconds] of [30 * 24 * 3600, 3600].entries()) {
      const ages = lives[index]?.map(({ maxAge }) => maxAge) ?? [];
      expect(ages).toHaveLength(2);
      for (const age of ages) expect(age > seconds - 60 && age <= seconds).toBe(true);
    }
    expect(await liveOf(service, email)).toHaveLength(2);
  });

  // Contract: credentials#attributes-of-cookies — Secure whenever BASE_URL is https
  it('marks the cookies Secure when the base address is https', async () => {
    const origin = 'https://id.example.com';
    const settings = { BASE_URL: origin, FRONTEND_URL: origin, EMAIL_VERIFICATION_ENABLED: 'false' };
    const secure = await testFixture(startService({ ...settings, AUTH_COOKIE_DOMAIN: 'example.com' }));
    const url = `http://127.0.0.1:${secure.config.port}`;
    const input = { email: newAddress(), password: goodPassword };
    await post(url, operations.signUp, { input: { ...input, name: 'Test Person' } });
    const signedIn = await post(url, operations.signIn, { input }, { origin });
    const expected = ['domain=example.com', 'httponly', 'path=/', 'samesite=lax', 'secure'];
    for (const line of signedIn.setCookies) expect(attributesOf(line).others).toEqual(expected);
    const cookie = signedIn.setCookies.map((line) => line.split('; ')[0]).join('; ');
    const signedOut = await post(url, operations.signOut, {}, { origin, cookie });
    expectCleared(signedOut);
    for (const line of signedOut.setCookies) expect(line).toMatch(/Domain=example\.com/);
  });

  // Contract: credentials#attributes-of-cookies — AUTH_COOKIE_DOMAIN; host-only when omitted
  it('sets host-only cookies unless a cookie domain is configured', async () => {
    const { setCookies } = await signInFrom({ origin: service.url });
    expect(setCookies).toHaveLength(2);
    for (const line of setCookies) expect(line).not.toMatch(/domain|secure/i);
  });

  // Contract: credentials#repeated-cookies — Two cookies of one auth_ name are not a credential
  it('ignores two cookies of one name, in any order, and changes nothing', async () => {
    const [{ email, browser }, other] = [await onPortal(), await onPortal()];
    const pairsOf = ({ cookies }: Browser) =>
      ['auth_access', 'auth_refresh'].map((name) => `${name}=${cookies.get(name)}`);
    const [[access, refreshing], [plantedAccess, plantedRefresh]] = [pairsOf(browser), pairsOf(other.browser)];
    const run = (operation: string, cookies: readonly (string | undefined)[]) => () =>
      browser.run(operation, {}, { cookie: cookies.join('; ') });
    for (const two of [
      [access, plantedAccess],
      [plantedAccess, access],
      [access, access],
    ]) {
      await expectRefusal(service, 'UNAUTHENTICATED', run('{ mySessions { id } }', [...two, refreshing]));
      await expectRefusal(service, 'UNAUTHENTICATED', run(operations.signOut, [...two, refreshing]));
      await expectRefusal(service, 'REFRESH_REFUSED', run(operations.refreshByCookie, [...two, refreshing]));
    }
    for (const two of [
      [refreshing, plantedRefresh],
      [plantedRefresh, refreshing],
    ])
      await expectRefusal(service, 'REFRESH_REFUSED', run(operations.refreshByCookie, [access, ...two]));
    expect(await emailSeenBy(browser)).toMatchObject({ email });
    expect((await browser.run(operations.refreshByCookie)).code).toBeNull();
  });

  // Contract: credentials#repeated-cookies — A copy that was planted for a path is cleared at the next sign-in
  it('clears copies for other domains and paths when a browser that sent two signs in', async () => {
    const { browser } = await onPortal();
    const cookie = `auth_access=planted; auth_access=${browser.cookies.get('auth_access')}`;
    const input = { email: await register(service), password: goodPassword };
    const { setCookies } = await browser.run(operations.signIn, { input }, { cookie });
    const accessCookies = setCookies.filter((line) => line.startsWith('auth_access='));
    const cleared = accessCookies.filter((line) => line.startsWith('auth_access=;'));
    expect(cleared).toEqual([expect.stringMatching(/^auth_access=; Max-Age=0; Path=\/graphql;/)]);
    expect(accessCookies.at(-1)).toMatch(/^auth_access=gate_a_.*; Path=\/;/);
  });

  // Contract: credentials#bearer-and-cookies-together — Bearer and cookie both present: Bearer wins
  it('takes the identity from the bearer and neither reads nor changes the cookies', async () => {
    const [{ email, browser }, other] = [await onPortal(), await registerAndSignIn(service)];
    const asOther = bearer(other.tokens);
    expect((await browser.run(operations.me, {}, asOther)).data).toMatchObject({ me: { email: other.email } });
    await expectRefusal(service, 'REFRESH_REFUSED', () => browser.run(operations.refreshByCookie, {}, asOther));
    const answer = await browser.run(operations.signOut, {}, asOther);
    expect([answer.code, answer.setCookies]).toEqual([null, []]);
    expect(await liveOf(service, other.email)).toEqual([]);
    expect(await emailSeenBy(browser)).toMatchObject({ email });
  });

  it('signs in with a bearer and cookies with tokens in the body, and keeps the cookies and their session', async () => {
    const [{ email, browser }, other] = [await onPortal(), await registerAndSignIn(service)];
    const input = { email: other.email, password: goodPassword };
    const answer = await browser.run(operations.signIn, { input }, bearer(other.tokens));
    expect([tokensOf(answer).accessToken.slice(0, 7), answer.setCookies]).toEqual(['gate_a_', []]);
    expect(await emailSeenBy(browser)).toMatchObject({ email });
  });

  it('issues nothing to a kind of client whose audience is not accepted', async () => {
    const narrow = await testFixture(
      startService({
        GRAPHQL_BEARER_ACCEPTED_AUDIENCES: 'portal',
        EMAIL_VERIFICATION_ENABLED: 'false',
      }),
    );
    const input = { email: newAddress(), password: goodPassword };
    await post(narrow.url, operations.signUp, { input: { ...input, name: 'Test Person' } });
    await expectRefusal(narrow, 'FORBIDDEN', () => post(narrow.url, operations.signIn, { input }));
  });

  // Contract: credentials#bearer-and-cookies-together — An invalid Bearer never falls back to the cookie
  it('refuses an invalid bearer with a valid cookie', async () => {
    const { browser } = await onPortal();
    const valid = browser.cookies.get('auth_access') ?? '';
    for (const authorization of ['Bearer nonsense', 'Bearer', `Basic ${valid}`, `Bearer ${valid} x`, valid, '']) {
      await expectRefusal(service, 'UNAUTHENTICATED', () => browser.run(operations.me, {}, { authorization }));
      await expectRefusal(service, 'UNAUTHENTICATED', () => browser.run(operations.signOut, {}, { authorization }));
    }
  });

  // Contract: credentials#caller-and-delivery — Refresh: cookie in, cookie out
  it('answers a refresh by cookies with cookies, with any delivery header', async () => {
    const { email, browser } = await onPortal();
    for (const headers of [{}, { 'x-auth-delivery': 'bearer' }] as const) {
      const before = [...browser.cookies.values()];
      const answer = await browser.run(operations.refreshByCookie, {}, headers);
      expect(payload(answer, 'refreshAccessToken')).toMatchObject(noTokens);
      expect(answer.setCookies).toEqual(bothCookies);
      expect([...browser.cookies.values()]).not.toEqual(before);
    }
    expect(await emailSeenBy(browser)).toMatchObject({ email });
  });

  // Contract: credentials#caller-and-delivery — Refresh: arguments in, body out
  it('answers a refresh by arguments with tokens in the body, with any Origin', async () => {
    const [{ email, browser }, { tokens }] = [await onPortal(), await registerAndSignIn(service)];
    const answer = await browser.run(operations.refresh, { ...tokens });
    expect((await me(service, tokensOf(answer).accessToken)).code).toBeNull();
    expect(answer.setCookies).toEqual([]);
    const foreign = { origin: 'https://evil.example' };
    expect(tokensOf(await browser.run(operations.refresh, { ...tokensOf(answer) }, foreign))).toBeDefined();
    expect(await emailSeenBy(browser)).toMatchObject({ email });
  });

  // Contract: credentials#caller-and-delivery — signOut: cookies cleared for portal
  it('clears both cookies at a sign-out by cookie', async () => {
    for (const operation of [operations.signOut, operations.signOutEverywhere]) {
      const { browser } = await onPortal();
      expectCleared(await browser.run(operation));
      expect((await browser.run(operations.me)).code).toBe('UNAUTHENTICATED');
    }
    const { browser } = await onPortal();
    const family = await familyOf(service, browser.cookies.get('auth_access') ?? '');
    expectCleared(await browser.run(operations.revokeMySession, { family }));
  });

  // Contract: credentials#retired-refresh-token — REFRESH_SUPERSEDED touches no cookie
  it('keeps the cookies when a refresh was superseded', async () => {
    const { browser } = await onPortal();
    const secondTab = new Browser(service);
    for (const [name, value] of browser.cookies) secondTab.cookies.set(name, value);
    await browser.run(operations.refreshByCookie);
    await expectRefusal(service, 'REFRESH_SUPERSEDED', () => secondTab.run(operations.refreshByCookie));
    expect((await browser.run(operations.me)).code).toBeNull();
  });

  // Contract: credentials#sign-in-over-old-cookies — Signing in with an old family's cookies revokes that family
  it("ends the session of the browser's cookies at a new sign-in", async () => {
    const [{ email, browser }, next] = [await onPortal(), await register(service)];
    const wrong = { input: { email: next, password: 'Wrong.horse7' } };
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => browser.run(operations.signIn, wrong));
    const { tokens } = await registerAndSignIn(service);
    await browser.run(operations.signIn, { input: { email: next, password: goodPassword } });
    const ended = await credentialsOf(service, email);
    expect(ended.map(({ live, reason }) => [live, reason])).toEqual(Array(2).fill([false, 'replaced_by_sign_in']));
    expect(await emailSeenBy(browser)).toMatchObject({ email: next });
    expect((await refresh(service, tokens)).code).toBeNull();
  });
});
