/**
 * The database answers late or not at all: every place in the pool is taken, a table is locked, connections are open
 * and silent, or are reset during a commit. Requests then get 503 soon, none waits for ever, nothing is lost or half
 * done, and service is normal right after.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOwner, type Tenant } from '../support/actors/tenants.ts';
import { attempt, pauseUpTo, range, tally, until } from '../support/checks/concurrency.ts';
import { bearer, operations } from '../support/clients/clients.ts';
import { sqlOn } from '../support/database/sql.ts';
import { everyKind, underLoad } from './support/load/load.ts';
import { atNight, sized } from './support/load/size.ts';
import type { Workload } from './support/load/workloads.ts';
import { Site } from './support/sites/site.ts';
import {
  labelOf,
  maxWait,
  type Operation,
  recoveryMillis,
  reportedBy,
  sentBetween,
} from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const rounds = sized(1, 5);
/** Total time that a request waits for the database, and time for the rest. */
const requestMillis = 2_000;
const restMillis = 500;
const longestMillis = 10_000;
const normalMillis = 2_000;
const watchMillis = 3_000;
/** Acceptable failures for a client: a refusal in the envelope, or one of a proxy in front. */
const refusals: ReadonlySet<string> = new Set(['UNAVAILABLE', 'status 503']);
/** Small, so that a few clients fill it. */
const poolSize = 4;
/** Maximum pause between two requests of one client. */
const pauseMillis = 20;

