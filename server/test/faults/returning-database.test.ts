/**
 * The moment in which PostgreSQL comes back: the pool answers, the connection for look-ups does not yet; and connections
 * that end under a commit. Whoever mints or consumes a secret then is answered, or sends the same again with success: no
 * answer is lost, and nothing is left behind that nobody holds.
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
import { type Ambush, TcpProxy } from '../support/clients/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../support/database/databases.ts';
import { sqlOn } from '../support/database/sql.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { providerSettings } from '../support/servers/external.ts';
import { keepResult } from './support/results.ts';
import { sized } from './support/size.ts';

/** Of each mutation. */
const strikes = 100;
const cutCommits = sized(10, 100);
/** Clients of each mutation that ask at the moment in which it comes back. */
const clients = sized(5, 1);
const atOnce = 8;
const lookup = /access\.(recheck_credentials|load_actors)/;

describe('A database that comes back', () => {
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
    /** What was lost, in words; nothing. */
    readonly lost: string[];
  }

  type Made = readonly (readonly [CredentialMutation, Attempt])[];

  /** Runs something of an attempt; whatever it throws was lost with an answer. */
  const keeping = async <T>({ lost }: Seen, name: string, run: () => Promise<T>): Promise<T | null> => {
    try {
      return await run();
    } catch (error) {
      lost.push(`${name}: ${String(error)}`);
      return null;
    }
  };

  /** Sends all of them under the fault, and then again what was not answered: it must be answered now. */
  const strike = async (seen: Seen, attempts: Made, beside: () => Promise<void> = async () => undefined) => {
    const sending = attempts.map(([{ name }, attempt]) => keeping(seen, name, () => attempt.send()));
    await beside();
    const sent = await Promise.all(sending);
    way.ambush(null);
    seen.answered += sent.filter((isAnswered) => isAnswered === true).length;
    const again = attempts.filter((_each, index) => sent[index] === false);
    seen.unavailable += again.length;
    const insist = (attempt: Attempt) => until('it is answered', () => attempt.send(), 10);
    await inParallel(again, atOnce, ([{ name }, attempt]) => keeping(seen, name, () => insist(attempt)));
  };

  /** What was handed out is worth something, and there is nothing else. */
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
    await until('look-ups are back', async () => (await askMe()) === null, 10);
    await inParallel(made, atOnce, ([{ name }, attempt]) => judge(seen, name, attempt));
    const violations = seen.lost.map((subject) => ({
      invariant: 'I4' as const,
      rule: 'an answer was lost with what it handed out',
      subject,
      operations: [],
    }));
    const note = `${seen.answered} answered at once, ${seen.unavailable} after a 503`;
    await keepResult({ fault, runs, violations, operations: [], note });
    expect(seen.lost).toEqual([]);
    expect(seen.answered + seen.unavailable).toBe(made.length);
  };

  const askMe = async (): Promise<string | null> => (await post(place.url, operations.me, {}, bearer(someone))).code;

  /** Whoever asks who somebody is loses the connection, before the server hears of it. */
  const holdLookups = (isHeld: Ambush['isStruck'], also: RegExp = lookup): void =>
    way.ambush({ said: new RegExp(`${lookup.source}|${also.source}`), isHeard: () => false, isStruck: isHeld });

  const [switching, others] = ['switchOrganization', ''].map((name) =>
    credentialMutations.filter((mutation) => (mutation.name === 'switchOrganization') === (name !== '')),
  );

  // Specification: Faults — PostgreSQL back, look-ups not yet: no pair lost, 100 times for each credential mutation and
  //   the token endpoint
  it(`loses no answer of those who do not wait for look-ups, ${strikes} times each`, async () => {
    const seen: Seen = { answered: 0, unavailable: 0, lost: [] };
    const mutations = others ?? [];
    const made = await prepare(mutations, strikes);
    const atATime = clients * mutations.length;
    for (const round of range(strikes / clients)) {
      await way.cut();
      holdLookups(() => true);
      await way.restore();
      await strike(seen, made.slice(round * atATime, (round + 1) * atATime), async () => {
        expect(await askMe()).toBe('UNAVAILABLE');
      });
    }
    await conclude('PostgreSQL back, look-ups not yet', strikes, seen, made);
  });

  // Specification: Faults — switchOrganization, whose caller is looked up before, when PostgreSQL comes back
  it(`loses no answer of who was looked up before, ${strikes} times`, async () => {
    const seen: Seen = { answered: 0, unavailable: 0, lost: [] };
    const made = await prepare(switching ?? [], strikes);
    for (const each of made) {
      const [mutation] = each;
      let isMinted = false;
      holdLookups((said) => {
        isMinted ||= mutation.statement.test(said);
        return isMinted && lookup.test(said);
      }, mutation.statement);
      await strike(seen, [each]);
      expect(isMinted).toBe(true);
    }
    await conclude('look-ups gone as a switch commits', strikes, seen, made);
  });

  // Specification: Faults — The connection ends under the commit of a mutation that mints
  it(`answers whose connection ended under the commit, ${cutCommits} times each`, async () => {
    const seen: Seen = { answered: 0, unavailable: 0, lost: [] };
    const made = await prepare(credentialMutations, cutCommits);
    for (const [index, each] of made.entries()) {
      const [mutation] = each;
      let isOver = false;
      const said = new RegExp(`COMMIT|${mutation.statement.source}`);
      // A rotation is one statement, which commits itself.
      const commits = mutation.statement.source.includes('rotate') ? mutation.statement : /COMMIT/;
      const isStruck = (now: string, before: string): boolean => {
        if (isOver || !commits.test(now) || !mutation.statement.test(now + before)) return false;
        isOver = true;
        return true;
      };
      way.ambush({ said, isHeard: () => Math.floor(index / credentialMutations.length) % 2 === 0, isStruck });
      await strike(seen, [each]);
      expect({ name: mutation.name, isOver }).toEqual({ name: mutation.name, isOver: true });
    }
    await conclude('connection ended under a commit', cutCommits, seen, made);
  });
});
