/**
 * The connection ends under a rotation, or under the commit of another operation that mints or consumes a secret,
 * before the database received it or after it was committed: the client still gets the answer, and there is one pair. A
 * 503 would leave it with a consumed secret, and with a pair that has ended, or is treated as stolen.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database/open.ts';
import type { ScriptDatabase } from '../../../src/platform/database/transaction.ts';
import { credentialMutations, type Place, placeOf } from '../../support/actors/credential-mutations.ts';
import { seedPerson, seedSession } from '../../support/actors/seeding.ts';
import { outcomeOf, until } from '../../support/checks/concurrency.ts';
import { bearer, operations, post, type Tokens, tokensOf } from '../../support/clients/clients.ts';
import { clientTokensOf, connect, refreshAs } from '../../support/clients/oauth.ts';
import { TcpProxy } from '../../support/clients/tcp-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database/databases.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { type Sql, sqlOn } from '../../support/database/sql.ts';
import { testSecret } from '../../support/gatehouse/gatehouse.ts';
import { ServerProcess } from '../../support/gatehouse/processes.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { providerSettings } from '../../support/servers/external.ts';

const ways = [
  { moment: 'before the database heard of it', isDelivered: false },
  { moment: 'after it was committed', isDelivered: true },
];

/** As in the process. */
const cost = 10;