describe('A database that answers late', () => {
  let site: Site;
  let tenant: Tenant;
  /** A person has two places in the pool at most: both together take all that are not kept for sign-ins. */
  let other: Tenant;

  beforeAll(async () => {
    site = await Site.start({ processes: 2, environment: () => ({ DATABASE_POOL_SIZE: String(poolSize) }) });
    [tenant, other] = [await newOwner(site), await newOwner(site)];
  });
  afterAll(() => site.close());

  interface Times {
    /** From the fault, or from the request if that was later. */
    readonly slowestRefusal: number;
    readonly longest: number;
    readonly recovery: number;
  }

  interface Round {
    readonly times: Times;
    /** Everything that returned after the fault, including requests in flight when it began. */
    readonly affected: readonly Operation[];
  }

  const roundOf = (operations: readonly Operation[], faultAt: number, repairedAt: number): Round => {
    const affected = operations.filter(({ returnedAt }) => returnedAt >= faultAt);
    const refused = affected
      .filter(({ outcome }) => outcome === 'unknown')
      .map((each) => ({ ...each, invokedAt: Math.max(each.invokedAt, faultAt) }));
    const times = {
      slowestRefusal: maxWait(refused),
      longest: maxWait(affected),
      recovery: recoveryMillis(affected, repairedAt),
    };
    return { times, affected };
  };

  /** HTTP status of a failed {@link renaming}. */
  const statuses: string[] = [];
  let names = 0;

  /** A change in one transaction, which needs a place in the pool; each to a new name. */
  const renamingBy = async ({ tokens, organizationId }: Tenant, { isOver, url }: Parameters<Workload>[0]) => {
    const renamed = { name: 'rename', does: 'set', pair: labelOf(tokens), key: organizationId } as const;
    while (!isOver()) {
      names += 1;
      const name = `Name ${names}`;
      const answer = await site.history.ask({ ...renamed, value: name }, () =>
        attempt(url(), operations.renameOrganization, { name }, bearer(tokens)),
      );
      if (reportedBy(answer).outcome === 'unknown')
        statuses.push(answer === null ? 'no answer' : String(answer.status));
      await pauseUpTo(pauseMillis);
    }
  };
  const renaming: Workload = (load) => renamingBy(tenant, load);
  const renamingOther: Workload = (load) => renamingBy(other, load);

  /**
   * @param inject resolves when the fault has ended
   * @param isRefusalOptional whether a fault may pass without any refusal
   * @returns each round's operations from the fault on
   */
  const suffer = async (
    fault: string,
    inject: () => Promise<void>,
    more: readonly Workload[] = [],
    isRefusalOptional = false,
  ): Promise<readonly (readonly Operation[])[]> => {
    const suffered: Round[] = [];
    statuses.length = 0;
    const begun = performance.now();
    for (const _ of range(rounds)) {
      const at = { fault: 0, repairedAt: 0 };
      await underLoad(site, [...everyKind, renaming, ...more], async () => {
        await sleep(500);
        at.fault = performance.now();
        await inject();
        at.repairedAt = performance.now();
        await sleep(watchMillis);
      });
      suffered.push(roundOf(site.history.operations, at.fault, at.repairedAt));
    }
    const violations = await site.judge({ maxMails: 1 });
    const worst = (of: keyof Times): number => Math.max(...suffered.map(({ times }) => times[of]));
    const asked = sentBetween(site.history.operations, begun, performance.now());
    const unanswered = asked.filter(({ outcome }) => outcome === 'unknown');
    const refused = tally(unanswered.map(({ name }) => name));
    const note = `503 within ${Math.round(worst('slowestRefusal'))} ms, longest ${Math.round(worst('longest'))} ms, refused ${JSON.stringify(refused)}`;
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
    // Answered, not disconnected.
    expect(unanswered.filter(({ code }) => !refusals.has(code))).toEqual([]);
    expect(statuses.filter((status) => status !== '503')).toEqual([]);
    for (const { affected } of suffered) {
      const refusals = affected.filter(({ outcome }) => outcome === 'unknown').length;
      if (!isRefusalOptional) expect(refusals).toBeGreaterThan(0);
    }
    expect(worst('slowestRefusal')).toBeLessThanOrEqual(atNight(requestMillis + restMillis));
    expect(worst('longest')).toBeLessThanOrEqual(atNight(longestMillis));
    // Answers after the observed time are not seen.
    expect(worstRecoveryMillis).toBeLessThanOrEqual(atNight(Math.min(normalMillis, watchMillis)));
    return suffered.map(({ affected }) => affected);
  };

  /** Another session holds the lock that the statement needs, for this long. */
  const holding = async (statement: string, seconds: number): Promise<void> => {
    await site.database.transaction(async (transaction) => {
      await sqlOn(transaction)("SET LOCAL lock_timeout TO '20s'");
      // The server ends idle transactions; this one must last.
      await sqlOn(transaction)('SET LOCAL idle_in_transaction_session_timeout TO 0');
      await sqlOn(transaction)(statement);
      await sleep(seconds * 1_000);
    });
  };

  // Contract: operation#deadline-of-a-request — Pool exhausted: 503 within 2.5 s, no request over 10 s, normal within 2
  //   s
  it('refuses in time while every place in the pool is taken', async () => {
    const ids = [tenant, other].map(({ organizationId }) => `'${organizationId}'`).join(', ');
    const held = `SELECT id FROM organizations WHERE id IN (${ids}) FOR UPDATE`;
    // Each waits for a locked row, and has a place in the pool meanwhile.
    const filling = range(2 * poolSize).flatMap(() => [renaming, renamingOther]);
    const affected = await suffer('pool exhausted', () => holding(held, 5), filling);
    // A rename would be refused for the row alone; others need only a pool connection.
    for (const operations of affected) {
      const others = operations.filter(({ name, outcome }) => name !== 'rename' && outcome === 'unknown');
      expect(others.length).toBeGreaterThan(0);
    }
  });

  // Contract: operation#deadline-of-a-request — Table locked for 10 s: 503 within 2.5 s, normal within 2 s
  it('refuses in time while a table is locked for ten seconds', async () => {
    await suffer('table locked for 10 s', () => holding('LOCK TABLE credentials IN ACCESS EXCLUSIVE MODE', 10));
  });

  // Contract: operation#deadline-of-a-request — No bytes from the database: 503 within 2.5 s, normal within 2 s
  it('refuses in time while no bytes arrive', async () => {
    await suffer('no bytes pass for 5 s', async () => {
      site.way.block();
      await sleep(5_000);
      await site.way.restore();
    });
  });

  // Contract: operation#deadline-of-a-request — Half-open connection: 503 within 2.5 s, normal within 2 s
  it('closes connections that are open and permanently silent', async () => {
    // Ends at once: new connections are served now.
    await suffer('half-open connections', async () => site.way.forget());
  });

  // Contract: operation#acknowledged-changes — Connection reset during commit: whole or not at all
  it('keeps or loses a transaction whole when the connection is reset, whether the database received it or not', async () => {
    const resetting = async () => {
      const cuts = { heard: 0, unheard: 0 };
      const isDelivered = (): boolean => {
        const isIt = Math.random() < 0.5;
        cuts[isIt ? 'heard' : 'unheard'] += 1;
        return isIt;
      };
      // A refresh is one statement with its own commit.
      site.way.intercept({
        said: /COMMIT|credentials\.rotate_(client_)?pair/,
        isDelivered,
        isInterrupted: () => Math.random() < 0.2,
      });
      await until('each way was cut', async () => cuts.heard > 10 && cuts.unheard > 10);
      site.way.intercept(null);
    };
    // The outcome of a commit is queried on another connection: most are answered.
    await suffer('reset during commit', resetting, [], true);
  });
});
