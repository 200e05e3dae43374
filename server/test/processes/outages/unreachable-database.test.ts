/** The connections to the database are cut or blocked: `me` answers 503, never yes and never a false 401. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { seedSessions } from '../../support/actors/seeding.ts';
import { outcomeOf, range, tally, until } from '../../support/checks/concurrency.ts';
import { bearer, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { TcpProxy } from '../../support/clients/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { ServerProcess } from '../../support/gatehouse/processes.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../../support/gatehouse/wait-limits.ts';

waitAsInProduction();

const sessionCount = 20;

describe.runIf(isOnPostgres)('An unreachable database (PostgreSQL only: the embedded engine is in the process)', () => {
  let stored: TestDatabase;
  let proxy: TcpProxy;
  let server: ServerProcess;
  let database: Database;
  let sessions: Tokens[];

  beforeAll(async () => {
    stored = await createTestDatabase();
    database = await openDatabase({ ...stored, url: stored.url, logger: silentLogger });
    sessions = await seedSessions(database, sessionCount, 5);
    const direct = new URL(stored.url ?? '');
    proxy = await TcpProxy.start({ host: direct.hostname, port: Number(direct.port || 5432) });
    const detour = new URL(direct);
    detour.host = `127.0.0.1:${proxy.port}`;
    server = await ServerProcess.start({ DATABASE_URL: detour.href, DATA_DIR: stored.dataDirectory });
  });
  afterAll(async () => {
    await server.stop();
    await proxy.cut();
    await database.close();
    await stored.drop();
  });

  const accessAll = async (): Promise<string[]> => {
    const answers = await Promise.all(sessions.map((pair) => post(server.url, operations.me, {}, bearer(pair))));
    return answers.map(outcomeOf);
  };

  const recovers = (): Promise<void> =>
    until('every session is let in again', async () => {
      const outcomes = new Set(await accessAll());
      expect([...outcomes].filter((outcome) => outcome !== 'OK' && outcome !== 'UNAVAILABLE')).toEqual([]);
      return outcomes.size === 1 && outcomes.has('OK');
    });

  const refused = { UNAVAILABLE: sessionCount };

  // Contract: credentials#unavailable-database — An unreachable database: 503 in time, recovery without restart
  it.each(['cut', 'blocked'] as const)('answers 503 while its connections are %s, and recovers', async (how) => {
    await recovers();
    if (how === 'cut') await proxy.cut();
    else proxy.block();
    for (const _ of range(2)) expect(tally(await accessAll())).toEqual(refused);
    const ready = await fetch(`${server.url}/readyz`);
    expect(ready.status).toBe(503);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    await proxy.restore();
    await recovers();
    expect(server.defects).toEqual([]);
  });

  // Contract: credentials#unavailable-database — Never a cached yes
  it('accepts nothing from memory: credentials revoked meanwhile are refused afterwards', async () => {
    const [revoked, kept] = [sessions[0], sessions[1]];
    if (revoked === undefined || kept === undefined) throw new Error('No sessions');
    await recovers();
    proxy.block();
    await sqlOn(database)(
      `UPDATE credentials SET revoked_at = now(), revocation_reason = 'signed_out' WHERE session_family_id =
         (SELECT session_family_id FROM credentials WHERE token_hash = sha256($1::text::bytea))`,
      [revoked.accessToken],
    );
    expect(tally(await accessAll())).toEqual(refused);
    await proxy.restore();
    await until('the process answers again', async () => {
      const outcome = outcomeOf(await post(server.url, operations.me, {}, bearer(kept)));
      return outcome === 'OK';
    });
    expect(outcomeOf(await post(server.url, operations.me, {}, bearer(revoked)))).toBe('UNAUTHENTICATED');
    sessions = sessions.slice(1);
  });

  it('returns every answer to its own query when short blockages follow one another', async () => {
    const state = { isOver: false };
    const accessUntilOver = async (pair: Tokens): Promise<string[]> => {
      const seen: string[] = [];
      while (!state.isOver) seen.push(outcomeOf(await post(server.url, operations.me, {}, bearer(pair))));
      return seen;
    };
    const using = Promise.all(sessions.map(accessUntilOver));
    for (const pauseMillis of [300, 2300, 2700, 600]) {
      proxy.block();
      await sleep(pauseMillis);
      await proxy.restore();
      await sleep(300);
    }
    state.isOver = true;
    const seen = tally((await using).flat());
    expect(Object.keys(seen).filter((outcome) => outcome !== 'OK' && outcome !== 'UNAVAILABLE')).toEqual([]);
    await recovers();
  });

  it('refuses a refresh with 503 during the outage, and rotates the same pair afterwards', async () => {
    const pair = sessions.at(-1);
    if (pair === undefined) throw new Error('No session');
    await proxy.cut();
    expect(outcomeOf(await post(server.url, operations.refresh, { ...pair }))).toBe('UNAVAILABLE');
    await proxy.restore();
    await recovers();
    const next = tokensOf(await post(server.url, operations.refresh, { ...pair }));
    expect(outcomeOf(await post(server.url, operations.me, {}, bearer(next)))).toBe('OK');
    expect(server.defects).toEqual([]);
  });
});
