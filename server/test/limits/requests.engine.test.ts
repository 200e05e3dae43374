/** Limits of a request, and its maximum cost (contract/requests.md#limits). */
import { describe, expect, it } from 'vitest';
import { alter, credentialsOf, me, refresh } from '../support/actors/credentials.ts';
import { runAs } from '../support/actors/tenants.ts';
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
  signUp,
} from '../support/clients/clients.ts';
import { testFixture } from '../support/fixture.ts';
import { runHere } from '../support/gatehouse/command-line.ts';
import { serviceFixture, startService } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const accessSeconds = 15 * 60;
const refreshSeconds = 30 * 24 * 60 * 60;

const sendRaw = async (body: string, contentType: string): Promise<Answer> =>
  readAnswer(
    await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': contentType, accept: 'application/graphql-response+json' },
      body,
    }),
  );

describe('Limits', () => {
  // Contract: requests#lifetimes-of-credentials — Access credential lifetime: 15 minutes
  it('keeps an access token valid for 15 minutes', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    expect((await credentialsOf(service, email))[0]).toMatchObject({ kind: 'user_session', life: accessSeconds });
    await alter(service, tokens.accessToken, `expires_at = expires_at - interval '14 minutes'`);
    expect((await me(service, tokens.accessToken)).code).toBeNull();
    await alter(service, tokens.accessToken, `expires_at = expires_at - interval '1 minute'`);
    await expectRefusal(service, 'ACCESS_EXPIRED', () => me(service, tokens.accessToken));
  });

  // Contract: requests#lifetimes-of-credentials — Refresh credential lifetime: about 30 days
  it('keeps a refresh token valid for 30 days', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const life = { life: refreshSeconds, familyLife: refreshSeconds };
    expect((await credentialsOf(service, email))[1]).toMatchObject({ kind: 'user_refresh', ...life });
    await alter(service, tokens.refreshToken, `expires_at = expires_at - interval '30 days'`);
    await expectRefusal(service, 'REFRESH_REFUSED', () => refresh(service, tokens));
  });

  // Contract: requests#lifetimes-of-credentials — ACCESS_TTL_SECONDS, REFRESH_TTL_SECONDS may be shortened, never
  //   lengthened
  it('refuses to start with a longer lifetime than specified', async () => {
    for (const [name, value] of [
      ['ACCESS_TTL_SECONDS', accessSeconds + 1],
      ['REFRESH_TTL_SECONDS', refreshSeconds + 1],
    ] as const) {
      const unreachable = { NODE_ENV: 'test', DATABASE_URL: 'postgres://127.0.0.1:1/none' };
      const { code, stderr } = await runHere(['serve'], { ...unreachable, [name]: String(value) });
      expect(code).toBe(78);
      expect(stderr).toContain(name);
      expect(stderr).not.toContain(String(value));
    }
  });

  // Contract: requests#lifetimes-of-credentials — ACCESS_TTL_SECONDS, REFRESH_TTL_SECONDS shortened
  it('lets an operator shorten both lifetimes', async () => {
    const shorter = await testFixture(startService({ ACCESS_TTL_SECONDS: '120', REFRESH_TTL_SECONDS: '60' }));
    const { email } = await registerAndSignIn(shorter);
    expect((await credentialsOf(shorter, email)).map(({ life }) => life)).toEqual([60, 60]);
  });

  // Contract: requests#lifetimes-of-credentials — Auth cookie max age: refresh aligned
  it('keeps both cookies for the 30 days of the refresh token', async () => {
    const [email, browser] = [await register(service), new Browser(service)];
    const { setCookies } = await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    const ages = setCookies.map((line) => Number(/Max-Age=(\d+)/.exec(line)?.[1]));
    expect(ages).toHaveLength(2);
    for (const age of ages) expect(age > refreshSeconds - 60 && age <= refreshSeconds).toBe(true);
  });

  // Contract: requests#lifetimes-of-credentials — E-mail verification token: 24 hours, 32 random bytes as hex
  it('sends a verification token of 64 hexadecimal digits that lives 24 hours', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    const age = (hours: number): Promise<unknown> =>
      service.sql(
        `UPDATE users SET email_validation_expires_at = email_validation_expires_at - $2 * interval '1 hour'
         WHERE email = $1`,
        [email, hours],
      );
    await age(24);
    const late = await expectNoEffect(service, () => post(service.url, operations.validate, { token }));
    expect(late.data).toEqual({ validateEmail: { status: 'EXPIRED' } });
    await age(-1);
    const inTime = await post(service.url, operations.validate, { token });
    expect(inTime.data).toEqual({ validateEmail: { status: 'VERIFIED' } });
  });

  // Contract: accounts#one-mail-an-hour — Verification re-send cooldown: 1 hour
  it('sends no second verification mail within an hour', async () => {
    const email = newAddress();
    const token = await signUp(service, email);
    const mailSent = (minutesAgo: number): Promise<unknown> =>
      service.sql(`UPDATE users SET account_mail_sent_at = now() - $2 * interval '1 minute' WHERE email = $1`, [
        email,
        minutesAgo,
      ]);
    await mailSent(59);
    await expectNoEffect(service, () =>
      post(service.url, operations.signUp, { input: { email, name: 'Test Person', password: goodPassword } }),
    );
    await mailSent(60);
    await signUp(service, email);
    expect(await newestVerificationToken(service, email)).not.toBe(token);
  });

  // Contract: requests#size-of-a-document — 1,000 tokens, depth 10, 15 aliases
  it('refuses an operation over 1,000 tokens, depth 10 or 15 aliases with OPERATION_TOO_COSTLY', async () => {
    const { tokens } = await registerAndSignIn(service);
    const ask = (query: string): Promise<Answer> => runAs(service, { tokens }, query);
    const ofTokens = (count: number): string =>
      `{ me { ${'id @include(if: true) '.repeat(124)} ${'id '.repeat(count - 997)} } }`;
    const deep = (levels: number): string => `${'{ me '.repeat(levels)}${'}'.repeat(levels)}`;
    const aliased = (count: number): string =>
      `{ me { ${Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ')} } }`;
    expect((await ask(ofTokens(1000))).code).toBeNull();
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => ask(ofTokens(1001)));
    expect((await ask(deep(10))).code).toBe('BAD_USER_INPUT');
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => ask(deep(11)));
    expect((await ask(aliased(15))).code).toBeNull();
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => ask(aliased(16)));
  });

  // Contract: requests#size-of-a-body — 100 KB body
  it('refuses a body over 100 KB', async () => {
    const start = '{"query":"{ me { id } }"';
    const ofSize = (bytes: number): string => `${start.padEnd(bytes - 1)}}`;
    const fits = await sendRaw(ofSize(100 * 1024), 'application/json');
    expect(fits.code).toBe('UNAUTHENTICATED');
    const over = await expectNoEffect(service, () => sendRaw(ofSize(100 * 1024 + 1), 'application/json'));
    expect([over.status, over.code]).toEqual([413, 'BAD_USER_INPUT']);
  });

  // Contract: requests#mutations-that-stand-alone — Credential mutations are alone in their request
  it('refuses a credential mutation next to another field and runs neither', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const token = await signUp(service, newAddress());
    const signIn = `signInWithPassword(input: { email: "${email}", password: "${goodPassword}" }) { accessToken }`;
    const validate = `validateEmail(token: "${token}") { status }`;
    const refreshing = 'refreshAccessToken(refreshToken: $refreshToken, accessToken: $accessToken) { accessToken }';
    const both = '($refreshToken: String, $accessToken: String)';
    const queries = [
      `mutation { signOut { success } ${signIn} }`,
      `mutation { a: ${signIn} b: ${signIn} }`,
      `mutation { ${validate} signOut { success } }`,
      `mutation { a: ${validate} ...More } fragment More on Mutation { b: ${validate} }`,
      `mutation ${both} { ${refreshing} ... on Mutation { signOutEverywhere { success } } }`,
      `mutation { ${signIn} signOut @skip(if: true) { success } }`,
    ];
    for (const query of queries) {
      await expectRefusal(service, 'OPERATION_TOO_COSTLY', () =>
        runAs(service, { tokens }, query, query.includes('$') ? { ...tokens } : {}),
      );
    }
  });

  // Contract: requests#size-of-a-body — JSON only
  it('refuses form and multipart bodies', async () => {
    const query = `mutation { signUpWithPassword(input: { email: "${newAddress()}", name: "Test Person",
      password: "${goodPassword}" }) { success } }`;
    const form = new URLSearchParams({ query }).toString();
    const part = `--x\r\nContent-Disposition: form-data; name="query"\r\n\r\n${query}\r\n--x--\r\n`;
    const json = JSON.stringify({ query });
    const bodies = [
      [form, 'application/x-www-form-urlencoded'],
      [part, 'multipart/form-data; boundary=x'],
      [json, 'text/plain'],
      [query, 'application/graphql'],
    ] as const;
    for (const [body, type] of bodies) {
      const answer = await expectNoEffect(service, () => sendRaw(body, type));
      expect([answer.status, answer.code]).toEqual([415, 'BAD_USER_INPUT']);
    }
  });
});
