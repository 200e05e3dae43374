/** The connection to a fake Redis in trouble: refused in time, reported once, reconnected automatically. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { connectRedis, type Redis } from '../../src/platform/redis/redis.ts';
import { range, tally, until } from '../support/checks/concurrency.ts';
import { waitAsInProduction, withTestLimits } from '../support/gatehouse/wait-limits.ts';
import {
  answering,
  goodbye,
  hello,
  infoOf,
  obliging,
  type Script,
  type ScriptedRedis,
  startScriptedRedis,
} from '../support/servers/scripted-redis.ts';

/** A person waits no longer for a refusal. */
const timeoutMillis = 5000;

let server: ScriptedRedis;
let redis: Redis | null = null;
let lines: { readonly level: string; readonly facts: Readonly<Record<string, string>>; readonly message: string }[];

beforeEach(async () => {
  lines = [];
  server = await startScriptedRedis(obliging);
});
afterEach(async () => {
  redis?.close();
  redis = null;
  await server.close();
});

const connect = (url = server.url, evictionMillis = 300_000): Redis => {
  const note = (level: string) => (facts: object, message: string) =>
    void lines.push({ level, facts: namesOf(facts), message });
  const logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  redis = connectRedis({ url, logger, evictionMillis });
  return redis;
};

const namesOf = (facts: object): Record<string, string> =>
  Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, String(value)]));

