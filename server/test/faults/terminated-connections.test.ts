/** The PostgreSQL server ends every connection of two processes, twice a second, under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { range } from '../support/checks/concurrency.ts';
import { everyKind, underLoad } from './support/load/load.ts';
import { sized } from './support/load/size.ts';
import { Site } from './support/sites/site.ts';
import { recoveryMillis, sentBetween, successRate } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const rounds = sized(20, 240);
const everyMillis = 500;
/** A busy machine sends fewer requests, so the same cuts affect a larger share of them. */
const leastSuccess = sized(0.5, 0.95);

describe(`Connections terminated every ${everyMillis} ms, ${rounds} times`, () => {
  let site: Site;

  beforeAll(async () => {
    site = await Site.start({ processes: 2 });
  });
  afterAll(() => site.close());

  /** Connections of the processes, not those of the tests or of other databases. */
  const terminate = async (): Promise<number> => {
    const ended = await site.sql<{ pid: number }>(
      `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND client_port = ANY($1) AND pid <> pg_backend_pid()`,
      [`{${site.way.farPorts.join(',')}}`],
    );
    return ended.length;
  };

  // Specification: Faults — Connections terminated every 500 ms: 95 % success, no false 401
  it('leaves most requests unaffected, and violates no invariant', async () => {
    let terminated = 0;
    let endedAt = 0;
    await underLoad(site, everyKind, async () => {
      for (const _ of range(rounds)) {
        await sleep(everyMillis);
        terminated += await terminate();
      }
      endedAt = performance.now();
      await sleep(2_000);
    });
    const { operations } = site.history;
    const violations = await site.judge({ maxMails: 1 });
    const success = successRate(sentBetween(operations, 0, endedAt));
    const recovery = recoveryMillis(operations, endedAt);
    const note = `${(success * 100).toFixed(1)} % success, ${terminated} connections ended`;
    const fault = `connections terminated every ${everyMillis} ms`;
    await keepResult({
      fault,
      runs: rounds,
      violations,
      operations,
      defects: site.defects,
      worstRecoveryMillis: recovery,
      note,
    });
    expect(violations).toEqual([]);
    expect(site.defects).toEqual([]);
    expect(terminated).toBeGreaterThan(rounds);
    expect(success).toBeGreaterThanOrEqual(leastSuccess);
    expect(recovery).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});
