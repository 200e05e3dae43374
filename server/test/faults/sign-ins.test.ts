/** A hundred concurrent sign-ins: the queue of hashes is bounded, and signed-in users are not affected. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOwner } from '../support/actors/tenants.ts';
import { attempt, range } from '../support/checks/concurrency.ts';
import { bearer, goodPassword, operations } from '../support/clients/clients.ts';
import { type GatehouseProcess, startProgram } from '../support/gatehouse/gatehouse-process.ts';
import { signUp } from './support/faults/mail-faults.ts';
import { percentileOf } from './support/load/percentile.ts';
import type { Outcome, SignInLoad } from './support/load/sign-in-load.ts';
import { atNight, sized } from './support/load/size.ts';
import { Site } from './support/sites/site.ts';
import { labelOf } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const seconds = sized(5, 60);
/** Warm-up: the first refusals compile code for part of a minute, too long for a test of a few seconds. */
const leadSeconds = sized(1, 0);
const baselineSeconds = 4;
/** The part of it in which a process counts as newly started. */
const warmingSeconds = 1;
const clients = 100;
const maxMillis = 100;
/** `me` is sent at this rate, however long the answers take, so that slow and quick ones have equally many samples. */
const usesPerSecond = 50;
/** At night the rate is kept. For a change, a machine that does not keep up would answer none for sending others. */
const mostInFlight = sized(25, Number.POSITIVE_INFINITY);
const program = fileURLToPath(new URL('support/load/sign-in-load.ts', import.meta.url));
const emptyProgram = fileURLToPath(new URL('support/sites/empty-server.ts', import.meta.url));

describe(`${clients} sign-ins at once for ${seconds} s`, () => {
  let site: Site;
  let empty: GatehouseProcess | null = null;
  beforeAll(async () => {
    // As in production: the real cost of a hash, the limits, and a proxy that names each client's network.
    const environment = { SALT_ROUNDS: '12', RATE_LIMITS_ENABLED: 'true', TRUST_PROXY: '1' };
    site = await Site.start({ processes: 1, environment: () => environment });
    empty = startProgram(emptyProgram, [], {});
    await empty.printed(/\n/);
  });
  afterAll(async () => {
    empty?.signal('SIGTERM');
    await empty?.ended;
    await site.close();
  });

  /** Users with a known password, for the cost of one hash. */
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

  const loadWith = async (emails: readonly string[]): Promise<Outcome> => {
    const plan: SignInLoad = { seconds, emails, password: goodPassword, mutation: operations.signIn };
    const { code, stdout, output } = await startProgram(program, [site.first.url], {}, { stdin: JSON.stringify(plan) })
      .ended;
    if (code !== 0) throw new Error(output);
    return JSON.parse(stdout) as Outcome;
  };

  /** Response time from the scheduled start: a request that starts late has waited since then. */
  interface Use {
    readonly dueAt: number;
    readonly waited: number;
  }

  /** Sends every request that is due at this rate before the end; one that too many in flight hold back comes later. */
  const askSteadily = async (ask: () => Promise<unknown>, endsAt: () => number): Promise<readonly Use[]> => {
    const askAt = async (dueAt: number): Promise<Use> => {
      await ask();
      return { dueAt, waited: performance.now() - dueAt };
    };
    const asked: Promise<Use>[] = [];
    const inFlight = new Set<Promise<unknown>>();
    for (let dueAt = performance.now(); dueAt < endsAt(); dueAt += 1000 / usesPerSecond) {
      await sleep(Math.max(dueAt - performance.now(), 0));
      if (inFlight.size >= mostInFlight) await Promise.race(inFlight);
      const use = askAt(dueAt);
      const ended = use.finally(() => inFlight.delete(ended));
      inFlight.add(ended);
      asked.push(use);
    }
    return Promise.all(asked);
  };

  // Contract: operation#load-of-sign-ins — 100 concurrent sign-ins for a minute: `me` p99 at most 100 ms at night, 429
  //   and never 5xx
  it('keep `me` fast, and are accepted or asked to retry, never answered with 5xx', async () => {
    const emails = await people(clients);
    const { tokens } = await newOwner(site);
    const state = { endsAt: Number.POSITIVE_INFINITY };
    const warmAt = performance.now() + warmingSeconds * 1000;
    const question = { name: 'me', does: 'use', pair: labelOf(tokens) } as const;
    const askMe = () => attempt(site.first.url, operations.me, {}, bearer(tokens));
    const emptyUrl = empty?.stdout().trim() ?? '';
    const using = askSteadily(
      () => site.history.ask(question, askMe),
      () => state.endsAt,
    );
    const pinging = askSteadily(
      () => attempt(emptyUrl, operations.me),
      () => state.endsAt,
    );
    await sleep(baselineSeconds * 1000);
    const baselineUntil = performance.now();
    const { answers, withoutRetryAfter, ...times } = await loadWith(emails);
    // The other process has another time origin. It warms up before the measurement.
    const [begun, ended] = [times.begunAt - performance.timeOrigin, times.endedAt - performance.timeOrigin];
    state.endsAt = performance.now();
    const [uses, pings] = await Promise.all([using, pinging]);
    const waitsOf = (asked: readonly Use[]): number[] =>
      asked.filter(({ dueAt }) => dueAt >= begun + leadSeconds * 1000 && dueAt < ended).map(({ waited }) => waited);
    const during = waitsOf(uses);
    const p99OfEmpty = percentileOf(waitsOf(pings), 0.99);
    const baseline = uses.filter(({ dueAt }) => dueAt >= warmAt && dueAt < baselineUntil).map(({ waited }) => waited);
    const baselineP99 = percentileOf(baseline, 0.99);
    const [p50, p99] = [percentileOf(during, 0.5), percentileOf(during, 0.99)];
    const operationsOfUses = site.history.operations.filter(({ name }) => name === 'me');
    const violations = await site.judge({ maxMails: 1 });
    const reported = Object.entries(answers).map(([kind, count]) => `${count} × ${kind}`);
    await keepResult({
      fault: `${clients} sign-ins at once for ${seconds} s`,
      runs: 1,
      violations,
      operations: operationsOfUses,
      note: `me p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms without load ${baselineP99.toFixed(0)} ms, of an empty server ${p99OfEmpty.toFixed(0)} ms; ${reported.join(', ')}`,
    });
    expect(violations).toEqual([]);
    expect(operationsOfUses.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(Object.keys(answers).toSorted()).toEqual(['200 OK', '429 RATE_LIMITED']);
    expect(withoutRetryAfter).toBe(0);
    expect(during.length).toBeGreaterThanOrEqual(Math.floor((seconds - leadSeconds) * usesPerSecond));
    // Response times are judged at night, on a quiet machine: on shared processors every request waits.
    expect(p99).toBeLessThanOrEqual(atNight(maxMillis));
    expect(site.servers.flatMap(({ defects }) => defects)).toEqual([]);
  });
});
