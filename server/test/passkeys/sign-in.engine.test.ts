/** Sign-in and step-up with a passkey: what is accepted, and every way in which it is not. */
import { describe, expect, it } from 'vitest';
import { Authenticator, type Forgery, optionsIn } from '../support/actors/authenticator.ts';
import { ageAuthentication, credentialsOf } from '../support/actors/credentials.ts';
import {
  newPasskeyPerson,
  passkeySettings,
  registerPasskey,
  sendAssertion,
  signInAssertion,
  signInWithPasskey,
} from '../support/actors/passkeys.ts';
import { runAs } from '../support/actors/tenants.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  operations,
  post,
  registerAndSignIn,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const service = serviceFixture(passkeySettings);

describe('signInWithPasskey', () => {
  // Contract: accounts#sign-in-with-a-passkey — delivery as at signInWithPassword; auth_method passkey; the session has
  //   a second factor
  it('signs in with tokens in the body, and notes the use', async () => {
    const { email, authenticator } = await newPasskeyPerson(service);
    const answer = await signInWithPasskey(service, authenticator, { isBackedUp: true });
    expect(answer.code).toBeNull();
    const tokens = tokensOf(answer);
    const state = await runAs(service, { tokens }, operations.mySecondFactor);
    expect(state.text).toContain('"sessionHasSecondFactor":true');
    expect((await credentialsOf(service, email)).at(-1)?.method).toBe('passkey');
    const list = await runAs(service, { tokens }, operations.myPasskeys);
    expect(list.text).toContain('"isBackedUp":true');
    expect(list.text).not.toContain('"lastUsedAt":null');
    expect(service.logs.join('')).toMatch(/"event":"auth.sign_in".*"method":"passkey"/);
  });

  it('signs a browser in with cookies, in place of its earlier session', async () => {
    const { email, authenticator } = await newPasskeyPerson(service);
    const browser = new Browser(service);
    await browser.run(operations.signIn, { input: { email, password: goodPassword } });
    const options = optionsIn(await browser.run(operations.signInWithPasskeyOptions));
    const answer = await browser.run(operations.signInWithPasskey, { response: authenticator.get(options) });
    expect(answer.text).toContain('"accessToken":null');
    expect([...browser.cookies.keys()]).toEqual(expect.arrayContaining(['auth_access', 'auth_refresh']));
    expect((await browser.run(operations.me)).text).toContain(email);
    const reasons = (await credentialsOf(service, email)).map(({ reason }) => reason);
    expect(reasons).toContain('replaced_by_sign_in');
  });

  it('needs a verified address', async () => {
    const { email, authenticator } = await newPasskeyPerson(service);
    await service.sql(
      `UPDATE users SET email_validation_token_hash = '', email_validation_expires_at = now() WHERE email = $1`,
      [email],
    );
    const response = await signInAssertion(service, authenticator);
    await expectRefusal(service, 'EMAIL_NOT_VERIFIED', () => sendAssertion(service, response));
  });

  it('stands alone in its request', async () => {
    const two = `mutation ($response: String!) { signInWithPasskey(response: $response) { accessToken } signInWithPasskeyOptions { expiresAt } }`;
    await expectRefusal(service, 'OPERATION_TOO_COSTLY', () => post(service.url, two, { response: '{}' }));
  });

  const forgeries: readonly (readonly [string, Forgery])[] = [
    ['another origin', { origin: 'https://phishing.example' }],
    ['another port of the host', { origin: 'http://localhost:1' }],
    ['another relying party', { rpId: 'example.com' }],
    ['another ceremony', { type: 'webauthn.create' }],
    ['no user verification', { isUserVerified: false }],
    ['no user presence', { isUserPresent: false }],
    ['a frame of another origin', { clientData: { crossOrigin: true } }],
    ['a top origin', { clientData: { topOrigin: 'https://phishing.example' } }],
    ['a wrong signature', { isSignatureWrong: true }],
    ['no user handle', { userHandle: null }],
    ['another user handle', { userHandle: Buffer.alloc(32).toString('base64url') }],
  ];

  it.each(forgeries)('refuses %s', async (_what, forgery) => {
    const { authenticator } = await newPasskeyPerson(service);
    const response = await signInAssertion(service, authenticator, forgery);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, response));
    expect(service.logs.join('')).toMatch(/"event":"auth.sign_in_refused".*"method":"passkey"/);
    expect((await signInWithPasskey(service, authenticator)).code).toBeNull();
  });

  it('refuses a passkey that is not registered, or was removed', async () => {
    const { tokens, authenticator, passkeyId: id } = await newPasskeyPerson(service);
    const stranger = new Authenticator(service.portalUrl);
    stranger.create(optionsIn(await runAs(service, { tokens }, operations.registerPasskeyOptions)));
    const ofStranger = await signInAssertion(service, stranger);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, ofStranger));
    const response = await signInAssertion(service, authenticator);
    expect((await runAs(service, { tokens }, operations.removePasskey, { id })).code).toBeNull();
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, response));
  });

  it('refuses the passkey of one person with the user handle of another', async () => {
    const { authenticator } = await newPasskeyPerson(service);
    const other = await newPasskeyPerson(service);
    const handle = await service.sql.value<Buffer>('SELECT passkey_user_handle AS handle FROM users WHERE email = $1', [
      other.email,
    ]);
    const userHandle = handle?.toString('base64url') ?? '';
    const response = await signInAssertion(service, authenticator, { userHandle });
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, response));
  });

  it.each([
    '',
    '17',
    '[]',
    '{',
    '{"id":"AA"}',
    `${'['.repeat(8000)}`,
    `"${'a'.repeat(90_000)}"`,
    '{"response":{"signature":1}}',
  ])('refuses a response that is no assertion (%#)', async (response) => {
    const answer = await expectRefusal(service, 'BAD_USER_INPUT', () => sendAssertion(service, response));
    expect(Object.keys(answer.extensions['fields'] as object)).toEqual(['response']);
  });
});

