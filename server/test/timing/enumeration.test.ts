/** The time of a sign-up, a sign-in or a change of address does not reveal to an outsider whether an account exists. */
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultIntervals } from '../../src/domain/access/deps.ts';
import { requestChange } from '../support/actors/email-changes.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { range } from '../support/checks/concurrency.ts';
import { compare, compareTimes, type Verdict } from '../support/checks/timing.ts';
import { type Answer, goodPassword, newAddress, operations, post, register } from '../support/clients/clients.ts';
import { serviceFixture } from '../support/fixture.ts';

let verified: string;
const service = serviceFixture({ LOG_LEVEL: 'warn', SALT_ROUNDS: '10' }, 'none', {}, defaultIntervals);
beforeAll(async () => {
  verified = await register(service);
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
  }, 180_000);
});
