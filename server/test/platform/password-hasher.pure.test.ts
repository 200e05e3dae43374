/** The pool of hashing threads: refusals of a full queue, and that they have no effect. */

import { expect, it } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { createPasswordHasher } from '../../src/platform/passwords/password-hasher.ts';
import { fixture } from '../support/fixture.ts';

/** bcrypt's lowest: a full queue drains within a second or two. */
const cheapest = 4;
const moreThanFit = 1100;

const hasher = fixture(() => createPasswordHasher(cheapest));

// Contract: requests#queue-of-password-hashes — The queue of password hashes is bounded
it('Password hasher refuses jobs beyond its queue, and takes the same time without a hash once it is empty', async () => {
  const jobs = Array.from({ length: moreThanFit }, () => hasher.hash('Correct.horse7'));
  const unlucky = hasher.matches('Correct.horse7', null);
  await expect(unlucky).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  const outcomes = await Promise.allSettled(jobs);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.length).toBeGreaterThan(0);
  for (const { reason } of refused) expect(reason).toBeInstanceOf(Refusal);
  await expect(hasher.matches('Correct.horse7', null)).resolves.toBe(false);
  await expect(hasher.matches('Correct.horse7', await hasher.hash('Correct.horse7'))).resolves.toBe(true);
});
