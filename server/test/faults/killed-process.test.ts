/**
 * kill -9 of one of two processes, again and again, while people refresh, sign up, accept, complete, switch and sign
 * out, and MCP clients connect, refresh, call tools and disconnect, on both: judged by the answers that each of them
 * received. The other process continues to serve.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pauseUpTo } from '../support/checks/concurrency.ts';
import { everyKind, kinds, underLoad } from './support/load/load.ts';
import { atNight, sized } from './support/load/size.ts';
import {
  accepting,
  connecting,
  refreshing,
  refreshingClient,
  switching,
  type Workload,
} from './support/load/workloads.ts';
import { Site } from './support/sites/site.ts';
import type { Operation } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

/** Minimum of kills; more follow until each kind of operation was in flight at this many of them and was completed. */
const leastKills = sized(6, 200);
const wanted: Readonly<Record<string, number>> = {
  refresh: sized(1, 200),
  'sign-up': sized(1, 100),
  accept: sized(1, 100),
  complete: sized(1, 100),
  switch: sized(1, 100),
  token: sized(1, 100),
  code: sized(1, 50),
  revoke: sized(1, 50),
};
/** Every kind should be interrupted by then; otherwise the clients send too little. */
const mostKills = sized(40, 500);
const readyMillis = 3_000;
/** Time for this many kills, also on a machine where each takes seconds. */
const longestMillis = 3_600_000;
/** Share of the interrupted operation among ten requests. */
const victimsShare = 0.75;
/** These are short, and start with data that a workload creates itself: they have more clients than others. */
const quick: readonly Workload[] = [
  refreshing,
  accepting,
  accepting,
  switching,
  switching,
  refreshingClient,
  refreshingClient,
  refreshingClient,
  refreshingClient,
  connecting,
  connecting,
  connecting,
];

/** Whether it was in flight at this instant, and its client never learned its outcome. */
const isInterrupted = ({ outcome, invokedAt, returnedAt }: Operation, instant: number): boolean =>
  outcome === 'unknown' && invokedAt <= instant && instant <= returnedAt;

describe(`kill -9 of one of two processes, at least ${leastKills} times`, () => {
  let site: Site;
  const readyAfter: number[] = [];
  const hit: Record<string, number> = {};

  beforeAll(async () => {
    site = await Site.start({ processes: 2 });
  });
  afterAll(() => site.close());

  const killOnce = async (index: number): Promise<void> => {
    const victim = site.servers[index % 2] ?? site.first;
    await pauseUpTo(400);
    await sleep(100);
    // All requests in flight now are in the history after this.
    const returned = site.history.operations.length;
    const killedAt = performance.now();
    await victim.kill();
    const begun = performance.now();
    await victim.restart();
    readyAfter.push(performance.now() - begun);
    for (const each of site.history.operations.slice(returned)) {
      if (isInterrupted(each, killedAt)) hit[each.name] = (hit[each.name] ?? 0) + 1;
    }
  };

  const missed = (): readonly string[] =>
    Object.entries(wanted).flatMap(([name, count]) => ((hit[name] ?? 0) < count ? [name] : []));

  const neverDone = (): readonly string[] => {
    const done = new Set(site.history.operations.filter(({ outcome }) => outcome === 'ok').map(({ name }) => name));
    return kinds.filter((kind) => !done.has(kind));
  };

  const isEnough = (): boolean => missed().length === 0 && neverDone().length === 0;

  const kill = async (): Promise<void> => {
    let round = 0;
    const url = (): string => {
      const victim = site.servers[round % 2] ?? site.first;
      return Math.random() < victimsShare ? victim.url : site.anyUrl();
    };
    const killAll = async (): Promise<void> => {
      for (; round < leastKills || (round < mostKills && !isEnough()); round += 1) await killOnce(round);
      await sleep(500);
    };
    await underLoad(site, [...everyKind, ...quick], killAll, url);
  };

  // Contract: operation#killed-process — kill -9 of one of two servers during refresh, sign-up, accept, complete,
  //   switch: no violation, ready again in 3 s
  it(
    'violates no invariant, and is ready again in three seconds',
    async () => {
      await kill();
      const { operations } = site.history;
      const violations = await site.judge({ maxMails: 2, mayHangUp: true });
      const worst = Math.max(...readyAfter);
      const note = `interrupted: ${JSON.stringify(hit)}`;
      await keepResult({
        fault: 'kill -9 of one of two processes',
        runs: readyAfter.length,
        violations,
        operations,
        defects: site.defects,
        worstRecoveryMillis: worst,
        note,
      });
      expect(violations).toEqual([]);
      expect(site.defects).toEqual([]);
      // Each kind was completed, and the ones that change data were in flight at the required number of kills.
      expect(neverDone()).toEqual([]);
      expect(missed(), `after ${readyAfter.length} kills, interrupted: ${JSON.stringify(hit)}`).toEqual([]);
      expect(worst).toBeLessThanOrEqual(atNight(readyMillis));
    },
    longestMillis,
  );
});