describe('The options of a sign-in', () => {
  // Contract: account#challenge-of-a-passkey — options take no address
  it('are the same for every caller, and name no passkey', async () => {
    const { tokens } = await newPasskeyPerson(service);
    const anonymous = optionsIn(await post(service.url, operations.signInWithPasskeyOptions));
    const signedIn = optionsIn(await runAs(service, { tokens }, operations.signInWithPasskeyOptions));
    expect(anonymous.challenge).toMatch(/^[\w-]{43}$/);
    expect({ ...anonymous, challenge: '' }).toEqual({
      challenge: '',
      timeout: 300_000,
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    });
    expect({ ...signedIn, challenge: '' }).toEqual({ ...anonymous, challenge: '' });
    expect(signedIn.challenge).not.toBe(anonymous.challenge);
  });
});

describe('A challenge of a sign-in', () => {
  it('works once: an answer that is replayed is refused', async () => {
    const { authenticator } = await newPasskeyPerson(service);
    const response = await signInAssertion(service, authenticator);
    expect((await sendAssertion(service, response)).code).toBeNull();
    await expectRefusal(service, 'CHALLENGE_REFUSED', () => sendAssertion(service, response));
  });

  it('signs one of two browsers in that answer it at once', async () => {
    const { authenticator } = await newPasskeyPerson(service);
    const options = optionsIn(await post(service.url, operations.signInWithPasskeyOptions));
    const answers = await Promise.all([1, 2].map(() => sendAssertion(service, authenticator.get(options))));
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual(['CHALLENGE_REFUSED', 'OK']);
  });

  it('expires', async () => {
    const { authenticator } = await newPasskeyPerson(service);
    const response = await signInAssertion(service, authenticator);
    await service.sql('UPDATE passkey_challenges SET expires_at = now()');
    await expectRefusal(service, 'CHALLENGE_REFUSED', () => sendAssertion(service, response));
  });

  it('is neither made up, nor of a registration or a session', async () => {
    const { tokens, authenticator } = await newPasskeyPerson(service);
    const refuse = async (query: string): Promise<Answer> => {
      const { challenge } = optionsIn(await runAs(service, { tokens }, query));
      const response = await signInAssertion(service, authenticator, { challenge });
      return expectRefusal(service, 'CHALLENGE_REFUSED', () => sendAssertion(service, response));
    };
    await refuse(operations.registerPasskeyOptions);
    await refuse(operations.reauthenticateOptions);
    const madeUp = await signInAssertion(service, authenticator, { challenge: 'A'.repeat(43) });
    await expectRefusal(service, 'CHALLENGE_REFUSED', () => sendAssertion(service, madeUp));
  });
});

