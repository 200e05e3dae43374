/**
 * The time of a sign-up, a sign-in or a change of address does not reveal to an outsider whether an account exists, nor
 * that of a passkey's options or of a wrong password what the account has.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultIntervals } from '../../src/domain/access/deps.ts';
import { requestChange } from '../support/actors/email-changes.ts';
import { addOneTimeCodes } from '../support/actors/one-time-codes.ts';
import { newPasskeyPerson, passkeySettings } from '../support/actors/passkeys.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { compare, compareTimes, type Verdict } from '../support/checks/timing.ts';
import {
  type Answer,
  Browser,
  goodPassword,
  newAddress,
  operations,
  post,
  register,
  registerAndSignIn,
} from '../support/clients/clients.ts';
import { fixture } from '../support/fixture.ts';
import { serviceFixture } from '../support/gatehouse/gatehouse.ts';

let verified: string;
const settings = { LOG_LEVEL: 'warn', SALT_ROUNDS: '10', ...passkeySettings };
const service = serviceFixture(settings, 'none', {}, defaultIntervals);
beforeAll(async () => {
  verified = await register(service);
});

/** Registered addresses to which no mail was sent, each returned once: more than a comparison uses. */
const unmailed = fixture(async () => {
  const emails = range(3000).map(() => newAddress());
  await service.sql(
    `INSERT INTO users (id, email, name, email_validated_at)
     SELECT gen_random_uuid(), email, 'Somebody', now() FROM unnest($1::text[]) AS email`,
    [emails],
  );
  const next = (): string => {
    const email = emails.pop();
    if (email === undefined) throw new Error('Every address was mailed');
    return email;
  };
  return { next };
});

const trySignIn = (email: string): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password: 'Wrong.horse7' } });

const trySignUp = (email: string): Promise<Answer> =>
  post(service.url, operations.signUp, { input: { email, name: 'A Stranger', password: goodPassword } });

const expectNothingReported = (verdict: Verdict): void => {
  expect(verdict.tellable, JSON.stringify(verdict)).not.toBeNull();
  expect(verdict.differs, JSON.stringify(verdict)).toBe(false);
};

describe('time', () => {
  it('is compared by a test that distinguishes a shift from noise', () => {
    const noise = range(60).map(() => (Math.random() - 0.5) * 20);
    const shifted = noise.map((difference) => difference + 10);
    expect(Math.abs(compare(noise).score)).toBeLessThan(4.5);
    expect(compare(shifted).score).toBeGreaterThan(4);
    expect(compare(shifted.map((difference) => -difference)).score).toBeLessThan(-4);
  });

  it('reveals nothing about an address at a sign-in', async () => {
    const arms = { baseline: () => trySignIn(verified), other: () => trySignIn(newAddress()) };
    expectNothingReported(await compareTimes(arms, 15));
  }, 180_000);

  it('reveals nothing about an address at a sign-up', async () => {
    const arms = { baseline: () => trySignUp(verified), other: () => trySignUp(newAddress()) };
    expectNothingReported(await compareTimes(arms, 15));
  }, 180_000);

  it('reveals nothing about an address when a verification mail is asked for', async () => {
    const resend = (email: string): Promise<Answer> => post(service.url, operations.resendVerification, { email });
    const arms = { baseline: () => resend(verified), other: () => resend(newAddress()) };
    expectNothingReported(await compareTimes(arms, 15));
    // The mail of an hour, which the address above has had.
    const first = { baseline: () => resend(newAddress()), other: () => resend(unmailed.next()) };
    expectNothingReported(await compareTimes(first, 15));
  }, 180_000);

  it('reveals nothing about an address when a change to it is requested', async () => {
    const person = await newOwner(service);
    const request = (newEmail: string): Promise<Answer> => requestChange(service, person, newEmail);
    // Addresses in turn: a request for the same one within the hour would do nothing.
    const known = await Promise.all(range(4).map(() => newOwner(service)));
    let turn = 0;
    const registered = (): string => {
      turn += 1;
      return known[turn % known.length]?.email ?? '';
    };
    const arms = { baseline: () => request(registered()), other: () => request(newAddress()) };
    expectNothingReported(await compareTimes(arms, 15));
    const first = { baseline: () => request(newAddress()), other: () => request(unmailed.next()) };
    expectNothingReported(await compareTimes(first, 15));
  }, 180_000);

  // Contract: accounts#sign-in-with-a-passkey — signInWithPasskeyOptions answers alike for everybody
  it('reveals nothing about the person of a browser when options of a passkey are requested', async () => {
    const { email } = await newPasskeyPerson(service);
    const known = new Browser(service);
    await known.run(operations.signIn, { input: { email, password: goodPassword } });
    const options = (browser: Browser): Promise<Answer> => browser.run(operations.signInWithPasskeyOptions);
    const arms = { baseline: () => options(known), other: () => options(new Browser(service)) };
    expectNothingReported(await compareTimes(arms, 15));
  }, 180_000);

  // Contract: account#second-factor-at-sign-in — a wrong password reveals nothing about one-time codes
  it('reveals nothing about one-time codes at a sign-in with a wrong password', async () => {
    const person = await registerAndSignIn(service);
    await addOneTimeCodes(service, person.tokens);
    const arms = { baseline: () => trySignIn(person.email), other: () => trySignIn(newAddress()) };
    expectNothingReported(await compareTimes(arms, 15));
  }, 180_000);
});
