/**
 * Fail-overs of PostgreSQL that leave a former primary alive, standbys that stop, and a restored copy: what has been
 * ended is not accepted, and no session is lost by a 503. Each test goes on from the state of the one before.
 */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database/open.ts';
import { seedSessions } from '../support/actors/seeding.ts';
import { attempt, outcomeOf, range, tally, until } from '../support/checks/concurrency.ts';
import { bearer, operations, type Tokens } from '../support/clients/clients.ts';
import { TcpProxy } from '../support/clients/tcp-proxy.ts';
import { ServerProcess } from '../support/gatehouse/processes.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { freePort } from '../support/servers/listen.ts';
import { jumpingClock } from './support/faults/shifted-clock.ts';
import { findPrograms, makePostgresServer, type PostgresServer } from './support/sites/postgres-server.ts';
import { keepResult } from './support/verdicts/results.ts';

const fenceMillis = 3_000;
const sessionsOfEach = 8;
const fault = 'a former primary that is still reached';

interface Use {
  readonly tokens: Tokens;
  readonly sentAt: number;
  readonly outcome: string;
}

describe('PostgreSQL with a standby', () => {
  let directory: string;
  let primary: PostgresServer;
  let standby: PostgresServer;
  let copy: PostgresServer;
  /** The way of the process `kept`, whose old connections stay, and of `moved`, whose connections all move. */
  const ways: TcpProxy[] = [];
  let kept: ServerProcess;
  let moved: ServerProcess;
  let living: Tokens[];
  let ended: Tokens[];
  let refreshed: Tokens[];
  let late: Tokens[];

  const at = ({ port }: PostgresServer) => ({ host: '127.0.0.1', port });
  const wayOf = (process: ServerProcess): TcpProxy => {
    const way = ways[process === kept ? 0 : 1];
    if (way === undefined) throw new Error('No way');
    return way;
  };
  const outcome = async (answer: ReturnType<typeof attempt>): Promise<string> => {
    const found = await answer;
    return found === null ? 'NO ANSWER' : outcomeOf(found);
  };
  const me = (process: ServerProcess, tokens: Tokens) =>
    outcome(attempt(process.url, operations.me, {}, bearer(tokens)));
  /** The first outcome that is not a 503: a busy machine may miss a limit of production, which is no rule here. */
  const settled = async (process: ServerProcess, tokens: Tokens): Promise<string> => {
    let found = 'UNAVAILABLE';
    await until('it is served', async () => {
      found = await me(process, tokens);
      return found !== 'UNAVAILABLE';
    });
    return found;
  };
  const signOut = (process: ServerProcess, tokens: Tokens) =>
    outcome(attempt(process.url, operations.signOut, {}, bearer(tokens)));
  const refresh = (process: ServerProcess, tokens: Tokens) =>
    outcome(attempt(process.url, operations.refresh, { ...tokens }));
  const all = async (each: (tokens: Tokens) => Promise<string>, of: readonly Tokens[]) =>
    tally(await Promise.all(of.map(each)));
  const readiness = async (process: ServerProcess) => {
    const answer = await fetch(`${process.url}/readyz`);
    const { checks } = (await answer.json()) as {
      readonly checks: { readonly primary?: string; readonly commits?: string };
    };
    return { status: answer.status, ...checks };
  };
  /** Resolves when the session is ended: a first answer may be a 503 although the change was committed. */
  const end = async (process: ServerProcess, tokens: Tokens): Promise<void> =>
    until('it is ended', async () => ['OK', 'UNAUTHENTICATED'].includes(await signOut(process, tokens)));
  /** Which sessions of the service wait for the standby: a process id is used again. */
  const waiting = async (): Promise<string[]> => {
    const found = await primary.query(
      "SELECT pid || ' ' || backend_start FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'gatehouse'",
    );
    return found.split('\n').filter((line) => line !== '');
  };

  const startProcess = async (variables: Readonly<Record<string, string>> = {}): Promise<ServerProcess> => {
    const way = await TcpProxy.start(at(primary));
    ways.push(way);
    return ServerProcess.start({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${way.port}/postgres`,
      DATABASE_FENCE_SECONDS: String(fenceMillis / 1000),
      ...variables,
    });
  };

  const seed = async (): Promise<void> => {
    const database = await openDatabase({ url: primary.url, dataDirectory: '', logger: silentLogger });
    const sessions = await seedSessions(database, 4 * sessionsOfEach, 4);
    [living, ended, refreshed, late] = range(4).map((part) =>
      sessions.slice(part * sessionsOfEach, (part + 1) * sessionsOfEach),
    ) as [Tokens[], Tokens[], Tokens[], Tokens[]];
    await database.close();
  };

  beforeAll(async () => {
    const programs = await findPrograms();
    if (programs === null) throw new Error('No PostgreSQL');
    directory = await mkdtemp(join(tmpdir(), 'gatehouse-orphan-'));
    await chmod(directory, 0o777);
    const primaryDirectory = join(directory, 'primary');
    await mkdir(primaryDirectory);
    primary = await makePostgresServer(programs, primaryDirectory, await freePort());
    await primary.start();
    // What ends is waited for until a standby has replayed it.
    await primary.query('ALTER DATABASE postgres SET synchronous_commit TO remote_apply');
    kept = await startProcess(jumpingClock());
    await seed();
    copy = await primary.copy(join(directory, 'copy'), await freePort(), 'on the same timeline');
    standby = await primary.copy(join(directory, 'standby'), await freePort(), 'standby');
    await standby.start();
    const isStreaming = async () => (await primary.query('SELECT state FROM pg_stat_replication')) === 'streaming';
    await until('the standby follows', isStreaming);
    moved = await startProcess();
    await primary.query("ALTER SYSTEM SET synchronous_standby_names TO '*'");
    await primary.query('SELECT pg_reload_conf()');
    await until('the standby is waited for', async () => {
      return (await primary.query('SELECT sync_state FROM pg_stat_replication')) === 'sync';
    });
  });
  afterAll(async () => {
    await Promise.all([kept, moved].map((process) => process.kill()));
    await Promise.all(ways.map((way) => way.cut()));
    await Promise.all([primary, standby].map((server) => server.stop('immediate')));
    await rm(directory, { recursive: true, force: true });
  });

  // Contract: operation#former-primary — A start warns of a standby that no commit waits for
  it('is told at a start when no commit waits for the standby, and only then', () => {
    const warned = [kept, moved].map(({ output }) => output.includes('database.standby_not_awaited'));
    expect(warned).toEqual([false, true]);
  });

  // Contract: operation#commits-that-wait — A standby that stops replaying costs changes, not look-ups, and leaves no
  //   session waiting
  it('goes on to answer look-ups while no change returns, begins none, and ends what waits', async () => {
    await standby.query('SELECT pg_wal_replay_pause()');
    try {
      const answers = all((tokens) => refresh(kept, tokens), refreshed);
      await until('a change waits', async () => (await waiting()).length > 0);
      const left = await waiting();
      expect(await answers).toEqual({ UNAVAILABLE: sessionsOfEach });
      left.push(...(await waiting()));
      await until('it is told', async () => (await readiness(kept)).commits === 'stalled');
      expect(await all((tokens) => settled(kept, tokens), living)).toEqual({ OK: sessionsOfEach });
      expect(await all((tokens) => signOut(kept, tokens), living)).toEqual({ UNAVAILABLE: sessionsOfEach });
      await until('it is ready', async () => (await readiness(kept)).status === 200);
      // Each process tries a commit now and then, in a session of its own; those of the changes were ended.
      await until('no change waits', async () => (await waiting()).every((session) => !left.includes(session)));
    } finally {
      await standby.query('SELECT pg_wal_replay_resume()');
    }
    await until('changes return', async () => (await readiness(kept)).commits === undefined);
    expect(await all((tokens) => settled(kept, tokens), living)).toEqual({ OK: sessionsOfEach });
  });

  // Contract: operation#heartbeat-and-fence — A server that is silent for longer than the fence: 503 and no false 401,
  //   then as before
  it('accepts nothing of a server that is paused for longer than the fence, and all of it afterwards', async () => {
    await primary.pause('SIGSTOP');
    await sleep(fenceMillis);
    const paused = await all((tokens) => me(kept, tokens), living);
    const { status } = await readiness(kept);
    await primary.pause('SIGCONT');
    expect(paused).toEqual({ UNAVAILABLE: sessionsOfEach });
    expect(status).toBe(503);
    const isBack = async () => (await all((tokens) => me(kept, tokens), living))['OK'] === sessionsOfEach;
    await until('it serves again', isBack);
  });

  // Contract: operation#heartbeat-and-fence — An answer from before a suspension of this process is not used after it
  it('accepts nothing that was ended while the process itself was suspended, and goes on afterwards', async () => {
    const [first, ...others] = ended;
    if (first === undefined) throw new Error('No session');
    kept.pause('SIGSTOP');
    try {
      await end(moved, first);
      expect(await settled(moved, first)).toBe('UNAUTHENTICATED');
      await sleep(fenceMillis);
    } finally {
      kept.pause('SIGCONT');
    }
    expect(['UNAUTHENTICATED', 'UNAVAILABLE']).toContain(await me(kept, first));
    expect(await settled(kept, first)).toBe('UNAUTHENTICATED');
    expect(await all((tokens) => settled(kept, tokens), living)).toEqual({ OK: sessionsOfEach });
    ended = others;
  });

  // Contract: operation#restored-copy-behind-one-address — A restored copy behind the same address is refused until the
  //   process is started anew
  it('refuses a restored copy, in which ended sessions live, until it is started anew', async () => {
    const [first, ...others] = ended;
    if (first === undefined) throw new Error('No session');
    await end(moved, first);
    await copy.start();
    try {
      await wayOf(moved).cut();
      wayOf(moved).redirect(at(copy));
      await wayOf(moved).restore();
      await until('it is named', async () => (await readiness(moved)).primary === 'restored_copy');
      expect(await all((tokens) => me(moved, tokens), [first, ...living])).toEqual({ UNAVAILABLE: sessionsOfEach + 1 });
      await wayOf(moved).cut();
      wayOf(moved).redirect(at(primary));
      await wayOf(moved).restore();
      expect(await me(moved, first)).toBe('UNAVAILABLE');
    } finally {
      await copy.stop('immediate');
    }
    await moved.kill();
    await moved.restart();
    expect(await all((tokens) => settled(moved, tokens), living)).toEqual({ OK: sessionsOfEach });
    expect(await settled(moved, first)).toBe('UNAUTHENTICATED');
    ended = others;
  });

  // Contract: operation#former-primary — A former primary that a balancer still reaches opens nothing that was ended,
  //   after the fence
  it('opens nothing that was ended at the new primary, from the fence on, wherever its connections lead', async () => {
    const uses: Use[] = [];
    const endedAt = new Map<Tokens, number>();
    let isOver = false;
    const using = async (tokens: Tokens): Promise<void> => {
      while (!isOver) {
        const sentAt = performance.now();
        uses.push({ tokens, sentAt, outcome: await me(kept, tokens) });
        await sleep(20);
      }
    };
    const load = [...living, ...ended].map(using);
    await sleep(300);
    await standby.query('SELECT pg_promote()');
    await wayOf(moved).cut();
    wayOf(moved).redirect(at(standby));
    await wayOf(moved).restore();
    for (const tokens of ended) {
      await end(moved, tokens);
      endedAt.set(tokens, performance.now());
    }
    // The former primary commits nothing more, and its own refusals count for nothing either.
    expect(await all((tokens) => refresh(kept, tokens), late)).toEqual({ UNAVAILABLE: sessionsOfEach });
    await until('the former primary is left', async () => (await readiness(kept)).primary === 'unconfirmed');
    await sleep(fenceMillis);
    const served = uses.filter(
      ({ sentAt, outcome: is }) => is === 'OK' && sentAt > performance.now() - fenceMillis / 2,
    );
    // Its old connections stay where they are; new ones lead to the new primary.
    wayOf(kept).redirect(at(standby));
    await until(
      'it serves again',
      async () => (await all((tokens) => me(kept, tokens), living))['OK'] === sessionsOfEach,
    );
    isOver = true;
    await Promise.all(load);
    const accepted = uses.filter(({ tokens, sentAt, outcome: is }) => {
      return is === 'OK' && sentAt > (endedAt.get(tokens) ?? Number.POSITIVE_INFINITY) + fenceMillis;
    });
    const violations = [...accepted, ...served].map(({ sentAt }) => ({
      invariant: 'I1' as const,
      rule: 'a former primary was believed after the fence',
      subject: `a use sent at ${Math.round(sentAt)} ms`,
      operations: [],
    }));
    const note = `${JSON.stringify(tally(uses.map((use) => use.outcome)))}`;
    await keepResult({ fault, runs: 1, violations, operations: [], note });
    expect(violations).toEqual([]);
    expect(await all((tokens) => settled(kept, tokens), ended)).toEqual({ UNAUTHENTICATED: ended.length });
    expect(Object.keys(tally(uses.map((use) => use.outcome))).sort()).toEqual(['OK', 'UNAUTHENTICATED', 'UNAVAILABLE']);
    expect([...kept.defects, ...moved.defects]).toEqual([]);
  });

  // Contract: operation#commits-that-wait — A refresh that was refused with 503 while a standby stopped loses no
  //   session
  it('has lost no session by a 503, whether the change was committed or not', async () => {
    // A pair is renewed from 10 to 60 seconds after the refresh whose answer was lost; the tests before may take
    // longer.
    await standby.query(
      "UPDATE credentials SET revoked_at = now() - interval '20 seconds' WHERE revocation_reason = 'rotated'",
    );
    for (const tokens of [...late, ...refreshed]) {
      const outcomes = new Set<string>();
      await until('the pair is renewed', async () => {
        const found = await refresh(kept, tokens);
        outcomes.add(found);
        return !['UNAVAILABLE', 'REFRESH_SUPERSEDED'].includes(found);
      });
      expect([...outcomes]).toContain('OK');
    }
  });
});