describe('A signature counter', () => {
  // Contract: account#refused-passkey — a signature counter going back is refused and logged
  it('goes up with each use', async () => {
    const { authenticator } = await newPasskeyPerson(service, 5);
    expect((await signInWithPasskey(service, authenticator)).code).toBeNull();
    expect((await signInWithPasskey(service, authenticator)).code).toBeNull();
    expect(await service.sql.value('SELECT max(signature_counter)::integer AS counter FROM passkeys')).toBe(7);
  });

  it.each([5, 6, 0])('of %s is refused after 6, and logged', async (signatureCounter) => {
    const { authenticator } = await newPasskeyPerson(service, 5);
    await signInWithPasskey(service, authenticator);
    const response = await signInAssertion(service, authenticator, { signatureCounter });
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, response));
    expect(service.logs.join('')).toContain('"event":"auth.passkey_copied"');
  });

  it('of two copies at once lets one of them in', async () => {
    const { authenticator } = await newPasskeyPerson(service, 5);
    const responses = await Promise.all(
      [1, 2].map(() => signInAssertion(service, authenticator, { signatureCounter: 9 })),
    );
    const answers = await Promise.all(responses.map((response) => sendAssertion(service, response)));
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual(['INVALID_CREDENTIALS', 'OK']);
  });

  it('that is not maintained lets several uses in at once', async () => {
    const { authenticator } = await newPasskeyPerson(service);
    const responses = await Promise.all([1, 2, 3, 4].map(() => signInAssertion(service, authenticator)));
    const answers = await Promise.all(responses.map((response) => sendAssertion(service, response)));
    expect(answers.map(({ code }) => code)).toEqual([null, null, null, null]);
  });
});

