/** Limits on wrong one-time codes: an account's are few, and its owner signs in by other means meanwhile. */
import { describe, expect, it } from 'vitest';
import { rateLimits } from '../../src/platform/rate-limit/rate-limit-table.ts';
import {
  addOneTimeCodes,
  challengeIn,
  complete,
  currentCode,
  freshCode,
  type OneTimeCodes,
  secretIn,
  wrongCode,
} from '../support/actors/one-time-codes.ts';
import { runAs } from '../support/actors/tenants.ts';
import { range, tally } from '../support/checks/concurrency.ts';
import { expectRefusal } from '../support/checks/refusals.ts';
import { goodPassword, operations, post, registerAndSignIn, type Tokens } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';
import { agePermits } from '../support/gatehouse/rate-limits.ts';

const service = serviceFixture({ RATE_LIMITS_ENABLED: 'true' });

interface Person extends OneTimeCodes {
  readonly email: string;
  readonly tokens: Tokens;
}

const personWithCodes = async (): Promise<Person> => {
  const person = await registerAndSignIn(service);
  return { ...person, ...(await addOneTimeCodes(service, person.tokens)) };
};

const newChallenge = async ({ email }: Pick<Person, 'email'>): Promise<string> =>
  challengeIn(await post(service.url, operations.signIn, { input: { email, password: goodPassword } }));

/** Uses up the wrong one-time codes of an account, in two sign-ins. */
const useUp = async (person: Person, spelling = (code: string): string => code): Promise<void> => {
  const wrong = spelling(await wrongCode(service, person.secret));
  for (const challenge of [await newChallenge(person), await newChallenge(person)]) {
    for (let tries = 0; tries < 5; tries += 1) {
      expect((await complete(service, challenge, wrong)).code).toBe('INVALID_CREDENTIALS');
    }
  }
};

describe('Ten wrong one-time codes', () => {
  // Contract: account#limit-of-wrong-codes — ten wrong codes an hour: RATE_LIMITED for codes alone
  it('stop codes at every door, and take no try', async () => {
    const person = await personWithCodes();
    await useUp(person);
    const challenge = await newChallenge(person);
    const code = await freshCode(service, person.secret);
    for (let tries = 0; tries < 6; tries += 1) {
      const refused = await expectRefusal(service, 'RATE_LIMITED', () => complete(service, challenge, code));
      expect(Number(refused.extensions['retryAfterSeconds'])).toBeGreaterThan(0);
    }
    await expectRefusal(service, 'RATE_LIMITED', () =>
      runAs(service, person, operations.reauthenticate, { input: { code } }),
    );
    expect((await complete(service, challenge, person.recoveryCodes[0] ?? '')).code).toBeNull();
  });

  it('count in the digits of any script', async () => {
    const person = await personWithCodes();
    const inArabic = (code: string): string =>
      code.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    await useUp(person, inArabic);
    const code = await freshCode(service, person.secret);
    const challenge = await newChallenge(person);
    for (const spelling of [code, inArabic(code)]) {
      await expectRefusal(service, 'RATE_LIMITED', () => complete(service, challenge, spelling));
    }
  });

  // Contract: account#limit-of-wrong-codes — ten wrong codes an hour: ten in any hour, not a bucket that fills
  //   meanwhile
  it('are ten in any hour, whenever it begins', async () => {
    const person = await personWithCodes();
    const { oneTimeCode } = rateLimits;
    const wrong = await wrongCode(service, person.secret);
    const guesses = async (times: number): Promise<Record<string, number>> => {
      const challenge = await newChallenge(person);
      const codes: string[] = [];
      for (const _guess of range(times)) codes.push((await complete(service, challenge, wrong)).code ?? 'OK');
      return tally(codes);
    };
    expect(await guesses(5)).toEqual({ INVALID_CREDENTIALS: 5 });
    await agePermits(service, oneTimeCode, 1800);
    expect(await guesses(5)).toEqual({ INVALID_CREDENTIALS: 5 });
    await agePermits(service, oneTimeCode, 1560);
    const challenge = await newChallenge(person);
    const refused = await expectRefusal(service, 'RATE_LIMITED', () => complete(service, challenge, wrong));
    // The first five were 56 minutes ago.
    expect(refused.extensions['retryAfterSeconds']).toSatisfy((seconds) => seconds > 0 && seconds <= 240);
    await agePermits(service, oneTimeCode, 240);
    expect(await guesses(5)).toEqual({ INVALID_CREDENTIALS: 5 });
    expect(await guesses(4)).toEqual({ RATE_LIMITED: 4 });
  });

  it('leave sessions, the password and recovery codes of the person, and every other account', async () => {
    const person = await personWithCodes();
    await useUp(person);
    expect((await runAs(service, person, operations.me)).code).toBeNull();
    const reauthenticated = { input: { code: person.recoveryCodes[0] } };
    expect((await runAs(service, person, operations.reauthenticate, reauthenticated)).code).toBeNull();
    const other = await personWithCodes();
    const code = await freshCode(service, other.secret);
    expect((await complete(service, await newChallenge(other), code)).code).toBeNull();
  });
});

