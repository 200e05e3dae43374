/** Limits that are counted in Redis: by all processes together, and in the database while Redis is unavailable. */
import { afterEach, describe, expect, it } from 'vitest';
import { Keyring } from '../../src/kernel/secrets.ts';
import { connectRedis } from '../../src/platform/redis/redis.ts';
import { inParallel, range, tally, until } from '../support/checks/concurrency.ts';
import { type Answer, newAddress, operations, post } from '../support/clients/clients.ts';
import { askLikeFetch } from '../support/clients/plain-http.ts';
import { redisOnly, redisUrl } from '../support/database/engines.ts';
import { fixture, testFixture } from '../support/fixture.ts';
import { type Service, startService } from '../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';
import {
  answering,
  goodbye,
  infoOf,
  obliging,
  type Script,
  startScriptedRedis,
} from '../support/servers/scripted-redis.ts';

const guessesAtAnAccount = 10;
const secondsBetweenGuesses = 180;

const opened: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

const opening = <T extends { close(): Promise<void> | void }>(thing: T): T => {
  opened.push(thing);
  return thing;
};

/** With keys in Redis that no other test has, unless they share the secret. */
const startLimited = (url: string, secret = `of one test alone ${crypto.randomUUID()}`): Promise<Service> =>
  startService({ RATE_LIMITS_ENABLED: 'true', REDIS_URL: url, GATEHOUSE_SECRET: secret, LOG_LEVEL: 'info' });

const guess = (service: Service, email: string): Promise<Answer> =>
  post(service.url, operations.signIn, { input: { email, password: 'Wrong.horse7' } });

const guesses = async (
  services: readonly [Service, ...Service[]],
  email: string,
  times: number,
): Promise<Record<string, number>> => {
  // No more at once than the queue of hashes accepts on any machine.
  const answers = await inParallel(range(times), 4, (turn) =>
    guess(services[turn % services.length] ?? services[0], email),
  );
  return tally(answers.map(({ code }) => code ?? 'OK'));
};

const rowsOf = async (service: Service): Promise<number> =>
  (await service.sql(`SELECT key FROM rate_limits WHERE key LIKE 'sign_in%'`)).length;

const withPolicy =
  (policy: string): Script =>
  (command) =>
    command[0] === 'INFO' ? infoOf(policy) : counting(command);

