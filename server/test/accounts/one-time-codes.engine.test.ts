/** One's one-time codes and recovery codes: added, renewed, removed, and presented to reauthenticate. */
import { describe, expect, it } from 'vitest';
import { ageAuthentication } from '../support/actors/credentials.ts';
import {
  ageChanges,
  changeAddress,
  confirmChange,
  confirmTokenOf,
  requestChange,
} from '../support/actors/email-changes.ts';
import { accept, invite, newestInvitationToken, preview } from '../support/actors/invitations.ts';
import {
  addOneTimeCodes,
  challengeIn,
  codeOfStep,
  complete,
  currentCode,
  currentStep,
  freshCode,
  recoveryCodesIn,
  secretIn,
  wrongCode,
} from '../support/actors/one-time-codes.ts';
import { passkeySettings } from '../support/actors/passkeys.ts';
import { runAs } from '../support/actors/tenants.ts';
import { inParallel, tally } from '../support/checks/concurrency.ts';
import { expectNothingStored, expectRefusal } from '../support/checks/refusals.ts';
import {
  type Answer,
  goodPassword,
  newAddress,
  operations,
  post,
  registerAndSignIn,
  signIn,
  type Tokens,
  tokensOf,
} from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

const older = 'an older secret of the tests with thirty-two bytes';
const newer = 'a newer secret of the tests with thirty-two bytes';
const service = serviceFixture({ ...passkeySettings, GATEHOUSE_SECRET: `${newer},${older}` });

interface State {
  readonly hasOneTimeCodes: boolean;
  readonly methods: readonly string[];
  readonly recoveryCodesLeft: number;
  readonly sessionHasSecondFactor: boolean;
}

const stateOf = async (tokens: Tokens): Promise<State> => {
  const { text } = await runAs(service, { tokens }, operations.mySecondFactor);
  return (JSON.parse(text) as { data: { mySecondFactor: State } }).data.mySecondFactor;
};

const withoutCodes = {
  hasOneTimeCodes: false,
  methods: [],
  recoveryCodesLeft: 0,
  sessionHasSecondFactor: false,
};
const withCodes = {
  hasOneTimeCodes: true,
  methods: ['RECOVERY_CODE', 'TOTP'],
  recoveryCodesLeft: 10,
  sessionHasSecondFactor: true,
};

const begin = (tokens: Tokens): Promise<Answer> => runAs(service, { tokens }, operations.beginTotp);
const confirm = (tokens: Tokens, code: string): Promise<Answer> =>
  runAs(service, { tokens }, operations.confirmTotp, { code });
const disable = (tokens: Tokens): Promise<Answer> => runAs(service, { tokens }, operations.disableTotp);
const regenerate = (tokens: Tokens): Promise<Answer> => runAs(service, { tokens }, operations.regenerateRecoveryCodes);
const reauthenticate = (tokens: Tokens, input: object): Promise<Answer> =>
  runAs(service, { tokens }, operations.reauthenticate, { input });

const subjectsTo = async (email: string): Promise<readonly string[]> =>
  (await service.mailsTo(email)).map(({ subject }) => subject);

/** A person with one-time codes, and a second session of theirs, which knows their password alone. */
const personWithCodes = async () => {
  const person = await registerAndSignIn(service);
  const stolen = await signIn(service, person.email);
  return { ...person, stolen, ...(await addOneTimeCodes(service, person.tokens)) };
};

