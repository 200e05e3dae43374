/** An operator replaces one process after the other, by SIGTERM, behind a load balancer: no client notices. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedSessions } from '../support/actors/seeding.ts';
import { attempt, outcomeOf, range, tally, until } from '../support/checks/concurrency.ts';
import { bearer, operations, type Tokens, tokensOf } from '../support/clients/clients.ts';
import { waitAsInTests } from '../support/gatehouse/wait-limits.ts';
import { isNightly, secondsAtNight, sized } from './support/load/size.ts';
import { Balancer } from './support/sites/balancer.ts';
import { Site } from './support/sites/site.ts';
import { labelOf, maxWait } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const stops = sized(3, 20);
const statedRate = 200;
/** The required rate at night; a lower one for a change, on slower machines. */
const requestsPerSecond = sized(Number(process.env['FAULTS_REQUESTS_PER_SECOND'] ?? statedRate), statedRate);
/** Minimum share of it that was sent at night; below it the load on the stopping processes was too low. */
const leastReached = sized(0, 0.95);
/** Requests between two stops, at least: a busy machine takes longer for them. */
const leastBetween = 100;
/** More than a machine that keeps up has: one that does not would answer none for sending others. */
const mostInFlight = 50;
/** Number of sessions; the last one is refreshed, by one of twenty requests. */
const sessionCount = 100;
const refreshEvery = 20;
/** As in production (`config.ts`). */
const drainSeconds = 2;

describe(`SIGTERM ${stops} times at ${requestsPerSecond} requests a second behind a load balancer`, () => {
  // For a change, the other jobs of the machine slow a request down; at night, it has the time of production.
  if (!isNightly) waitAsInTests();
  let site: Site;
  let balancer: Balancer;
  let sessions: Tokens[];
  let refreshed: Tokens[];

  beforeAll(async () => {
    site = await Site.start({ processes: 2, environment: () => ({ DRAIN_SECONDS: String(drainSeconds) }) });
    balancer = await Balancer.start(site.servers.map(({ url }) => url));
    sessions = await seedSessions(site.database, sessionCount, 10);
    refreshed = await seedSessions(site.database, sessionCount, 10);
  });
  afterAll(async () => {
    await balancer.close();
    await site.close();
  });

  const use = async (tokens: Tokens): Promise<void> => {
    await site.history.ask({ name: 'me', does: 'use', pair: labelOf(tokens) }, () =>
      attempt(balancer.url, operations.me, {}, bearer(tokens)),
    );
  };

  const refreshOne = async (): Promise<void> => {
    const tokens = refreshed.shift();
    if (tokens === undefined) return;
    const question = { name: 'refresh', does: 'rotate', pair: labelOf(tokens) } as const;
    const answer = await site.history.ask(question, () => attempt(balancer.url, operations.refresh, { ...tokens }));
    if (answer !== null && outcomeOf(answer) === 'OK') refreshed.push(tokensOf(answer));
  };

  /** Sends requests at this rate, however long the answers take, unless too many are in flight. */
  const steadily = async (isOver: () => boolean): Promise<void> => {
    const inFlight = new Set<Promise<void>>();
    const begin = (asking: Promise<void>): void => {
      const ended = asking.finally(() => inFlight.delete(ended));
      inFlight.add(ended);
    };
    const begun = performance.now();
    for (let count = 0; !isOver(); count += 1) {
      const tokens = sessions[count % sessions.length];
      if (tokens !== undefined) begin(count % refreshEvery === 0 ? refreshOne() : use(tokens));
      if (inFlight.size >= mostInFlight) await Promise.race(inFlight);
      const dueMillis = begun + ((count + 1) * 1_000) / requestsPerSecond;
      await sleep(Math.max(dueMillis - performance.now(), 0));
    }
    await Promise.all(inFlight);
  };

  const replaceOne = async (index: number): Promise<void> => {
    const server = site.servers[index % site.servers.length] ?? site.first;
    const { operations: asked } = site.history;
    const before = asked.length;
    await until('requests were answered', async () => asked.length >= before + leastBetween);
    await server.stop();
    await server.restart();
    await until('the load balancer sends to it again', async () => balancer.isReady(server.url), secondsAtNight(20));
    await sleep(300);
  };

  // Contract: operation#shutdown-without-a-failed-request — SIGTERM behind a proxy: no failed request
  it('fails no request', async () => {
    const state = { isOver: false };
    const begun = performance.now();
    const asking = steadily(() => state.isOver);
    for (const index of range(stops)) await replaceOne(index);
    state.isOver = true;
    await asking;
    const { operations: asked } = site.history;
    const reached = Math.round(asked.length / ((performance.now() - begun) / 1_000));
    const violations = await site.judge({ maxMails: 1 });
    const failed = tally(asked.filter(({ outcome }) => outcome !== 'ok').map(({ name, code }) => `${name} ${code}`));
    const note = `${reached} of ${requestsPerSecond} a second, longest ${Math.round(maxWait(asked))} ms, failed ${JSON.stringify({ ...failed, ...tally(balancer.failures) })}`;
    const fault = 'SIGTERM behind a load balancer';
    await keepResult({ fault, runs: stops, violations, operations: asked, defects: site.defects, note });
    expect(failed).toEqual({});
    expect(balancer.failures).toEqual([]);
    expect(violations).toEqual([]);
    expect(site.defects).toEqual([]);
    expect(reached).toBeGreaterThanOrEqual(requestsPerSecond * leastReached);
  });
});