describe('A Redis whose policy changes', () => {
  const redis = fixture(() => startScriptedRedis(withPolicy('noeviction')));
  const service = fixture(() => startLimited(redis.url));

  /** With the policy that the next connection, or the next question, finds. */
  const expectTold = async (evicts: boolean): Promise<void> => {
    await until('the service is connected and knows', async () => {
      const readiness = await (await askLikeFetch(`${service.url}/readyz`)).text();
      return readiness.includes('"cache":"ok"') && readiness.includes('"eviction":"evicts"') === evicts;
    });
    expect(await countsInRedis(service)).toBe(!evicts);
    expect(await (await askLikeFetch(`${service.url}/metrics`)).text()).toContain(
      `gatehouse_redis_evicts ${evicts ? 1 : 0}\n`,
    );
  };

  // Contract: requests#trouble-with-redis — A Redis that evicts does not count, also from a change of its policy on
  it('counts while it evicts nothing, and the database does from the next connection on', async () => {
    await expectTold(false);
    redis.follow(withPolicy('allkeys-lru'));
    redis.dropAll();
    await expectTold(true);
    redis.follow(withPolicy('noeviction'));
    redis.dropAll();
    await expectTold(false);
    const told = service.logs.flatMap((line) => /"eviction":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(told).toEqual(['evicts', 'refuses']);
  });
});

describe(`Processes with one Redis${redisOnly}`, () => {
  it.runIf(redisUrl !== undefined)('count together, and write nothing of it into the database', async () => {
    const secret = `of this pair alone ${crypto.randomUUID()}`;
    const start = () => startLimited(redisUrl ?? '', secret);
    const pair = [opening(await start()), opening(await start())] as const;
    const rows = (): Promise<number[]> => Promise.all(pair.map(rowsOf));
    for (const service of pair) await until('Redis counts', async () => countsInRedis(service));
    const before = await rows();
    const reported = await guesses(pair, newAddress(), guessesAtAnAccount + 6);
    expect(reported).toEqual({ INVALID_CREDENTIALS: guessesAtAnAccount, RATE_LIMITED: 6 });
    expect(await rows()).toEqual(before);
  });

  // Contract: requests#trouble-with-redis — Redis poisoned
  it.runIf(redisUrl !== undefined)('are not locked out for longer by forged entries', async () => {
    const secret = `of this one alone ${crypto.randomUUID()}`;
    const service = opening(await startLimited(redisUrl ?? '', secret));
    await until('Redis counts', async () => countsInRedis(service));
    const redis = opening(connectRedis({ url: redisUrl ?? '', logger: silentLogger }));
    await until('Redis is there', async () => redis.isAvailable);
    const poisons = ['no number', '-1e308', 'nan', 'inf', '', String(Date.now() - 1e9), String(Date.now() + 1e12)];
    for (const poison of poisons) {
      const email = newAddress();
      await redis.send(['SET', keyOf(secret, email), poison, 'EX', '60']);
      expect({ poison, code: (await guess(service, email)).code }).toEqual({ poison, code: 'INVALID_CREDENTIALS' });
    }
    const email = newAddress();
    // Ten permits are half an hour; the clock went back by half a minute since they were consumed.
    const ahead = String(Date.now() + 1_830_000);
    await redis.send(['SET', keyOf(secret, email), ahead]);
    const { code, extensions } = await guess(service, email);
    expect(code).toBe('RATE_LIMITED');
    expect(extensions['retryAfterSeconds']).toBeLessThanOrEqual(180);
    // Ten permits and a second.
    expect(Number(await redis.send(['PTTL', keyOf(secret, email)]))).toSatisfy((left) => left > 0 && left <= 1_801_000);
    await redis.send(['DEL', keyOf(secret, email)]);
    await redis.send(['LPUSH', keyOf(secret, email), 'another type of value']);
    expect((await guess(service, email)).code).toBe('INVALID_CREDENTIALS');
    await redis.send(['DEL', keyOf(secret, email)]);
  });
});

/** The documented form (docs/storage.md). */
const keyOf = (secret: string, email: string): string =>
  `gatehouse:limit:sign_in_account:${new Keyring([secret]).mac('rate limit', JSON.stringify([email, '127.0.0.1']))}`;

const countsInRedis = async (service: Service): Promise<boolean> => {
  const before = await rowsOf(service);
  await guess(service, newAddress());
  return (await rowsOf(service)) === before;
};

/** Each permit is the first: three numbers for each key of the script. */
const counting: Script = (command) => {
  const [, , keys = '0'] = command;
  const counts = ':1\r\n:100\r\n:-1\r\n'.repeat(Number(keys));
  return answering(`*${3 * Number(keys)}\r\n${counts}`)(command);
};

const troubles: readonly (readonly [string, Script])[] = [
  ['answers nothing any more', answering(null)],
  ['resets connections', ([verb]) => (verb === 'HELLO' ? (obliging(['HELLO']) ?? '') : goodbye)],
  [
    'does not let this user run scripts',
    answering("-NOPERM User gatehouse has no permissions to run the 'eval' command\r\n"),
  ],
  ['is out of memory', answering("-OOM command not allowed when used memory > 'maxmemory'.\r\n")],
  ['is a replica', answering("-READONLY You can't write against a read only replica.\r\n")],
  ['answers a number', answering(':7\r\n')],
  ['answers half', answering('*1\r\n:1\r\n')],
  ['answers text', answering('*3\r\n$4\r\nlong\r\n$3\r\nago\r\n$4\r\nonce\r\n')],
  ['answers nil', answering('_\r\n')],
];

describe('A Redis that', () => {
  waitAsInProduction();
  const redis = fixture(() => startScriptedRedis(counting));
  const service = fixture(() => startLimited(redis.url));

  // Contract: requests#trouble-with-redis — Redis in trouble: the database counts
  it.each(troubles)('%s leaves the counting to the database', async (_what, script) => {
    redis.follow(counting);
    await until('Redis counts', async () => countsInRedis(service));
    redis.follow(script);
    const email = newAddress();
    await service.sql('DELETE FROM rate_limits');
    expect((await guess(service, email)).code).toBe('INVALID_CREDENTIALS');
    // As if all guesses but two had been made: counted in rows.
    const moved = await service.sql(
      `UPDATE rate_limits SET due_at = due_at + $1 * interval '1 second' WHERE key LIKE 'sign_in_account:%' RETURNING key`,
      [(guessesAtAnAccount - 3) * secondsBetweenGuesses],
    );
    expect(moved).toHaveLength(1);
    expect(await guesses([service], email, 4)).toEqual({ INVALID_CREDENTIALS: 2, RATE_LIMITED: 2 });
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    expect(service.logs.filter((line) => line.includes('request.failed'))).toEqual([]);
  });

  it('was never reachable leaves the counting to the database', async () => {
    const alone = await testFixture(startLimited('redis://127.0.0.1:1'));
    expect(await guesses([alone], newAddress(), guessesAtAnAccount + 1)).toEqual({
      INVALID_CREDENTIALS: guessesAtAnAccount,
      RATE_LIMITED: 1,
    });
  });
});
