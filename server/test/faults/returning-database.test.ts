/**
 * The moment in which PostgreSQL becomes available again: the pool answers, the lookup connection does not yet;
 * connections that end under a commit. A client that mints or consumes a secret then is answered, or retries with
 * success: no answer is lost, and no orphaned credential remains.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import {
  type Attempt,
  type CredentialMutation,
  credentialMutations,
  type Place,
  placeOf,
} from '../support/actors/credential-mutations.ts';
import { newOwner } from '../support/actors/tenants.ts';
import { inParallel, range, until } from '../support/checks/concurrency.ts';
import { bearer, operations, post, type Tokens } from '../support/clients/clients.ts';
import { type Interception, TcpProxy } from '../support/clients/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { sqlOn } from '../support/database/sql.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { withTestLimits } from '../support/gatehouse/wait-limits.ts';
import { providerSettings } from '../support/servers/external.ts';
import { secondsAtNight, sized } from './support/load/size.ts';
import { keepResult } from './support/verdicts/results.ts';

/** Faults of each mutation. */
const faultCount = 100;
const cutCommits = sized(10, 100);
/** Clients of each mutation that send it at the moment of recovery. */
const clients = sized(5, 1);
const atOnce = 8;
const lookup = /access\.(recheck_credentials|load_actors)/;