describe('The backup eligibility of a passkey', () => {
  const newPerson = async (isBackupEligible: boolean) => {
    const { email, tokens } = await registerAndSignIn(service);
    const authenticator = new Authenticator(service.portalUrl);
    await registerPasskey(service, tokens, authenticator, { isBackupEligible });
    return { email, tokens, authenticator };
  };
  const signInFrom = (authenticator: Authenticator, isBackupEligible: boolean): Promise<Answer> =>
    signInWithPasskey(service, authenticator, { isBackupEligible });
  const refuse = async (authenticator: Authenticator, isBackupEligible: boolean): Promise<void> => {
    const response = await signInAssertion(service, authenticator, { isBackupEligible });
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => sendAssertion(service, response));
    const logged = service.logs.findLast((line) => line.includes('"event":"auth.sign_in_refused"'));
    expect(logged).toContain('"detail":"backup_eligibility"');
  };
  /** As if it had been registered before its eligibility was stored. */
  const forget = (email: string, isBackedUp: boolean): Promise<unknown> =>
    service.sql(
      `UPDATE passkeys SET is_backup_eligible = NULL, is_backed_up = $2
       WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [email, isBackedUp],
    );

  it.each([true, false])('stays %s: an assertion with another one is refused', async (isEligible) => {
    const { authenticator } = await newPerson(isEligible);
    await refuse(authenticator, !isEligible);
    expect((await signInFrom(authenticator, isEligible)).code).toBeNull();
    await refuse(authenticator, !isEligible);
  });

  it.each([true, false])('is %s from the first use on, where none is stored', async (isEligible) => {
    const { email, authenticator } = await newPerson(isEligible);
    await forget(email, false);
    expect((await signInFrom(authenticator, isEligible)).code).toBeNull();
    await refuse(authenticator, !isEligible);
  });

  it('is that of its backup, where none is stored', async () => {
    const { email, authenticator } = await newPerson(true);
    await forget(email, true);
    await refuse(authenticator, false);
    expect((await signInFrom(authenticator, true)).code).toBeNull();
  });

  it('of two first uses at once is the one that signs the person in', async () => {
    const { email, authenticator } = await newPerson(true);
    await forget(email, false);
    const responses = await Promise.all(
      [true, false].map((isBackupEligible) => signInAssertion(service, authenticator, { isBackupEligible })),
    );
    const answers = await Promise.all(responses.map((response) => sendAssertion(service, response)));
    expect(answers.map(({ code }) => code ?? 'OK').toSorted()).toEqual(['INVALID_CREDENTIALS', 'OK']);
  });
});

describe('reauthenticate with a passkey', () => {
  const assertion = async (tokens: Tokens, authenticator: Authenticator, forgery: Forgery = {}): Promise<string> =>
    authenticator.get(optionsIn(await runAs(service, { tokens }, operations.reauthenticateOptions)), forgery);

  const reauthenticate = (tokens: Tokens, passkey: string): Promise<Answer> =>
    runAs(service, { tokens }, operations.reauthenticate, { input: { passkey } });

  it('gives the session both instants, and issues no pair', async () => {
    const { email, authenticator } = await newPasskeyPerson(service);
    const tokens = tokensOf(await post(service.url, operations.signIn, { input: { email, password: goodPassword } }));
    await ageAuthentication(service, tokens.accessToken, '11 minutes');
    const answer = await reauthenticate(tokens, await assertion(tokens, authenticator));
    expect(answer.text).toContain('"sessionHasSecondFactor":true');
    expect(answer.setCookies).toEqual([]);
    expect((await registerPasskey(service, tokens, new Authenticator(service.portalUrl))).code).toBeNull();
  });

  it('offers the caller’s own passkeys alone', async () => {
    const { tokens, authenticator } = await newPasskeyPerson(service);
    const options = optionsIn(await runAs(service, { tokens }, operations.reauthenticateOptions));
    expect(options).toMatchObject({
      allowCredentials: [{ id: authenticator.credentialId, type: 'public-key', transports: ['internal', 'hybrid'] }],
    });
  });

  it('needs no user handle, which an authenticator may leave out here', async () => {
    const { tokens, authenticator } = await newPasskeyPerson(service);
    const response = await assertion(tokens, authenticator, { userHandle: null });
    expect((await reauthenticate(tokens, response)).code).toBeNull();
  });

  it('refuses the passkey of another person, a wrong one, and a challenge of a sign-in', async () => {
    const { tokens, authenticator } = await newPasskeyPerson(service);
    const other = await newPasskeyPerson(service);
    const refuse = async (code: 'INVALID_CREDENTIALS' | 'CHALLENGE_REFUSED', response: string): Promise<void> => {
      await expectRefusal(service, code, () => reauthenticate(tokens, response));
    };
    await refuse('INVALID_CREDENTIALS', await assertion(tokens, other.authenticator));
    await refuse('INVALID_CREDENTIALS', await assertion(tokens, authenticator, { isSignatureWrong: true }));
    await refuse('CHALLENGE_REFUSED', await signInAssertion(service, authenticator));
    await refuse('CHALLENGE_REFUSED', await assertion(other.tokens, authenticator));
  });

  it('takes exactly one proof', async () => {
    const { tokens, authenticator } = await newPasskeyPerson(service);
    const passkey = await assertion(tokens, authenticator);
    const input = { passkey, password: goodPassword };
    await expectRefusal(service, 'BAD_USER_INPUT', () =>
      runAs(service, { tokens }, operations.reauthenticate, { input }),
    );
    await expectRefusal(service, 'BAD_USER_INPUT', () => reauthenticate(tokens, 'no answer'));
  });
});

describe('Limits', () => {
  const limited = serviceFixture({ ...passkeySettings, RATE_LIMITS_ENABLED: 'true' });

  it('count failures for the account and the network, and not what succeeds', async () => {
    const { authenticator } = await newPasskeyPerson(limited);
    const { tokens } = await registerAndSignIn(limited);
    for (let use = 0; use < 12; use += 1) expect((await signInWithPasskey(limited, authenticator)).code).toBeNull();
    for (let use = 0; use < 10; use += 1) {
      expect((await signInWithPasskey(limited, authenticator, { isSignatureWrong: true })).code).toBe(
        'INVALID_CREDENTIALS',
      );
    }
    const refused = await signInWithPasskey(limited, authenticator);
    expect(refused.code).toBe('RATE_LIMITED');
    // Another account on the same network.
    const other = new Authenticator(limited.portalUrl);
    expect((await registerPasskey(limited, tokens, other)).code).toBeNull();
    expect((await signInWithPasskey(limited, other)).code).toBeNull();
  });
});
