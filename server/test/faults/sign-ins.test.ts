/**
 * A hundred sign-ins at once, each followed by the next: hashes queue within bounds, whoever finds no room is told to come
 * back, and who is signed in already does not notice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodPassword, operations } from '../support/clients.ts';
import { range } from '../support/concurrency.ts';
import { startProgram } from '../support/gatehouse-process.ts';
import { newOwner } from '../support/tenants.ts';
import type { Operation } from './support/history.ts';
import { using } from './support/lanes.ts';
import { signUp } from './support/mail-faults.ts';
import { percentile } from './support/percentile.ts';
import { keepResult } from './support/results.ts';
import type { Outcome, Storm } from './support/sign-in-storm.ts';
import { Site } from './support/site.ts';
import { sized } from './support/size.ts';

const seconds = sized(8, 60);
const calmSeconds = sized(1, 5);
const clients = 100;
const mostMillis = 100;
const program = fileURLToPath(new URL('support/sign-in-storm.ts', import.meta.url));

describe(`${clients} sign-ins at once for ${seconds} s`, () => {
  let site: Site;
  beforeAll(async () => {
    // As in production: the real cost of a hash, the limits, and a proxy that names each client's network.
    const environment = { SALT_ROUNDS: '12', RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' };
    site = await Site.start({ processes: 1, environment: () => environment });
  });
  afterAll(() => site.close());

  /** People whose password is known, for the cost of one hash. */
  const people = async (count: number): Promise<string[]> => {
    await signUp(site, site.first);
    const owners = await Promise.all(range(count).map(() => newOwner(site)));
    const emails = owners.map(({ email }) => email);
    await site.sql(
      `UPDATE users SET password_hash = (SELECT max(password_hash) FROM users), email_validation_token_hash = NULL
       WHERE email = ANY ($1)`,
      [emails],
    );
    return emails;
  };

  const storm = async (emails: readonly string[]): Promise<Outcome> => {
    const plan: Storm = { seconds, emails, password: goodPassword, mutation: operations.signIn };
    const { code, stdout, output } = await startProgram(program, [site.first.url], {}, { stdin: JSON.stringify(plan) })
      .ended;
    if (code !== 0) throw new Error(output);
    return JSON.parse(stdout) as Outcome;
  };

  it('leave `me` quick, and are let in or told to come back, never answered with 5xx', async () => {
    const emails = await people(clients);
    const { tokens } = await newOwner(site);
    const state = { isOver: false };
    const url = (): string => site.first.url;
    const signedIn = using(tokens)({ site, url, isOver: () => state.isOver });
    await sleep(calmSeconds * 1000);
    const begun = performance.now();
    const { answers, withoutRetryAfter } = await storm(emails);
    state.isOver = true;
    await signedIn;
    const isUse = ({ name }: Operation): boolean => name === 'me';
    const uses = site.history.operations.filter((each) => isUse(each) && each.invokedAt >= begun);
    const calm = site.history.operations.filter((each) => isUse(each) && each.invokedAt < begun);
    const [p50, p99] = [percentile(uses, 0.5), percentile(uses, 0.99)];
    const violations = await site.judge({ mostMails: 1 });
    const told = Object.entries(answers).map(([kind, count]) => `${count} × ${kind}`);
    await keepResult({
      fault: `${clients} sign-ins at once for ${seconds} s`,
      runs: 1,
      violations,
      operations: uses,
      note: `me p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, in calm ${percentile(calm, 0.99).toFixed(0)} ms; ${told.join(', ')}`,
    });
    expect(violations).toEqual([]);
    expect(Object.keys(answers).toSorted()).toEqual(['200 OK', '429 RATE_LIMITED']);
    expect(withoutRetryAfter).toBe(0);
    expect(uses.length).toBeGreaterThan(seconds * 10);
    expect(p99).toBeLessThanOrEqual(mostMillis);
    expect(site.servers.flatMap(({ defects }) => defects)).toEqual([]);
  });
});