describe('Wrong codes of an app that is being set up', () => {
  const begin = async (person: Pick<Person, 'tokens'>): Promise<string> =>
    secretIn(await runAs(service, person, operations.beginTotp));

  const confirm = (person: Pick<Person, 'tokens'>, code: string) =>
    runAs(service, person, operations.confirmTotp, { code });

  /** Confirms with wrong codes until the limit is reached. */
  const mistype = async (person: Pick<Person, 'tokens'>, secret: string): Promise<void> => {
    const wrong = await wrongCode(service, secret);
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await confirm(person, wrong)).code).toBe('INVALID_CREDENTIALS');
    }
  };

  // Contract: account#limit-of-wrong-codes — a wrong code is limited for account and network wherever one is asked for
  it('have a limit of their own, which stops the set-up and leaves what was begun', async () => {
    const person = await registerAndSignIn(service);
    const secret = await begin(person);
    await mistype(person, secret);
    const code = await currentCode(service, secret);
    const refused = await expectRefusal(service, 'RATE_LIMITED', () => confirm(person, code));
    expect(Number(refused.extensions['retryAfterSeconds'])).toBeGreaterThan(0);
    await service.sql("DELETE FROM rate_limits WHERE key LIKE 'one_time_code_set_up:%'");
    expect((await confirm(person, await currentCode(service, secret))).code).toBeNull();
  });

  it('use up no sign-in, and wrong codes of sign-ins no set-up', async () => {
    const person = await personWithCodes();
    await mistype(person, await begin(person));
    const challenge = await newChallenge(person);
    expect((await complete(service, challenge, await freshCode(service, person.secret))).code).toBeNull();
    const other = await personWithCodes();
    await useUp(other);
    const secret = await begin(other);
    expect((await confirm(other, await currentCode(service, secret))).code).toBeNull();
  });
});

describe('Right codes', () => {
  it('use up nothing', async () => {
    const person = await personWithCodes();
    for (let time = 0; time < 12; time += 1) {
      const code = await freshCode(service, person.secret);
      expect((await complete(service, await newChallenge(person), code)).code).toBeNull();
    }
  });

  it('of a challenge that is over use up nothing', async () => {
    const counted = (): Promise<readonly string[]> =>
      service.sql.column<string>(
        `SELECT key FROM rate_limits WHERE key LIKE 'one_time_code.hour:%' AND due_at > now()`,
      );
    const person = await personWithCodes();
    const challenge = await newChallenge(person);
    await runAs(service, person, operations.signOutEverywhere);
    const before = await counted();
    const code = await freshCode(service, person.secret);
    for (let time = 0; time < 5; time += 1) {
      expect((await complete(service, challenge, code)).code).toBe('CHALLENGE_REFUSED');
    }
    expect(await counted()).toEqual(before);
  });
});
