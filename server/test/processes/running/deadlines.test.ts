/** A blocked database: each request is refused with 503 within 2.5 s, and 2 s after the fault service is normal. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open.ts';
import type { ScriptDatabase } from '../../../src/platform/database/transaction.ts';
import { seedSessions } from '../../support/actors/seeding.ts';
import { outcomeOf, tally, until } from '../../support/checks/concurrency.ts';
import { bearer, operations, post, type Tokens } from '../../support/clients/clients.ts';
import { TcpProxy } from '../../support/clients/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { ServerProcess } from '../../support/gatehouse/processes.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../../support/gatehouse/wait-limits.ts';

waitAsInProduction();

const refusedWithinMillis = 2_500;
const normalWithinMillis = 2_000;

/** Durations are checked on an otherwise idle machine; that each wait ends, on any. */
const isQuiet = process.env['TEST_QUIET'] === 'true';
const expectWithin = (milliseconds: number, most: number): void => {
  if (isQuiet) expect(milliseconds).toBeLessThan(most);
};

/** More than the connections of the process. */
const poolSize = 2;
const requestsOfEachKind = 6;

describe.runIf(isOnPostgres)('A blocked database (PostgreSQL only)', () => {
  let stored: TestDatabase;
  let proxy: TcpProxy;
  let server: ServerProcess;
  let database: ScriptDatabase;
  let readers: Tokens[];
  let unused: Tokens[];

  beforeAll(async () => {
    stored = await createTestDatabase();
    database = await openDatabase({ ...stored, url: stored.url, logger: silentLogger });
    unused = await seedSessions(database, 200, 5);
    readers = unused.splice(0, requestsOfEachKind);
    const direct = new URL(stored.url ?? '');
    proxy = await TcpProxy.start({ host: direct.hostname, port: Number(direct.port || 5432) });
    const detour = new URL(direct);
    detour.host = `127.0.0.1:${proxy.port}`;
    server = await ServerProcess.start({
      DATABASE_URL: detour.href,
      DATA_DIR: stored.dataDirectory,
      DATABASE_POOL_SIZE: String(poolSize),
    });
  });
  afterAll(async () => {
    await server.stop();
    await proxy.cut();
    await database.close();
    await stored.drop();
  });

  interface Answers {
    readonly outcomes: Record<string, number>;
    readonly slowestMillis: number;
  }

  const askedAtOnce = async (asks: readonly (() => Promise<string>)[]): Promise<Answers> => {
    let slowestMillis = 0;
    const seen = await Promise.all(
      asks.map(async (ask) => {
        const begun = performance.now();
        const outcome = await ask();
        slowestMillis = Math.max(slowestMillis, performance.now() - begun);
        return outcome;
      }),
    );
    return { outcomes: tally(seen), slowestMillis };
  };

  const me = (pair: Tokens) => async (): Promise<string> =>
    outcomeOf(await post(server.url, operations.me, {}, bearer(pair)));
  /** Of an unused session: the outcome of a refused refresh is unknown. */
  const refresh = (pair: Tokens) => async (): Promise<string> =>
    outcomeOf(await post(server.url, operations.refresh, { ...pair }));

  const create = (pair: Tokens) => async (): Promise<string> =>
    outcomeOf(await post(server.url, operations.createOrganization, { input: { name: 'Twice' } }, bearer(pair)));

  const waitingForLocks = async (): Promise<number> => {
    const waiting = await sqlOn(database)(
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return waiting.length;
  };

  const reads = () => readers.map(me);
  const writes = () => unused.splice(-requestsOfEachKind).map(refresh);
  const all = () => [...reads(), ...writes()];

  const refused = async (asks: readonly (() => Promise<string>)[]): Promise<void> => {
    const { outcomes, slowestMillis } = await askedAtOnce(asks);
    expect(outcomes).toEqual({ UNAVAILABLE: asks.length });
    expectWithin(slowestMillis, refusedWithinMillis);
  };

  const isNormal = async (): Promise<void> => {
    const begun = performance.now();
    for (;;) {
      const { outcomes } = await askedAtOnce(all());
      if (outcomes['UNAVAILABLE'] === undefined) {
        expect(outcomes).toEqual({ OK: 2 * requestsOfEachKind });
        break;
      }
    }
    expectWithin(performance.now() - begun, normalWithinMillis);
    expect(server.defects).toEqual([]);
  };

  /** Holds the locks of the SQL script until the work has ended. */
  const whileHolding = async (script: string, work: () => Promise<void>): Promise<void> => {
    const held = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holder = database.transaction(async (transaction) => {
      // The server ends idle transactions; this one must last.
      await transaction.script(`SET LOCAL idle_in_transaction_session_timeout TO 0; ${script}`, 5_000);
      held.resolve();
      await over.promise;
    });
    await held.promise;
    try {
      await work();
    } finally {
      over.resolve();
      await holder;
    }
  };

  it('by a table that another session has locked', async () => {
    await whileHolding('LOCK TABLE credentials', async () => {
      const end = performance.now() + 5_000;
      while (performance.now() < end) await refused(all());
    });
    await isNormal();
  });

  // Contract: operation#deadline-of-a-request — Each request refused within 2.5 s, normal within 2 s, by locks
  it('by rows that another session has locked, with more requests than connections', async () => {
    await whileHolding('SELECT * FROM credentials FOR UPDATE; SELECT * FROM users FOR UPDATE', async () => {
      const before = await sqlOn(database)('SELECT count(*)::integer AS count FROM credentials');
      const allRefused = (async (): Promise<void> => {
        for (const _ of [1, 2]) await refused(writes());
      })();
      // All connections are waiting by then, except that for lookups, so other requests are served.
      await sleep(500);
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      await allRefused;
      expect((await askedAtOnce(reads())).outcomes).toEqual({ OK: requestsOfEachKind });
      expect(await sqlOn(database)('SELECT count(*)::integer AS count FROM credentials')).toEqual(before);
    });
    await isNormal();
  });

  // Contract: operation#deadline-of-a-request — Total waits of a request: no refused work is done later
  it('by one lock after another, without doing the refused work later', async () => {
    const named = async (): Promise<unknown> =>
      sqlOn(database)("SELECT count(*)::integer AS count FROM organizations WHERE name = 'Twice'");
    await whileHolding('LOCK TABLE organization_members IN EXCLUSIVE MODE', async () => {
      const asked: Promise<void>[] = [];
      await whileHolding('LOCK TABLE organizations IN EXCLUSIVE MODE', async () => {
        asked.push(refused(readers.slice(0, poolSize).map(create)));
        await sleep(1_200);
      });
      await Promise.all(asked);
      // The work of the refused requests still waits: a busy machine may be too late to see it.
      if (isQuiet) expect(await waitingForLocks()).toBe(poolSize);
    });
    await until('nothing waits any more', async () => (await waitingForLocks()) === 0);
    await isNormal();
    expect(await named()).toEqual([{ count: 0 }]);
  });

  it('by a network that no longer transmits', async () => {
    await askedAtOnce(all());
    proxy.block();
    const end = performance.now() + 5_000;
    while (performance.now() < end) await refused(all());
    await proxy.restore();
    await isNormal();
  });

  // Contract: operation#deadline-of-a-request — Each request refused within 2.5 s, normal within 2 s, by a network that
  //   forgets connections
  it('by connections that the network dropped, while new ones can be opened', async () => {
    await askedAtOnce(all());
    proxy.forget();
    await sleep(100);
    const { outcomes, slowestMillis } = await askedAtOnce(all());
    expect(Object.keys(outcomes).filter((outcome) => !['OK', 'UNAVAILABLE'].includes(outcome))).toEqual([]);
    expectWithin(slowestMillis, refusedWithinMillis);
    await isNormal();
  });
});