describe('A database that becomes available again', () => {
  let stored: TestDatabase;
  let way: TcpProxy;
  let database: Database;
  let service: Service;
  let place: Place;
  let someone: Tokens;

  beforeAll(async () => {
    stored = await createTestDatabase();
    const direct = new URL(stored.url ?? '');
    way = await TcpProxy.start({ host: direct.hostname, port: Number(direct.port) });
    const detour = new URL(direct);
    detour.host = `127.0.0.1:${way.port}`;
    database = await openDatabase({ url: direct.href, dataDirectory: '', logger: silentLogger });
    service = await startService({ ...providerSettings, DATABASE_URL: detour.href });
    const { url, config } = service;
    place = await placeOf({ url, secrets: config.secrets, database, sql: sqlOn(database) }, config.saltRounds);
    someone = (await newOwner(place)).tokens;
  });
  afterAll(async () => {
    await service.close();
    await way.cut();
    await database.close();
    await stored.drop();
  });

  interface Seen {
    answered: number;
    unavailable: number;
    /** A sentence about the lost answer, or nothing. */
    readonly lost: string[];
  }

  type Made = readonly (readonly [CredentialMutation, Attempt])[];

  /** Runs a step of an attempt; an error means that its answer was lost. */
  const keeping = async <T>({ lost }: Seen, name: string, run: () => Promise<T>): Promise<T | null> => {
    try {
      return await run();
    } catch (error) {
      lost.push(`${name}: ${String(error)}`);
      return null;
    }
  };

  /** Sends all of them under the fault, then again those without an answer: now each must be answered. */
  const inject = async (seen: Seen, attempts: Made, beside: () => Promise<void> = async () => undefined) => {
    const sending = attempts.map(([{ name }, attempt]) => keeping(seen, name, () => attempt.send()));
    await beside();
    const sent = await Promise.all(sending);
    way.intercept(null);
    seen.answered += sent.filter((isAnswered) => isAnswered === true).length;
    const again = attempts.filter((_each, index) => sent[index] === false);
    seen.unavailable += again.length;
    const insist = (attempt: Attempt) => until('it is answered', () => attempt.send(), secondsAtNight(10));
    await inParallel(again, atOnce, ([{ name }, attempt]) => keeping(seen, name, () => insist(attempt)));
  };

  /** Every returned credential works, and there are no others. */
  const judge = (seen: Seen, name: string, attempt: Attempt) =>
    keeping(seen, name, async () => {
      await attempt.use();
      const pairs = await attempt.livePairs();
      if (pairs !== 1) throw new Error(`${pairs} pairs live`);
    });

  const prepare = (mutations: readonly CredentialMutation[], count: number): Promise<Made> =>
    inParallel(
      range(count).flatMap(() => mutations),
      atOnce,
      async (mutation) => [mutation, await mutation.prepare(place)],
    );

  const conclude = async (fault: string, runs: number, seen: Seen, made: Made): Promise<void> => {
    await until('look-ups are back', async () => (await askMe()) === null, secondsAtNight(10));
    await inParallel(made, atOnce, ([{ name }, attempt]) => judge(seen, name, attempt));
    const violations = seen.lost.map((subject) => ({
      invariant: 'I4' as const,
      rule: 'an answer was lost with its credentials',
      subject,
      operations: [],
    }));
    const note = `${seen.answered} answered at once, ${seen.unavailable} after a 503`;
    await keepResult({ fault, runs, violations, operations: [], note });
    expect(seen.lost).toEqual([]);
    expect(seen.answered + seen.unavailable).toBe(made.length);
  };

  const askMe = async (): Promise<string | null> => (await post(place.url, operations.me, {}, bearer(someone))).code;

  /** The lookup of an actor loses its connection before the server receives it. */
  const holdLookups = (isHeld: Interception['isInterrupted'], also: RegExp = lookup): void =>
    way.intercept({
      said: new RegExp(`${lookup.source}|${also.source}`),
      isDelivered: () => false,
      isInterrupted: isHeld,
    });

  const [switching, others] = ['switchOrganization', ''].map((name) =>
    credentialMutations.filter((mutation) => (mutation.name === 'switchOrganization') === (name !== '')),
  );

  // Contract: operation#database-that-comes-back — PostgreSQL back, look-ups not yet: no pair lost, 100 times for each
  //   credential mutation and the token endpoint
  it(`loses no answer of clients that need no actor lookup, ${faultCount} times each`, async () => {
    const seen: Seen = { answered: 0, unavailable: 0, lost: [] };
    const mutations = others ?? [];
    const made = await prepare(mutations, faultCount);
    const atATime = clients * mutations.length;
    for (const round of range(faultCount / clients)) {
      await way.cut();
      holdLookups(() => true);
      await way.restore();
      await inject(seen, made.slice(round * atATime, (round + 1) * atATime), async () => {
        expect(await askMe()).toBe('UNAVAILABLE');
      });
    }
    await conclude('PostgreSQL back, look-ups not yet', faultCount, seen, made);
  });

  // Contract: operation#database-that-comes-back — switchOrganization, whose caller is looked up before, when
  //   PostgreSQL comes back
  it(`loses no answer of clients that need an actor lookup, ${faultCount} times`, async () => {
    const seen: Seen = { answered: 0, unavailable: 0, lost: [] };
    const made = await prepare(switching ?? [], faultCount);
    for (const each of made) {
      const [mutation] = each;
      let isMinted = false;
      holdLookups((said) => {
        isMinted ||= mutation.statement.test(said);
        return isMinted && lookup.test(said);
      }, mutation.statement);
      await inject(seen, [each]);
      expect(isMinted).toBe(true);
    }
    await conclude('look-ups gone as a switch commits', faultCount, seen, made);
  });

  // Contract: operation#connections-that-end — The connection ends under the commit of a mutation that mints
  it(`answers whose connection ended under the commit, ${cutCommits} times each`, async () => {
    const seen: Seen = { answered: 0, unavailable: 0, lost: [] };
    const made = await prepare(credentialMutations, cutCommits);
    for (const [index, each] of made.entries()) {
      const [mutation] = each;
      let isOver = false;
      const said = new RegExp(`COMMIT|${mutation.statement.source}`);
      const commits = mutation.isAlone === true ? mutation.statement : /COMMIT/;
      const isInterrupted = (now: string, before: string): boolean => {
        if (isOver || !commits.test(now) || !mutation.statement.test(now + before)) return false;
        isOver = true;
        return true;
      };
      way.intercept({
        said,
        isDelivered: () => Math.floor(index / credentialMutations.length) % 2 === 0,
        isInterrupted,
      });
      // How soon the server answers what became of the commit is no part of the rule: a busy disk may hold it up.
      await withTestLimits(() => inject(seen, [each]));
      expect({ name: mutation.name, isOver }).toEqual({ name: mutation.name, isOver: true });
    }
    await conclude('connection ended under a commit', cutCommits, seen, made);
  });
});