describe.runIf(isOnPostgres)('A rotation whose connection ends (PostgreSQL only)', () => {
  let stored: TestDatabase;
  let proxy: TcpProxy;
  let server: ServerProcess;
  let database: ScriptDatabase;
  let sql: Sql;
  let place: Place;

  beforeAll(async () => {
    stored = await createTestDatabase();
    database = await openDatabase({ ...stored, url: stored.url, logger: silentLogger });
    sql = sqlOn(database);
    const direct = new URL(stored.url ?? '');
    proxy = await TcpProxy.start({ host: direct.hostname, port: Number(direct.port || 5432) });
    const detour = new URL(direct);
    detour.host = `127.0.0.1:${proxy.port}`;
    const variables = { ...providerSettings, GATEHOUSE_SECRET: testSecret };
    server = await ServerProcess.start({ ...variables, DATABASE_URL: detour.href, DATA_DIR: stored.dataDirectory });
    place = await placeOf({ url: server.url, database, sql, secrets: [testSecret] }, cost);
  });
  afterEach(() => proxy.intercept(null));
  afterAll(async () => {
    await server.stop();
    await proxy.cut();
    await database.close();
    await stored.drop();
  });

  /** Interrupts the first message to the server with this text. @param onCut called at that moment */
  const interceptOnce = (said: RegExp, isDelivered: boolean, onCut: () => void = () => undefined): void => {
    let matches = 0;
    const isInterrupted = (): boolean => {
      matches += 1;
      if (matches === 1) onCut();
      return matches === 1;
    };
    proxy.intercept({ said, isDelivered: () => isDelivered, isInterrupted });
  };

  /** How many pairs the person has had, and how many are live. */
  const pairsOf = async (userId: string): Promise<{ all: number; live: number }[]> =>
    sql(
      `SELECT count(DISTINCT pair_id)::integer AS "all",
              count(DISTINCT pair_id) FILTER (WHERE revoked_at IS NULL)::integer AS live
       FROM credentials WHERE user_id = $1`,
      [userId],
    );

  const outcomeOfMe = async (tokens: Tokens): Promise<string> =>
    outcomeOf(await post(server.url, operations.me, {}, bearer(tokens)));

  const commits = credentialMutations.filter(({ isAlone }) => isAlone !== true);

  // Contract: operation#connections-that-end — A connection that ends under a commit: the committed result is answered,
  //   once
  it.each(commits.flatMap((mutation) => ways.map((way) => ({ ...way, ...mutation }))))(
    'or a commit, $moment, is answered: $name',
    async ({ isDelivered, statement, prepare }) => {
      const attempt = await prepare(place);
      let matches = 0;
      const said = new RegExp(`COMMIT|${statement.source}`);
      const isInterrupted = (now: string, before: string): boolean => {
        const isCommit = now.includes('COMMIT') && statement.test(before);
        if (isCommit) matches += 1;
        return isCommit && matches === 1;
      };
      proxy.intercept({ said, isDelivered: () => isDelivered, isInterrupted });
      // Work that the database did not receive is repeated, or answered 503 when the first attempt took long.
      if (isDelivered) expect(await attempt.send()).toBe(true);
      else await until('it is answered', attempt.send);
      expect(matches).toBeGreaterThan(0);
      await attempt.use();
      expect(await attempt.livePairs()).toBe(1);
    },
  );

  const statements = credentialMutations.filter(
    ({ isAlone, statement }) => isAlone === true && !statement.source.includes('rotate'),
  );

  // Contract: operation#connections-that-end — A connection that ends under a sign-in or a switch: one pair, given to
  //   the caller
  it.each(statements.flatMap((mutation) => ways.map((way) => ({ ...way, ...mutation }))))(
    'or a statement that commits by itself, $moment, is answered: $name',
    async ({ isDelivered, statement, prepare }) => {
      const attempt = await prepare(place);
      let isInterrupted = false;
      interceptOnce(statement, isDelivered, () => {
        isInterrupted = true;
      });
      expect({ isAnswered: await attempt.send(), isInterrupted }).toEqual({ isAnswered: true, isInterrupted: true });
      await attempt.use();
      expect(await attempt.livePairs()).toBe(1);
    },
  );

  // Contract: operation#connections-that-end — A connection that ends under a rotation: one successor, given to the
  //   caller
  it.each(ways)('$moment returns the pair to its caller, and only one', async ({ isDelivered }) => {
    const userId = await seedPerson(database);
    const tokens = await seedSession(database, userId);
    let isInterrupted = false;
    interceptOnce(/credentials\.rotate_pair/, isDelivered, () => {
      isInterrupted = true;
    });
    const answer = await post(server.url, operations.refresh, { ...tokens });
    expect({ outcome: outcomeOf(answer), isInterrupted }).toEqual({ outcome: 'OK', isInterrupted: true });
    expect(await outcomeOfMe(tokensOf(answer))).toBe('OK');
    expect(await outcomeOfMe(tokens)).toBe('UNAUTHENTICATED');
    expect(await pairsOf(userId)).toEqual([{ all: 2, live: 1 }]);
  });

  it.each(ways)('$moment returns the pair to its MCP client, and only one', async ({ isDelivered }) => {
    const service = { url: server.url, database, sql };
    const { clientId, person, tokens } = await connect(service);
    const [before] = await pairsOf(person.userId);
    interceptOnce(/credentials\.rotate_client_pair/, isDelivered);
    const answer = await refreshAs(service, { clientId, tokens });
    expect(answer.status).toBe(200);
    expect(await pairsOf(person.userId)).toEqual([{ all: (before?.all ?? 0) + 1, live: before?.live }]);
    const again = await refreshAs(service, { clientId, tokens: clientTokensOf(answer) });
    expect(again.status).toBe(200);
  });

  it.each(ways)('$moment is retried while no session can be opened', async ({ isDelivered }) => {
    const userId = await seedPerson(database);
    const tokens = await seedSession(database, userId);
    const away: Promise<void>[] = [];
    const goAway = async (): Promise<void> => {
      // The query has been sent by then.
      await sleep(10);
      await proxy.cut();
      await sleep(600);
      await proxy.restore();
    };
    interceptOnce(/credentials\.rotate_pair/, isDelivered, () => away.push(goAway()));
    const answer = await post(server.url, operations.refresh, { ...tokens });
    expect(away).toHaveLength(1);
    await Promise.all(away);
    expect(outcomeOf(answer)).toBe('OK');
    await until('look-ups are back', async () => (await outcomeOfMe(tokensOf(answer))) === 'OK');
    expect(await pairsOf(userId)).toEqual([{ all: 2, live: 1 }]);
  });
});
