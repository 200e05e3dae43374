/** The PostgreSQL server ends every connection of two processes, twice a second, under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { range, until } from '../support/checks/concurrency.ts';
import { waitAsInTests } from '../support/gatehouse/wait-limits.ts';
import { everyKind, underLoad } from './support/load/load.ts';
import { isNightly, sized } from './support/load/size.ts';
import { Site } from './support/sites/site.ts';
import { recoveryMillis, sentBetween, successRate } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const rounds = sized(20, 240);
const everyMillis = 500;
/** Answers between two cuts, at least: for a change, a busy machine takes longer than half a second to connect anew. */
const leastBetween = sized(40, 0);
/** A busy machine sends fewer requests, so the same cuts affect a larger share of them. */
const leastSuccess = sized(0.5, 0.95);

describe(`Connections terminated every ${everyMillis} ms, ${rounds} times`, () => {
  // No rule here is a limit: for a change, a request may wait longer for a new connection than in production.
  if (!isNightly) waitAsInTests();
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

  const answered = (): number => site.history.operations.filter(({ outcome }) => outcome !== 'unknown').length;

  // Contract: operation#connections-that-end — Connections terminated every 500 ms: 95 % success, no false 401
  it('leaves most requests unaffected, and violates no invariant', async () => {
    let terminated = 0;
    let endedAt = 0;
    await underLoad(site, everyKind, async () => {
      for (const _ of range(rounds)) {
        const before = answered();
        await sleep(everyMillis);
        await until('requests were answered', async () => answered() >= before + leastBetween);
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
