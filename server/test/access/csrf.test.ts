/** Which origins may act with a person's cookies (contract/credentials.md#csrf). */
import { describe, expect, it } from 'vitest';
import { familyOf } from '../support/actors/credentials.ts';
import { expectNoEffect, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  newAddress,
  newestVerificationToken,
  operations,
  post,
  readAnswer,
  register,
  registerAndSignIn,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const portalOrigin = 'https://app.example.com';
const foreignOrigins = [
  'https://evil.example',
  'http://app.example.com',
  'https://app.example.com.evil.example',
  'https://app.example.com:444',
  'https://sub.app.example.com',
  'https://app.example.com@evil.example',
  'null',
  '',
];

const service = serviceFixture({ FRONTEND_URL: portalOrigin });

/** The Cookie header of a person who is signed in on the portal. */
const signedInCookie = async (): Promise<string> => {
  const browser = new Browser(service);
  await browser.run(operations.signIn, { input: { email: await register(service), password: goodPassword } });
  return [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
};

/** Runs a mutation with cookies and exactly these headers. */
const run = (cookie: string, headers: Record<string, string>, query: string = operations.signOut): Promise<Answer> =>
  post(service.url, query, {}, { cookie, ...headers });

describe('CSRF', () => {
  // Contract: credentials#allowed-origins — A cookie-authenticated mutation with an allowed Origin
  it('accepts a mutation by cookie from the origins of the portal and of the service', async () => {
    for (const origin of [portalOrigin, service.url]) {
      const answer = await run(await signedInCookie(), { origin });
      expect(answer.data).toEqual({ signOut: { success: true } });
    }
  });

  // Contract: credentials#allowed-origins — A cookie-authenticated mutation with an allowed Referer
  it('accepts a mutation by cookie with no Origin and an allowed Referer', async () => {
    for (const referer of [`${portalOrigin}/devices?x=1`, `${service.url}/`]) {
      const answer = await run(await signedInCookie(), { referer });
      expect(answer.data).toEqual({ signOut: { success: true } });
    }
  });

  // Contract: credentials#allowed-origins — A missing origin is never allowed
  it('refuses a mutation by cookie with neither Origin nor Referer', async () => {
    const cookie = await signedInCookie();
    await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, {}));
    await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, {}, operations.signOutEverywhere));
    await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, { 'x-auth-delivery': 'bearer' }));
  });

  // Contract: credentials#allowed-origins — A foreign Origin or Referer
  it('refuses a mutation by cookie from a foreign Origin or Referer and revokes nothing', async () => {
    const cookie = await signedInCookie();
    const access = /auth_access=([^;]+)/.exec(cookie)?.[1] ?? '';
    for (const origin of foreignOrigins) {
      await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, { origin }));
      await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, { referer: `${origin}/` }));
    }
    const family = await familyOf(service, access);
    await expectRefusal(service, 'ORIGIN_REFUSED', () =>
      post(service.url, operations.revokeMySession, { family }, { cookie, origin: 'https://evil.example' }),
    );
  });

  // Contract: credentials#allowed-origins — Origin: null and a foreign Origin, whatever the Referer says
  it('refuses Origin null and a foreign Origin with an allowed Referer', async () => {
    const cookie = await signedInCookie();
    for (const origin of foreignOrigins) {
      await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, { origin, referer: `${portalOrigin}/` }));
    }
  });

  // Contract: credentials#allowed-origins — Refresh by cookies is cookie-authenticated
  it('refuses a refresh by cookies from a foreign Origin and rotates nothing', async () => {
    const cookie = await signedInCookie();
    const { refreshByCookie } = operations;
    await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, {}, refreshByCookie));
    for (const origin of foreignOrigins) {
      await expectRefusal(service, 'ORIGIN_REFUSED', () => run(cookie, { origin }, refreshByCookie));
    }
    expect((await run(cookie, { origin: portalOrigin }, refreshByCookie)).setCookies).toHaveLength(2);
  });

  // Contract: credentials#requests-without-an-origin-check — A mutation by Bearer needs no Origin
  it('accepts a mutation by bearer with any Origin', async () => {
    for (const headers of [{}, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const { tokens } = await registerAndSignIn(service);
      const authorization = `Bearer ${tokens.accessToken}`;
      const answer = await post(service.url, operations.signOut, {}, { authorization, ...headers });
      expect(answer.data).toEqual({ signOut: { success: true } });
    }
  });

  // Contract: credentials#requests-without-an-origin-check — A sign-in, sign-up or validation is never refused for its
  //   Origin
  it('allows sign-up, validation and sign-in from any Origin', async () => {
    const cookie = await signedInCookie();
    for (const origin of foreignOrigins) {
      const email = newAddress();
      const headers = { cookie, origin };
      const input = { email, password: goodPassword };
      const answers = [
        await post(service.url, operations.signUp, { input: { ...input, name: 'Test Person' } }, headers),
        await post(service.url, operations.validate, { token: await newestVerificationToken(service, email) }, headers),
        await post(service.url, operations.signIn, { input }, headers),
        await post(service.url, operations.resendVerification, { email }, headers),
        await post(service.url, operations.rejectSignUp, { token: '0'.repeat(64) }, headers),
        await post(service.url, operations.confirmSignUp, { input: { password: goodPassword, token: '' } }, headers),
      ];
      expect(answers.map(({ code, setCookies }) => [code, setCookies])).toEqual(Array(6).fill([null, []]));
    }
  });

  // Contract: credentials#requests-without-an-origin-check — GET serves queries only
  it('refuses a mutation by GET', async () => {
    const cookie = await signedInCookie();
    const accept = 'application/graphql-response+json';
    const get = async (query: string): Promise<Answer> => {
      const url = `${service.url}/graphql?query=${encodeURIComponent(query)}`;
      return readAnswer(await fetch(url, { headers: { cookie, accept, origin: portalOrigin } }), [cookie]);
    };
    const refused = await expectNoEffect(service, () => get(operations.signOut));
    expect([refused.status, refused.code, refused.headers.get('allow')]).toEqual([405, 'BAD_USER_INPUT', 'POST']);
    expect((await get(operations.me)).status).toBe(200);
  });

  // Contract: credentials#cross-origin-reading — CORS with credentials for exactly the two origins
  it('lets pages of exactly these two origins read answers with credentials', async () => {
    const allowed = async (origin: string) => {
      const { headers } = await post(service.url, operations.me, {}, { origin });
      return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
    };
    for (const origin of [portalOrigin, service.url]) expect(await allowed(origin)).toEqual([origin, 'true']);
    for (const origin of foreignOrigins) expect((await allowed(origin))[0]).toBeNull();
  });
});
