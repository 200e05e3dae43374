/** The database server ends the sessions of two processes ten times a second: they answer 503 at worst. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedSessions } from '../../support/actors/seeding.ts';
import { inParallel, outcomeOf, range, tally, until } from '../../support/checks/concurrency.ts';
import { bearer, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { type Cluster, startCluster, urlOf } from '../../support/gatehouse/cluster.ts';

const seconds = 5;
const everyMillis = 100;
const users = 12;
const refreshers = 8;
const spareSessions = 20;

/** A pair is superseded only by an earlier refresh whose outcome a 503 hid. */
const judgeRefresh = (outcome: string, before: string | undefined): string =>
  outcome === 'REFRESH_SUPERSEDED' && before !== 'UNAVAILABLE' ? 'superseded without a refresh' : outcome;

describe.runIf(isOnPostgres)(
  'Database sessions terminated under load (PostgreSQL only: the embedded engine has none)',
  () => {
    let cluster: Cluster;
    let sessions: Tokens[];
    let administrator: pg.Client;

    beforeAll(async () => {
      cluster = await startCluster();
      sessions = await seedSessions(cluster.database, users + refreshers * spareSessions, 20);
      administrator = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
      await administrator.connect();
    });
    afterAll(async () => {
      await administrator.end();
      await cluster.close();
    });

    const state = { isOver: false };

    const accessUntilOver = async (tokens: Tokens, index: number): Promise<string[]> => {
      const seen: string[] = [];
      for (let step = 0; !state.isOver; step += 1) {
        seen.push(outcomeOf(await post(urlOf(cluster, index + step), operations.me, {}, bearer(tokens))));
      }
      return seen;
    };

    /** Continues with the next session when a failed refresh had rotated the pair after all. */
    const refreshUntilOver = async (spare: Tokens[]): Promise<{ seen: string[]; last: Tokens[] }> => {
      const seen: string[] = [];
      let current = spare.pop();
      while (current !== undefined && !state.isOver) {
        const answer = await post(urlOf(cluster, seen.length), operations.refresh, { ...current });
        const outcome = outcomeOf(answer);
        if (outcome === 'OK') current = tokensOf(answer);
        if (outcome === 'REFRESH_SUPERSEDED') current = spare.pop();
        seen.push(judgeRefresh(outcome, seen.at(-1)));
      }
      return { seen, last: current === undefined || seen.at(-1) === 'UNAVAILABLE' ? [] : [current] };
    };

    const terminate = async (database: string): Promise<number> => {
      const { rowCount } = await administrator.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name = 'gatehouse'`,
        [database],
      );
      return rowCount ?? 0;
    };

    // Contract: credentials#unavailable-database — Database sessions end under load: 503 at worst, recovery without
    //   restart
    it('answers 503 at worst, and everything works again afterwards', async () => {
      const [here] = await cluster.sql<{ name: string }>('SELECT current_database() AS name');
      const spares = range(refreshers).map((index) =>
        sessions.slice(users + index * spareSessions).slice(0, spareSessions),
      );
      const using = Promise.all(sessions.slice(0, users).map(accessUntilOver));
      const refreshing = Promise.all(spares.map(refreshUntilOver));
      let terminated = 0;
      for (let round = 0; round < (seconds * 1000) / everyMillis; round += 1) {
        terminated += await terminate(here?.name ?? '');
        await sleep(everyMillis);
      }
      state.isOver = true;
      const uses = tally((await using).flat());
      const refreshed = await refreshing;
      const refreshes = tally(refreshed.flatMap(({ seen }) => seen));
      expect(terminated).toBeGreaterThan(seconds);
      expect(Object.keys(uses).filter((outcome) => outcome !== 'OK' && outcome !== 'UNAVAILABLE')).toEqual([]);
      const allowed = ['OK', 'UNAVAILABLE', 'REFRESH_SUPERSEDED'];
      expect(Object.keys(refreshes).filter((outcome) => !allowed.includes(outcome))).toEqual([]);
      expect(cluster.defects()).toEqual([]);

      await until('every process answers again', async () => {
        const answers = await Promise.all(cluster.urls.map((url) => fetch(`${url}/readyz`)));
        return answers.every(({ ok }) => ok);
      });
      const afterwards = await inParallel(range(users * 10), users, (index) =>
        post(
          urlOf(cluster, index),
          operations.me,
          {},
          bearer(sessions[index % users] ?? { accessToken: '', refreshToken: '' }),
        ),
      );
      expect(tally(afterwards.map(outcomeOf))).toEqual({ OK: users * 10 });
      const sure = refreshed.flatMap(({ last }) => last);
      const rotations = await Promise.all(
        sure.map((pair, index) => post(urlOf(cluster, index), operations.refresh, { ...pair })),
      );
      expect(rotations.map(outcomeOf)).toEqual(sure.map(() => 'OK'));
    });
  },
);
