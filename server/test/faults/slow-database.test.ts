/**
 * The database answers late or not at all: every place in the pool is taken, a table is locked, connections are open and
 * silent, or are reset while a commit is on its way. Who asks then is told 503 soon, nobody waits for ever, nothing is
 * lost or done by half, and everything is as before right after.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, operations } from '../support/clients.ts';
import { attempt, range, until } from '../support/concurrency.ts';
import { sqlOn } from '../support/sql.ts';
import { newOwner, type Tenant } from '../support/tenants.ts';
import { askedBetween, labelOf, longestWait, type Operation, recoveryMillis } from './support/history.ts';
import type { Lane } from './support/lanes.ts';
import { keepResult } from './support/results.ts';
import { Site } from './support/site.ts';
import { sized } from './support/size.ts';
import { everyKind, underLoad } from './support/storm.ts';

const rounds = sized(1, 5);
const refusedMillis = 2_500;
const longestMillis = 10_000;
const normalMillis = 2_000;
const watchMillis = 3_000;
/** Small, so that a few clients fill it. */
const poolSize = 4;

describe('A database that answers late', () => {
  let site: Site;
  let crowd: Tenant;

  beforeAll(async () => {
    site = await Site.start({ processes: 2, environment: () => ({ DATABASE_POOL_SIZE: String(poolSize) }) });
    crowd = await newOwner(site);
  });
  afterAll(() => site.close());

  interface Times {
    readonly slowestRefusal: number;
    readonly longest: number;
    readonly recovery: number;
  }

  /** Of what was asked from the strike on. */
  const timesOf = (operations: readonly Operation[], struckAt: number, mendedAt: number): Times => {
    const since = askedBetween(operations, struckAt, Number.POSITIVE_INFINITY);
    return {
      slowestRefusal: longestWait(since.filter(({ outcome }) => outcome === 'unknown')),
      longest: longestWait(since),
      recovery: recoveryMillis(since, mendedAt),
    };
  };

  /** @param strike resolves when the fault is over */
  const suffer = async (fault: string, strike: () => Promise<void>, more: readonly Lane[] = []): Promise<void> => {
    const times: Times[] = [];
    const begun = performance.now();
    for (const _ of range(rounds)) {
      const at = { struck: 0, mended: 0 };
      await underLoad(site, [...(await everyKind(site)), ...more], async () => {
        await sleep(500);
        at.struck = performance.now();
        await strike();
        at.mended = performance.now();
        await sleep(watchMillis);
      });
      times.push(timesOf(site.history.operations, at.struck, at.mended));
    }
    const violations = await site.judge({ mostMails: 2 });
    const worst = (of: keyof Times): number => Math.max(...times.map((each) => each[of]));
    const asked = askedBetween(site.history.operations, begun, performance.now());
    const note = `503 within ${Math.round(worst('slowestRefusal'))} ms, longest ${Math.round(worst('longest'))} ms`;
    const worstRecoveryMillis = worst('recovery');
    await keepResult({
      fault,
      runs: rounds,
      violations,
      operations: asked,
      defects: site.defects,
      worstRecoveryMillis,
      note,
    });
    expect(violations).toEqual([]);
    expect(site.defects).toEqual([]);
    expect(asked.filter(({ outcome }) => outcome === 'unknown').length).toBeGreaterThan(0);
    expect(worst('slowestRefusal')).toBeLessThanOrEqual(refusedMillis);
    expect(worst('longest')).toBeLessThanOrEqual(longestMillis);
    expect(worstRecoveryMillis).toBeLessThanOrEqual(normalMillis);
  };

  /** Somebody else holds what the statement locks, for so long. */
  const holding = async (statement: string, seconds: number): Promise<void> => {
    await site.database.transaction(async (transaction) => {
      await sqlOn(transaction)("SET LOCAL lock_timeout TO '20s'");
      // The server ends a transaction in which nothing happens; this one is to last.
      await sqlOn(transaction)('SET LOCAL idle_in_transaction_session_timeout TO 0');
      await sqlOn(transaction)(statement);
      await sleep(seconds * 1_000);
    });
  };

  /** Wants the row that is held, and a place in the pool meanwhile. */
  const renaming: Lane = async ({ isOver, url }) => {
    const question = { name: 'rename', does: 'use', pair: labelOf(crowd.tokens) } as const;
    while (!isOver()) {
      await site.history.ask(question, () =>
        attempt(url(), operations.renameOrganization, { name: 'A new name' }, bearer(crowd.tokens)),
      );
    }
  };

  it('refuses in time while every place in the pool is taken', async () => {
    const held = `SELECT id FROM organizations WHERE id = '${crowd.organizationId}' FOR UPDATE`;
    const filling = range(4 * poolSize).map(() => renaming);
    await suffer('pool exhausted', () => holding(held, 5), filling);
  });

  it('refuses in time while a table is locked for ten seconds', async () => {
    await suffer('table locked for 10 s', () => holding('LOCK TABLE credentials IN ACCESS EXCLUSIVE MODE', 10));
  });

  it('refuses in time while nothing comes through', async () => {
    await suffer('nothing comes through for 5 s', async () => {
      site.way.clog();
      await sleep(5_000);
      await site.way.restore();
    });
  });

  it('lets go of connections that are open and silent for good', async () => {
    await suffer('half-open connections', async () => {
      site.way.forget();
      await sleep(2_500);
    });
  });

  it('keeps whole what was on its way when the connection was reset, whether the database heard it or not', async () => {
    const struck = { heard: 0, unheard: 0 };
    const isHeard = (): boolean => {
      const isIt = Math.random() < 0.5;
      struck[isIt ? 'heard' : 'unheard'] += 1;
      return isIt;
    };
    await suffer('reset during commit', async () => {
      // A refresh is one statement, which commits itself.
      site.way.ambush({ said: /COMMIT|credentials\.rotate_pair/, isHeard, isStruck: () => Math.random() < 0.2 });
      await until('each way was struck', 60, async () => struck.heard > 10 && struck.unheard > 10);
      site.way.ambush(null);
    });
  });
});