describe('One-time codes', () => {
  // Contract: account#set-up-of-one-time-codes — confirmTotp adds one-time codes, and stamps the session with the
  //   second factor
  it('are added by a code of the new secret', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const begun = await begin(tokens);
    expect(begun.text).toContain(`otpauth://totp/Gatehouse:${encodeURIComponent(email)}`);
    expect(await stateOf(tokens)).toMatchObject(withoutCodes);
    const confirmed = await confirm(tokens, await currentCode(service, secretIn(begun)));
    expect(recoveryCodesIn(confirmed)).toHaveLength(10);
    expect(await stateOf(tokens)).toMatchObject(withCodes);
    expect(await subjectsTo(email)).toContain('Signing in now takes a one-time code');
    expect(service.logs.join('')).toContain('"event":"auth.one_time_codes_added"');
  });

  it('are stored sealed, and recovery codes by their hashes', async () => {
    const { secret, recoveryCodes } = await personWithCodes();
    const stored = await service.sql.column<string>(
      'SELECT to_jsonb(t)::text FROM totp_secrets t UNION ALL SELECT to_jsonb(r)::text FROM recovery_codes r',
    );
    const text = stored.join('');
    expect(text).not.toContain(Buffer.from(secret).toString('hex'));
    for (const code of recoveryCodes) expect(text).not.toContain(code);
    expect(service.logs.join('')).not.toContain(secret);
  });

  it('are not set without a code of the newest secret', async () => {
    const { tokens } = await registerAndSignIn(service);
    const first = secretIn(await begin(tokens));
    const second = secretIn(await begin(tokens));
    const ofFirst = await currentCode(service, first);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => confirm(tokens, ofFirst));
    await expectRefusal(service, 'INVALID_CREDENTIALS', async () => confirm(tokens, await wrongCode(service, second)));
    expect(await stateOf(tokens)).toMatchObject(withoutCodes);
    expect((await confirm(tokens, await currentCode(service, second))).code).toBeNull();
  });

  // Contract: account#set-up-of-one-time-codes — confirmTotp: CHALLENGE_REFUSED when nothing was begun
  it('are not set where nothing was begun, or more than 10 minutes ago', async () => {
    const { tokens } = await registerAndSignIn(service);
    await expectRefusal(service, 'CHALLENGE_REFUSED', () => confirm(tokens, '123456'));
    const secret = secretIn(await begin(tokens));
    const left = await service.sql.value<number>(
      'SELECT extract(epoch FROM max(expires_at) - now())::integer AS v FROM totp_enrolments',
    );
    expect(left).toBeGreaterThan(590);
    expect(left).toBeLessThanOrEqual(600);
    await service.sql(`UPDATE totp_enrolments SET expires_at = now() - interval '1 second'`);
    await expectRefusal(service, 'CHALLENGE_REFUSED', async () => confirm(tokens, await currentCode(service, secret)));
  });

  it('are set once by one code', async () => {
    const { tokens } = await registerAndSignIn(service);
    const code = await currentCode(service, secretIn(await begin(tokens)));
    const answers = await inParallel([1, 2, 3, 4], 4, () => confirm(tokens, code));
    expect(tally(answers.map((answer) => answer.code ?? 'OK'))).toEqual({ OK: 1, CHALLENGE_REFUSED: 3 });
  });

  it('of another app replace those of before, with new recovery codes', async () => {
    const { email, tokens, secret, recoveryCodes } = await personWithCodes();
    const other = await addOneTimeCodes(service, tokens);
    expect(await stateOf(tokens)).toMatchObject(withCodes);
    const ofFormer = await freshCode(service, secret);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code: ofFormer }));
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code: recoveryCodes[0] }));
    expect((await reauthenticate(tokens, { code: await freshCode(service, other.secret) })).code).toBeNull();
    expect(await subjectsTo(email)).toContain('Your one-time codes come from another app now');
  });

  it('are removed with the recovery codes', async () => {
    const { email, tokens } = await personWithCodes();
    expect((await disable(tokens)).code).toBeNull();
    expect(await stateOf(tokens)).toMatchObject({ ...withoutCodes, sessionHasSecondFactor: true });
    expect(await subjectsTo(email)).toContain('Signing in takes no one-time code any more');
    expect(await signIn(service, email)).toBeDefined();
    await expectNothingStored(service, async () => expect((await disable(tokens)).code).toBeNull());
  });

  it('leave passkeys when they are removed', async () => {
    const { email, tokens } = await personWithCodes();
    await service.sql(
      `INSERT INTO passkeys (id, user_id, credential_id, public_key, signature_counter, transports, relying_party_id,
         is_backed_up, name)
       SELECT gen_random_uuid(), id, convert_to(email, 'UTF8'), '', 0, '{}', 'localhost', false, 'Key' FROM users
       WHERE email = $1`,
      [email],
    );
    expect((await stateOf(tokens)).methods).toEqual(['PASSKEY', 'RECOVERY_CODE', 'TOTP']);
    await disable(tokens);
    expect((await stateOf(tokens)).methods).toEqual(['PASSKEY']);
  });

  it('remain readable under an older secret, and use the newest one from then on', async () => {
    const { email, tokens, secret } = await personWithCodes();
    const sealed = (): Promise<string | undefined> =>
      service.sql.value<string>(
        `SELECT encode(sealed_secret, 'hex') AS v FROM totp_secrets JOIN users u ON u.id = user_id WHERE u.email = $1`,
        [email],
      );
    const before = await sealed();
    expect((await reauthenticate(tokens, { code: await freshCode(service, secret) })).code).toBeNull();
    expect(await sealed()).not.toBe(before);
  });

  it('of a secret that was copied from another user’s row are refused', async () => {
    const victim = await personWithCodes();
    const other = await personWithCodes();
    await service.sql(
      `UPDATE totp_secrets SET sealed_secret = (SELECT sealed_secret FROM totp_secrets JOIN users u ON u.id = user_id
         WHERE u.email = $2) WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
      [victim.email, other.email],
    );
    const code = await freshCode(service, other.secret);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(victim.tokens, { code }));
    expect(service.logs.join('')).toContain('"event":"auth.totp_unreadable"');
  });
});

describe('While a change of address can be undone, one-time codes', () => {
  // Contract: account#forbidden-while-an-undo-is-open — disableTotp while the address can be put back
  it('are not removed, and those of before the change not replaced', async () => {
    const { secret: _, ...person } = await personWithCodes();
    await changeAddress(service, person);
    await expectRefusal(service, 'FORBIDDEN', () => disable(person.tokens));
    const code = await currentCode(service, secretIn(await begin(person.tokens)));
    await expectRefusal(service, 'FORBIDDEN', () => confirm(person.tokens, code));
    await expectRefusal(service, 'FORBIDDEN', () => regenerate(person.tokens));
    await ageChanges(service, '72 hours');
    expect((await disable(person.tokens)).code).toBeNull();
  });

  it('end a change that is only requested when they go, because its undo could not put them back', async () => {
    const { secret: _, ...person } = await personWithCodes();
    const newEmail = newAddress();
    await requestChange(service, person, newEmail);
    const token = await confirmTokenOf(service, newEmail);
    expect((await disable(person.tokens)).code).toBeNull();
    await expectRefusal(service, 'LINK_NOT_OPEN', () => confirmChange(service, person.tokens, token));
  });

  it('are replaced where they were added since', async () => {
    const person = await registerAndSignIn(service);
    await changeAddress(service, person);
    await addOneTimeCodes(service, person.tokens);
    expect((await addOneTimeCodes(service, person.tokens)).recoveryCodes).toHaveLength(10);
    await expectRefusal(service, 'FORBIDDEN', () => disable(person.tokens));
  });
});

describe('Recovery codes', () => {
  it('are replaced on request: earlier ones are not accepted', async () => {
    const { email, tokens, recoveryCodes } = await personWithCodes();
    const fresh = recoveryCodesIn(await regenerate(tokens));
    expect(new Set([...fresh, ...recoveryCodes]).size).toBe(20);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code: recoveryCodes[0] }));
    expect((await reauthenticate(tokens, { code: fresh[0] })).code).toBeNull();
    expect(await subjectsTo(email)).toContain('Your recovery codes were replaced');
  });

  it('need one-time codes', async () => {
    const { tokens } = await registerAndSignIn(service);
    await expectRefusal(service, 'FORBIDDEN', () => regenerate(tokens));
  });

  // Contract: account#accepted-codes — a recovery code works once, and a mail tells of its use
  it('work once each, also for requests at once, and a mail tells', async () => {
    const { email, tokens, recoveryCodes } = await personWithCodes();
    const [code = ''] = recoveryCodes;
    const answers = await inParallel([1, 2, 3, 4], 4, () => reauthenticate(tokens, { code: code.toLowerCase() }));
    expect(answers.filter((answer) => answer.code === null)).toHaveLength(1);
    expect((await stateOf(tokens)).recoveryCodesLeft).toBe(9);
    const mails = (await service.mailsTo(email)).filter(
      ({ subject }) => subject === 'A recovery code of your account was used',
    );
    expect(mails.map(({ text }) => text.includes('9 are left.'))).toEqual([true]);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code }));
  });

  it('of one person are refused for another', async () => {
    const one = await personWithCodes();
    const other = await personWithCodes();
    await expectRefusal(service, 'INVALID_CREDENTIALS', () =>
      reauthenticate(one.tokens, { code: other.recoveryCodes[0] }),
    );
  });
});

describe('A session', () => {
  // Contract: account#changes-of-factors — a stolen password gets itself no factor
  it('of a stolen password neither adds, renews nor removes a factor', async () => {
    const { stolen } = await personWithCodes();
    for (const operation of [begin, disable, regenerate]) {
      await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => operation(stolen));
    }
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => confirm(stolen, '123456'));
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', () => reauthenticate(stolen, { password: goodPassword }));
    expect((await stateOf(stolen)).sessionHasSecondFactor).toBe(false);
  });

  it('that authenticated long ago changes no factor, whether the account has one or not', async () => {
    const without = await registerAndSignIn(service);
    const { tokens } = await personWithCodes();
    for (const stale of [without.tokens, tokens]) {
      await ageAuthentication(service, stale.accessToken, '11 minutes');
      for (const operation of [begin, disable, regenerate]) {
        await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => operation(stale));
      }
      await expectRefusal(service, 'REAUTHENTICATION_REQUIRED', () => confirm(stale, '123456'));
    }
  });

  it('that began set-up before another one added a factor does not confirm it', async () => {
    const { email, tokens } = await registerAndSignIn(service);
    const stolen = await signIn(service, email);
    const theirs = secretIn(await begin(stolen));
    await addOneTimeCodes(service, tokens);
    await expectRefusal(service, 'SECOND_FACTOR_REQUIRED', async () =>
      confirm(stolen, await currentCode(service, theirs)),
    );
  });
});

describe('reauthenticate with a code', () => {
  it('notes both instants', async () => {
    const { tokens, stolen, secret } = await personWithCodes();
    await ageAuthentication(service, tokens.accessToken, '11 minutes');
    for (const session of [tokens, stolen]) {
      expect((await reauthenticate(session, { code: await freshCode(service, secret) })).code).toBeNull();
      expect((await stateOf(session)).sessionHasSecondFactor).toBe(true);
      expect((await begin(session)).code).toBeNull();
    }
  });

  // Contract: account#accepted-codes — a step that was used, and those before it, are refused
  it('accepts a time step once, and none before it', async () => {
    const { tokens, secret } = await personWithCodes();
    const code = await freshCode(service, secret);
    expect((await reauthenticate(tokens, { code })).code).toBeNull();
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code }));
    const step = await currentStep(service);
    await service.sql('UPDATE totp_secrets SET last_step = $1', [step + 10]);
    for (const distance of [-1, 0, 1]) {
      await expectRefusal(service, 'INVALID_CREDENTIALS', () =>
        reauthenticate(tokens, { code: codeOfStep(secret, step + distance) }),
      );
    }
  });

  it('accepts a code in other digits with a dash, as the same code', async () => {
    const { tokens, secret } = await personWithCodes();
    const code = await freshCode(service, secret);
    const inArabic = code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    const typed = `\u200f${inArabic.slice(0, 3)}\u2013${inArabic.slice(3)}`;
    expect((await reauthenticate(tokens, { code: typed })).code).toBeNull();
    for (const again of [typed, code]) {
      await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code: again }));
    }
  });

  it.each([-4, 4])('refuses a code of %i steps away', async (distance) => {
    const { tokens, secret } = await personWithCodes();
    await service.sql('UPDATE totp_secrets SET last_step = 0');
    const code = codeOfStep(secret, (await currentStep(service)) + distance);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code }));
  });

  it('accepts a code once among requests at once', async () => {
    const { tokens, secret } = await personWithCodes();
    const code = await freshCode(service, secret);
    const answers = await inParallel([1, 2, 3, 4], 4, () => reauthenticate(tokens, { code }));
    expect(answers.filter((answer) => answer.code === null)).toHaveLength(1);
  });

  it('refuses any code of a person without one-time codes, and more than one factor', async () => {
    const { tokens } = await registerAndSignIn(service);
    await expectRefusal(service, 'INVALID_CREDENTIALS', () => reauthenticate(tokens, { code: '123456' }));
    await expectRefusal(service, 'BAD_USER_INPUT', () =>
      reauthenticate(tokens, { code: '123456', password: goodPassword }),
    );
  });
});

describe('An invitation of a person with one-time codes and no password', () => {
  // Contract: account#invitations-and-factors — a person with a passkey or codes gets no vToken
  it('has no vToken: they sign in, and accept', async () => {
    const owner = await registerAndSignIn(service);
    const { email, secret } = await personWithCodes();
    const challenge = challengeIn(
      await post(service.url, operations.signIn, { input: { email, password: goodPassword } }),
    );
    const tokens = tokensOf(await complete(service, challenge, await freshCode(service, secret)));
    await service.sql('UPDATE users SET password_hash = NULL WHERE email = $1', [email]);
    await invite(service, owner.tokens, email);
    const token = await newestInvitationToken(service, email);
    expect((await preview(service, token))?.vToken).toBeNull();
    expect((await accept(service, tokens, token)).code).toBeNull();
  });
});
