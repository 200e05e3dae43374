/** The second factor of a sign-in: the challenge, its tries, what ends it, and the session that a code begins. */
import { describe, expect, it } from 'vitest';
import { liveOf, me } from '../support/actors/credentials.ts';
import {
  addOneTimeCodes,
  challengeIn,
  complete,
  freshCode,
  type OneTimeCodes,
  wrongCode,
} from '../support/actors/one-time-codes.ts';
import { passkeySettings } from '../support/actors/passkeys.ts';
import { newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { inParallel, tally } from '../support/checks/concurrency.ts';
import { expectNoEcho, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  bearer,
  goodPassword,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import {
  clearsExchangeCookie,
  exchange,
  newIdentity,
  newSecret,
  providerSettings,
  returningBrowser,
} from '../support/servers/external.ts';

const service = serviceFixture({ ...providerSettings, ...passkeySettings, SECOND_FACTOR_AFTER_PROVIDER: 'true' });

interface Person extends OneTimeCodes {
  readonly email: string;
  readonly tokens: Tokens;
}

const personWithCodes = async (): Promise<Person> => {
  const person = await registerAndSignIn(service);
  return { ...person, ...(await addOneTimeCodes(service, person.tokens)) };
};

const signIn = (email: string, password = goodPassword): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password } });

const newChallenge = async ({ email }: Pick<Person, 'email'>): Promise<string> => challengeIn(await signIn(email));

/** A refused code leaves everything but the count of tries. */
const expectWrong = (challenge: string, code: string): Promise<Answer> =>
  expectRefusal(service, 'INVALID_CREDENTIALS', () => complete(service, challenge, code));

const expectOver = (challenge: string, code: string): Promise<Answer> =>
  expectRefusal(service, 'CHALLENGE_REFUSED', () => complete(service, challenge, code));

