/** The time of a sign-up or a sign-in does not reveal to an outsider whether an account exists. */
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultIntervals } from '../../src/domain/access/deps.ts';
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
});
