/** The PostgreSQL server stops at once under full load, as in a power cut: no acknowledged write is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedPerson, seedSession, seedSessions } from '../support/actors/seeding.ts';
import { outcomeOf, pauseUpTo, range, tally, until } from '../support/checks/concurrency.ts';
import { bearer, operations, post, type Tokens } from '../support/clients/clients.ts';
import { callTool, newMcpClient } from '../support/clients/mcp.ts';
import { postForm, refreshOf } from '../support/clients/oauth.ts';
import { everyKind, kinds, underLoad } from './support/load/load.ts';
import { atNight, secondsAtNight, sized } from './support/load/size.ts';
import { postgresOfRun } from './support/sites/postgres-server.ts';
import { Site } from './support/sites/site.ts';
import { recoveryMillis } from './support/verdicts/history.ts';
import { keepResult } from './support/verdicts/results.ts';

const stops = sized(2, 20);
const backMillis = 5_000;
/** How long the clients continue after each return, so that late answers are seen. */
const watchMillis = 6_000;
const cachedSessions = 30;

describe(`PostgreSQL stopped at once, ${stops} times`, () => {
  const postgres = postgresOfRun();
  let site: Site;

  beforeAll(async () => {
    site = await Site.start({ processes: 2 });
  });
  afterAll(() => site.close());

  const newSession = async (): Promise<Tokens> => seedSession(site.database, await seedPerson(site.database));

  // Contract: operation#database-that-comes-back — PostgreSQL stopped at once: no acknowledged write lost, back within
  //   5 s of the database
  it('loses no acknowledged write, and serves within five seconds of its return', async () => {
    const [stoppedAt, returns]: [number[], number[]] = [[], []];
    const stopAndStart = async (): Promise<void> => {
      await sleep(300);
      await pauseUpTo(700);
      stoppedAt.push(performance.now());
      await postgres.stop('immediate');
      await pauseUpTo(2_000);
      await postgres.start();
      returns.push(performance.now());
      await sleep(watchMillis);
    };
    await underLoad(site, everyKind, async () => {
      for (const _ of range(stops)) await stopAndStart();
    });
    const { operations: asked } = site.history;
    const recoveries = returns.map((at, index) => {
      // Requests that the next stop interrupted prove nothing about this recovery.
      const next = stoppedAt[index + 1] ?? Number.POSITIVE_INFINITY;
      const since = asked.filter(({ invokedAt, returnedAt }) => invokedAt >= at && returnedAt < next);
      return recoveryMillis(since, at);
    });
    const violations = await site.judge({ maxMails: 1 });
    const worst = Math.max(...recoveries);
    const seen = {
      fault: 'PostgreSQL stopped at once',
      runs: stops,
      violations,
      operations: asked,
      defects: site.defects,
    };
    const note = `recoveries ${recoveries.map((millis) => Math.round(millis)).join(', ')} ms`;
    await keepResult({ ...seen, worstRecoveryMillis: worst, note });
    expect(violations).toEqual([]);
    expect(site.defects).toEqual([]);
    const done = new Set(asked.filter(({ outcome }) => outcome === 'ok').map(({ name }) => name));
    expect(kinds.filter((kind) => !done.has(kind))).toEqual([]);
    // Answers after the observed time are not seen.
    expect(worst).toBeLessThanOrEqual(atNight(Math.min(backMillis, watchMillis)));
  });

  // Contract: operation#no-false-refusal — Database down with Redis up: 503, never a cached yes
  it('answers 503 while it is down, although Redis is up and every session was just used', async () => {
    const sessions = await seedSessions(site.database, cachedSessions, 5);
    const [leaving, renewed] = [await newSession(), await newSession()];
    const client = await newMcpClient(site);
    /** A read, and requests that would change something. */
    const askAll = async (): Promise<Record<string, string>> => {
      const { first } = site;
      const refresh = refreshOf(client.clientId, client.tokens.refreshToken);
      return {
        signOut: outcomeOf(await post(first.url, operations.signOut, {}, bearer(leaving))),
        refresh: outcomeOf(await post(first.url, operations.refresh, { ...renewed })),
        call: String((await callTool(first, client, 'mcp_whoami')).status),
        refreshOfClient: String((await postForm(first, 'token', refresh)).status),
        readyz: String((await fetch(`${first.url}/readyz`)).status),
      };
    };
    const presentAll = async (pairs: readonly Tokens[]): Promise<Record<string, number>> =>
      tally(
        (
          await Promise.all(
            pairs.flatMap((pair) => site.servers.map(({ url }) => post(url, operations.me, {}, bearer(pair)))),
          )
        ).map(outcomeOf),
      );
    const allCount = cachedSessions * site.servers.length;
    expect(await presentAll(sessions)).toEqual({ OK: allCount });
    expect(await presentAll([leaving])).toEqual({ OK: site.servers.length });
    expect((await callTool(site.first, client, 'mcp_whoami')).status).toBe(200);
    const seen: Record<string, number>[] = [];
    const asked: Record<string, string>[] = [];
    await postgres.stop('immediate');
    try {
      for (const _ of range(3)) seen.push(await presentAll(sessions));
      asked.push(await askAll());
    } finally {
      await postgres.start();
    }
    const yes = seen.filter((outcomes) => 'OK' in outcomes).length;
    const refused = {
      signOut: 'UNAVAILABLE',
      refresh: 'UNAVAILABLE',
      call: '503',
      refreshOfClient: '503',
      readyz: '503',
    };
    const fault = 'PostgreSQL down with Redis up';
    await keepResult({ fault, runs: 1, violations: [], operations: [], note: `${yes} answers from memory` });
    const all503 = { UNAVAILABLE: allCount };
    expect(seen).toEqual([all503, all503, all503]);
    expect(asked).toEqual([refused]);
    await until(
      'every session is accepted again',
      async () => (await presentAll(sessions))['OK'] === allCount,
      secondsAtNight(10),
    );
    // Changes sent during the outage: neither lost nor half done.
    expect(await presentAll([leaving])).toEqual({ OK: site.servers.length });
    expect(await askAll()).toEqual({
      signOut: 'OK',
      refresh: 'OK',
      call: '200',
      refreshOfClient: '200',
      readyz: '200',
    });
    expect(site.defects).toEqual([]);
  });
});