describe('A sign-in with the right password of a person with one-time codes', () => {
  // Contract: account#second-factor-at-sign-in — signInWithPassword answers SECOND_FACTOR_REQUIRED, with no pair and no
  //   cookie
  it('is answered with a challenge, and begins no session', async () => {
    const { email } = await personWithCodes();
    const sessions = async () => (await liveOf(service, email)).map(({ family }) => family);
    const before = await sessions();
    const browser = new Browser(service);
    const answer = await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    expect([answer.status, answer.code, answer.setCookies]).toEqual([403, 'SECOND_FACTOR_REQUIRED', []]);
    const { challenge: shown, expiresAt, ...others } = answer.extensions;
    expect(others).toEqual({
      code: 'SECOND_FACTOR_REQUIRED',
      http: { status: 403 },
      methods: ['RECOVERY_CODE', 'TOTP'],
    });
    expect(shown).toMatch(/^[\w-]{43}$/);
    expect(expiresAt).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expectNoEcho(answer);
    expect(await sessions()).toEqual(before);
    const [row] = await service.sql<{ seconds: number; hash: string }>(
      `SELECT extract(epoch FROM c.expires_at - c.created_at)::integer AS seconds, encode(challenge_hash, 'hex') AS hash
       FROM second_factor_challenges c JOIN users u ON u.id = c.user_id WHERE u.email = $1`,
      [email],
    );
    expect(row?.seconds).toBe(300);
    const challenge = challengeIn(answer);
    expect(row?.hash).not.toContain(Buffer.from(challenge).toString('hex'));
    expect(service.logs.join('')).not.toContain(challenge);
  });

  it('needs the right password first: a wrong one tells nothing of codes', async () => {
    const { email } = await personWithCodes();
    const wrong = await expectRefusal(service, 'INVALID_CREDENTIALS', () => signIn(email, 'Wrong.horse7'));
    const unknown = await expectRefusal(service, 'INVALID_CREDENTIALS', () => signIn(newAddress(), 'Wrong.horse7'));
    expect(wrong.text).toBe(unknown.text);
  });

  it('names passkeys where there are some, and recovery codes while some are left', async () => {
    const { email } = await personWithCodes();
    await service.sql(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
         is_backed_up, name)
       SELECT gen_random_uuid(), id, convert_to(email, 'UTF8'), '', 0, '{}', 'localhost', false, 'Key' FROM users
       WHERE email = $1`,
      [email],
    );
    await service.sql(
      'UPDATE recovery_codes SET used_at = now() WHERE user_id = (SELECT id FROM users WHERE email = $1)',
      [email],
    );
    expect((await signIn(email)).extensions['methods']).toEqual(['PASSKEY', 'TOTP']);
  });
});

describe('completeSecondFactor', () => {
  it('signs in with a one-time code, as a client and as a browser', async () => {
    const person = await personWithCodes();
    const tokens = tokensOf(
      await complete(service, await newChallenge(person), await freshCode(service, person.secret)),
    );
    expect((await me(service, tokens.accessToken)).text).toContain(person.email);
    const browser = new Browser(service);
    const input = { challenge: await newChallenge(person), code: await freshCode(service, person.secret) };
    const answer = await browser.run(operations.completeSecondFactor, { input });
    expect(answer.data).toMatchObject({ completeSecondFactor: { accessToken: null, user: { email: person.email } } });
    expect([...browser.cookies.keys()]).toEqual(expect.arrayContaining(['auth_access', 'auth_refresh']));
    expect((await browser.run(operations.me)).text).toContain(person.email);
  });

  // Contract: credentials#beginnings-of-a-session — completeSecondFactor keeps the method of the first factor
  it('begins a session that has both instants, and the method of the first factor', async () => {
    const { email, secret } = await personWithCodes();
    const tokens = tokensOf(await complete(service, await newChallenge({ email }), await freshCode(service, secret)));
    const { text } = await runAs(service, { tokens }, operations.mySecondFactor);
    expect(text).toContain('"sessionHasSecondFactor":true');
    expect(text).not.toContain('"provedAt":null');
    expect((await runAs(service, { tokens }, operations.beginTotp)).code).toBeNull();
    expect((await liveOf(service, email)).every(({ method }) => method === 'password')).toBe(true);
  });

  it('ends the session that the browser had', async () => {
    const former = await registerAndSignIn(service);
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email: former.email, password: goodPassword } });
    const old = { accessToken: browser.cookies.get('auth_access') ?? '', refreshToken: '' };
    expect((await me(service, old.accessToken)).code).toBeNull();
    const person = await personWithCodes();
    const answer = await browser.run(operations.signIn, { input: { email: person.email, password: goodPassword } });
    expect((await me(service, old.accessToken)).code).toBeNull();
    const input = { challenge: challengeIn(answer), code: await freshCode(service, person.secret) };
    expect((await browser.run(operations.completeSecondFactor, { input })).code).toBeNull();
    expect((await me(service, old.accessToken)).code).toBe('UNAUTHENTICATED');
    // Beside a Bearer token as well, which it does not look at.
    const again = { challenge: await newChallenge(person), code: await freshCode(service, person.secret) };
    expect(
      (await post(service.url, operations.completeSecondFactor, { input: again }, bearer(former.tokens))).code,
    ).toBe(null);
  });

  it('signs in with a recovery code, once, and a mail tells', async () => {
    const person = await personWithCodes();
    const [code = ''] = person.recoveryCodes;
    expect((await complete(service, await newChallenge(person), code)).code).toBeNull();
    expect((await service.mailsTo(person.email)).map(({ subject }) => subject)).toContain(
      'A recovery code of your account was used',
    );
    await expectWrong(await newChallenge(person), code);
  });

  it('refuses a code that was used before', async () => {
    const person = await personWithCodes();
    const code = await freshCode(service, person.secret);
    expect((await complete(service, await newChallenge(person), code)).code).toBeNull();
    await expectWrong(await newChallenge(person), code);
  });

  it('stands alone in its request', async () => {
    const two = `mutation ($input: CompleteSecondFactorInput!) {
      a: completeSecondFactor(input: $input) { accessToken } b: completeSecondFactor(input: $input) { accessToken } }`;
    const input = { challenge: 'A'.repeat(43), code: '000000' };
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => post(service.url, two, { input }));
  });
});

describe('A challenge', () => {
  // Contract: account#challenge-of-a-sign-in — a challenge takes 5 tries, and lives 5 minutes
  it('takes five tries', async () => {
    const person = await personWithCodes();
    const challenge = await newChallenge(person);
    const wrong = await wrongCode(service, person.secret);
    for (let tries = 0; tries < 4; tries += 1) await expectWrong(challenge, wrong);
    expect((await complete(service, challenge, await freshCode(service, person.secret))).code).toBeNull();
    const other = await newChallenge(person);
    for (const code of [wrong, 'not a code', '', wrong, 'AAAA-AAAA-AAAA-AAAA']) await expectWrong(other, code);
    await expectOver(other, await freshCode(service, person.secret));
  });

  it('takes five tries of requests at once', async () => {
    const person = await personWithCodes();
    const challenge = await newChallenge(person);
    const wrong = await wrongCode(service, person.secret);
    const answers = await inParallel([1, 2, 3, 4, 5, 6, 7, 8], 8, () => complete(service, challenge, wrong));
    expect(tally(answers.map(({ code }) => code ?? 'OK'))).toEqual({ INVALID_CREDENTIALS: 5, CHALLENGE_REFUSED: 3 });
  });

  it('signs one of two browsers in', async () => {
    const person = await personWithCodes();
    const challenge = await newChallenge(person);
    const codes = [
      await freshCode(service, person.secret),
      person.recoveryCodes[0] ?? '',
      person.recoveryCodes[1] ?? '',
    ];
    const before = (await liveOf(service, person.email)).length;
    const answers = await inParallel(codes, 3, (code) => complete(service, challenge, code));
    expect(tally(answers.map(({ code }) => code ?? 'OK'))).toEqual({ OK: 1, CHALLENGE_REFUSED: 2 });
    expect((await liveOf(service, person.email)).length).toBe(before + 2);
    await expectOver(challenge, person.recoveryCodes[2] ?? '');
  });

  it('is over after five minutes', async () => {
    const person = await personWithCodes();
    const challenge = await newChallenge(person);
    await service.sql(`UPDATE second_factor_challenges SET expires_at = now() - interval '1 second'`);
    await expectOver(challenge, await freshCode(service, person.secret));
  });

  it.each(['', 'none', 'A'.repeat(43), 'A'.repeat(10_000)])(
    'that was never issued is refused: %#',
    async (challenge) => {
      const person = await personWithCodes();
      await expectOver(challenge, await freshCode(service, person.secret));
    },
  );

  it('is of its person alone', async () => {
    const person = await personWithCodes();
    const other = await personWithCodes();
    await expectWrong(await newChallenge(person), await freshCode(service, other.secret));
    await expectWrong(await newChallenge(person), other.recoveryCodes[0] ?? '');
  });

  it('leaves another one of the same person', async () => {
    const person = await personWithCodes();
    const first = await newChallenge(person);
    const second = await newChallenge(person);
    expect((await complete(service, second, await freshCode(service, person.secret))).code).toBeNull();
    expect((await complete(service, first, await freshCode(service, person.secret))).code).toBeNull();
  });

  it('ends where the codes were removed meanwhile', async () => {
    const person = await personWithCodes();
    const challenge = await newChallenge(person);
    await runAs(service, person, operations.disableTotp);
    await expectWrong(challenge, '123456');
    await expectWrong(challenge, person.recoveryCodes[0] ?? '');
    expect((await signIn(person.email)).code).toBeNull();
  });

  // Contract: account#challenge-of-a-sign-in — setting a new password or ending everything ends open challenges
  it.each([
    [
      'the password was changed',
      (person: Person) =>
        runAs(service, person, operations.changePassword, {
          input: { currentPassword: goodPassword, newPassword: 'Another.1word' },
        }),
    ],
    ['its person signed out everywhere', (person: Person) => runAs(service, person, operations.signOutEverywhere)],
    [
      'a super admin signed its person out',
      async (person: Person) => {
        const id = await service.sql.value<string>('SELECT id FROM users WHERE email = $1', [person.email]);
        return runAs(service, await newSuperAdmin(service), operations.revokeUserSessions, { id });
      },
    ],
  ])('is over when %s', async (_what, act) => {
    const person = await personWithCodes();
    const challenge = await newChallenge(person);
    expect((await act(person)).code).toBeNull();
    await expectOver(challenge, await freshCode(service, person.secret));
    await expectOver(challenge, person.recoveryCodes[0] ?? '');
  });
});

describe('A sign-in with the identity provider', () => {
  const linked = async (email: string) => {
    const identity = newIdentity({ email });
    const browser = returningBrowser(service, await newSecret(service, identity));
    return { identity, browser, answer: await exchange(browser) };
  };

  // Contract: account#second-factor-at-sign-in — exchangeAuthTokens asks for the second factor where
  //   SECOND_FACTOR_AFTER_PROVIDER=true
  it('takes a code too, and its secret is spent', async () => {
    const person = await personWithCodes();
    await service.sql('DELETE FROM external_identities');
    const before = (await liveOf(service, person.email)).length;
    const { browser, answer, identity } = await linked(person.email);
    expect(answer.code).toBe('SECOND_FACTOR_REQUIRED');
    expect(clearsExchangeCookie(answer)).toBe(true);
    expect([...browser.cookies.keys()]).not.toContain('auth_access');
    expect((await liveOf(service, person.email)).length).toBe(before);
    const input = { challenge: challengeIn(answer), code: await freshCode(service, person.secret) };
    expect((await browser.run(operations.completeSecondFactor, { input })).code).toBeNull();
    const methods = (await liveOf(service, person.email)).map(({ method }) => method);
    expect(methods).toContain('google');
    expect((await browser.run(operations.mySecondFactor)).text).toContain('"sessionHasSecondFactor":true');
    // The same person again, whose identity is linked by now.
    const again = await exchange(returningBrowser(service, await newSecret(service, identity)));
    expect(again.code).toBe('SECOND_FACTOR_REQUIRED');
  });

  it('takes none of a person without one-time codes', async () => {
    const { answer } = await linked(newAddress());
    expect(answer.code).toBeNull();
  });

  it('ends with the password that is set meanwhile', async () => {
    const person = await personWithCodes();
    const { answer } = await linked(person.email);
    const newPassword = { input: { currentPassword: goodPassword, newPassword: 'Another.1word' } };
    expect((await runAs(service, person, operations.changePassword, newPassword)).code).toBeNull();
    await expectOver(challengeIn(answer), await freshCode(service, person.secret));
  });
});

describe('Where SECOND_FACTOR_AFTER_PROVIDER is not set', () => {
  const lenient = serviceFixture(providerSettings);

  it('the identity provider signs a person with one-time codes in', async () => {
    const person = await registerAndSignIn(lenient);
    await addOneTimeCodes(lenient, person.tokens);
    const secret = await newSecret(lenient, newIdentity({ email: person.email }));
    const browser = returningBrowser(lenient, secret);
    expect((await exchange(browser)).code).toBeNull();
    expect((await browser.run(operations.mySecondFactor)).text).toContain('"sessionHasSecondFactor":false');
  });
});