/** The result of a command: its reply, or the code of its refusal. */
const outcomeOf = async (sending: Promise<unknown>): Promise<unknown> => {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

const get = (): Promise<unknown> => outcomeOf((redis ?? connect()).send(['GET', 'key']));
const events = (): string[] =>
  lines.map(({ facts }) => `${facts['event']} ${facts['subject']} ${facts['reason'] ?? ''}`);
const worksAgain = (): Promise<void> => until('Redis answers', async () => (await get()) === 'OK');

/** Many at once; whether the slowest was in time. */
const manyInTime = async (count: number): Promise<{ outcomes: Record<string, number>; inTime: boolean }> => {
  const begun = performance.now();
  const outcomes = await Promise.all(range(count).map(() => get()));
  return { outcomes: tally(outcomes.map(String)), inTime: performance.now() - begun < timeoutMillis };
};

describe('The connection to Redis', () => {
  it('is made in the background, and the first commands wait for it', async () => {
    connect();
    expect(await manyInTime(20)).toEqual({ outcomes: { OK: 20 }, inTime: true });
    expect(server.accepted()).toBe(1);
    expect(lines).toEqual([]);
  });

  it('refuses while no server listens, reports it once, and works as soon as one does', async () => {
    await server.close();
    const port = Number(new URL(server.url).port);
    connect();
    await until('the first attempt failed', async () => lines.length > 0);
    for (const _ of range(3)) expect(await manyInTime(10)).toEqual({ outcomes: { UNAVAILABLE: 10 }, inTime: true });
    server = await startScriptedRedis(obliging, port);
    await worksAgain();
    expect(events()).toEqual(['redis.unavailable connection ECONNREFUSED', 'redis.available connection ']);
  });

  it('never returns an earlier answer to a later command', async () => {
    const asked: string[] = [];
    server.follow(([verb = '', key = '']) => {
      if (verb !== 'GET') return obliging([verb]);
      asked.push(key);
      return null;
    });
    connect();
    expect(await outcomeOf((redis ?? connect()).send(['GET', 'before']))).toBe('UNAVAILABLE');
    expect(asked).toEqual(['before']);
    server.follow(([verb = '', key = '']) => (verb === 'GET' ? `$${key.length}\r\n${key}\r\n` : obliging([verb])));
    await until('Redis answers', async () => (await get()) === 'key');
    const questions = range(50).map((index) => `key ${index}`);
    expect(await Promise.all(questions.map((key) => outcomeOf((redis ?? connect()).send(['GET', key]))))).toEqual(
      questions,
    );
  });

  it('reports a wrong password in one clear sentence, without the address', async () => {
    server.follow(() => '-WRONGPASS invalid username-password pair or user is disabled.\r\n');
    const { host } = new URL(server.url);
    connect(`redis://canary-user:canary-password@${host}/3`);
    await until('it was tried several times', async () => server.accepted() > 3);
    expect(await get()).toBe('UNAVAILABLE');
    expect(lines).toEqual([
      {
        level: 'error',
        facts: { event: 'redis.unavailable', subject: 'connection', reason: 'WRONGPASS' },
        message: 'Redis does not accept the user or the password in REDIS_URL',
      },
    ]);
    server.follow(obliging);
    await worksAgain();
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('names the forbidden command of a user, and continues with the others', async () => {
    server.follow((command) =>
      command[0] === 'GETDEL'
        ? "-NOPERM User canary has no permissions to run the 'getdel' command\r\n"
        : obliging(command),
    );
    connect();
    for (const _ of range(3)) {
      expect(await outcomeOf((redis ?? connect()).send(['GETDEL', 'key']))).toBe('UNAVAILABLE');
      expect(await get()).toBe('OK');
    }
    expect(events()).toEqual(['redis.unavailable GETDEL NOPERM']);
    server.follow(obliging);
    expect(await outcomeOf((redis ?? connect()).send(['GETDEL', 'key']))).toBe('OK');
    expect(events().at(-1)).toBe('redis.available GETDEL ');
    expect(server.accepted()).toBe(1);
  });

  it('treats a key of another type as missing', async () => {
    server.follow(answering('-WRONGTYPE Operation against a key holding the wrong kind of value\r\n'));
    connect();
    expect(await get()).toBeNull();
    expect(lines).toEqual([]);
  });

  it('connects to another server when this one is read-only, as after a failover', async () => {
    server.follow(answering("-READONLY You can't write against a read only replica.\r\n"));
    connect();
    expect(await get()).toBe('UNAVAILABLE');
    server.follow(obliging);
    await worksAgain();
    expect(server.accepted()).toBeGreaterThan(1);
  });

  it('is reopened unnoticed after it was ended, for instance when idle', async () => {
    connect();
    expect(await get()).toBe('OK');
    const begun = performance.now();
    await until('the connection has lasted', async () => performance.now() - begun > 1100);
    server.dropAll();
    await until('there is another one', async () => server.accepted() === 2);
    expect(await manyInTime(20)).toEqual({ outcomes: { OK: 20 }, inTime: true });
    expect(lines).toEqual([]);
  });

  it('asks again while it lasts whether Redis evicts, and logs each change once', async () => {
    const asking = connect(server.url, 20);
    expect([await get(), asking.eviction]).toEqual(['OK', 'refuses']);
    for (const [policy, eviction] of [
      ['allkeys-lru', 'evicts'],
      ['noeviction', 'refuses'],
    ] as const) {
      server.follow((command) => (command[0] === 'INFO' ? infoOf(policy) : obliging(command)));
      await until('it knows', async () => asking.eviction === eviction);
    }
    expect(server.accepted()).toBe(1);
    expect(lines.map(({ level, facts }) => [level, facts])).toEqual([
      ['warn', { event: 'redis.may_evict', eviction: 'evicts' }],
      ['info', { event: 'redis.may_evict', eviction: 'refuses' }],
    ]);
  });

  it('ends when it is closed, even before it is open, and is not reopened', async () => {
    const early = connect();
    early.close();
    early.close();
    expect(await outcomeOf(early.send(['GET', 'key']))).toBe('UNAVAILABLE');
    const used = connect();
    expect(await get()).toBe('OK');
    used.close();
    await until('no connection is left', async () => server.open() === 0);
    const accepted = server.accepted();
    expect(await outcomeOf(used.send(['GET', 'key']))).toBe('UNAVAILABLE');
    expect([server.accepted(), lines]).toEqual([accepted, []]);
  });
});

describe('The connection to a Redis that is silent or confused', () => {
  // Its limits are the rule; what must be answered above has those of tests.
  waitAsInProduction();

  it.each([
    ['never answers, not even the greeting', () => null],
    ['greets and then never answers', answering(null)],
    ['ends each connection at once', () => goodbye],
    ['ends each connection at the first command', answering(goodbye)],
    ['speaks another protocol', () => 'HTTP/1.1 400 Bad Request\r\n\r\n'],
    ['answers too often', ([verb]: readonly string[]) => (verb === 'HELLO' ? hello : '+OK\r\n'.repeat(3))],
  ] satisfies [string, Script][])(
    'refuses in time where a server %s, and works after the repair',
    async (_what, script) => {
      server.follow(script);
      connect();
      for (const _ of range(2)) {
        const { outcomes, inTime } = await manyInTime(20);
        expect([Object.keys(outcomes).filter((outcome) => outcome !== 'OK'), inTime]).toEqual([['UNAVAILABLE'], true]);
      }
      server.follow(obliging);
      await worksAgain();
      expect(events().at(-1)).toBe('redis.available connection ');
    },
  );

  it('bounds the commands waiting for a silent server, in number and in time', async () => {
    const first = await withTestLimits(() => {
      connect();
      return get();
    });
    expect(first).toBe('OK');
    server.follow(answering(null));
    expect(await manyInTime(5000)).toEqual({ outcomes: { UNAVAILABLE: 5000 }, inTime: true });
    server.follow(obliging);
    await worksAgain();
    expect(events()).toEqual(['redis.unavailable connection timeout', 'redis.available connection ']);
  });
});
