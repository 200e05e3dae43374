/** `gatehouse doctor` on Redis: one that accepts, refuses or is down, and servers of other protocols. */
import { randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLogger } from '../../src/platform/observability/logger.ts';
import { connectRedis, type Redis } from '../../src/platform/redis/redis.ts';
import { diagnose, expectFault, faults, theFault } from '../doctor/run-doctor.ts';
import { newDirectory } from '../support/database/databases.ts';
import { redisOnly, redisUrl } from '../support/database/engines.ts';
import type { Environment } from '../support/gatehouse/gatehouse-process.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';
import { listen } from '../support/servers/listen.ts';
import { obliging, startScriptedRedis } from '../support/servers/scripted-redis.ts';

waitAsInProduction();

const withRedis = async (url: string): Promise<Environment> => ({
  NODE_ENV: 'test',
  BASE_URL: 'http://localhost:1',
  DATA_DIR: await newDirectory(),
  REDIS_URL: url,
});

const says = (pattern: RegExp): unknown => expect.stringMatching(pattern);

/** A server that is not Redis; returns the port. */
const listenLike = async (onConnection: (socket: Socket) => void): Promise<number> => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  const { port, close } = await listen(server);
  onTestFinished(close);
  return port;
};

describe('Redis', () => {
  it('is valid without one: the database replaces it', async () => {
    const { findings } = await diagnose(await withRedis(''));
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'redis', level: 'ok', says: says(/^REDIS_URL is not set/) }),
    );
  });

  it.each([
    [
      'no server listens there',
      'redis://:Canary@127.0.0.1:1',
      /^Redis at 127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/,
    ],
    ['the host is unknown', 'rediss://redis.invalid', /^Redis at redis\.invalid:6379 cannot be reached/],
  ])('has a fault when %s', async (_what, url, pattern) => {
    expectFault(await diagnose(await withRedis(url)), 'redis', { level: 'error', says: pattern, fix: /REDIS_URL/ });
  });

  it('has a fault when production may use Redis without TLS', async () => {
    const environment = {
      ...(await withRedis('redis://redis.invalid')),
      NODE_ENV: 'production',
      BASE_URL: 'https://localhost:1',
      DATABASE_URL: 'postgres://127.0.0.1:1/x',
      FRONTEND_URL: 'https://localhost:1',
      GATEHOUSE_SECRET: 'Canary-0123456789-abcdefghijklmnopqrstuvwxyz',
      MAIL_FROM: 'no-reply@gatehouse.dev',
      SMTP_URL: 'smtp://127.0.0.1:1',
      REDIS_PLAINTEXT: 'allowed',
    };
    expect(faults(await diagnose(environment), 'redis')).toContainEqual(
      expect.objectContaining({ level: 'warning', says: says(/not encrypted/), fix: says(/rediss:/) }),
    );
  });

  it.each([
    { reply: '', what: /cannot be reached \(no answer in time\)/ },
    { reply: '-WRONGPASS Canary', what: /refused the user or the password \(WRONGPASS\)/ },
    { reply: '-NOAUTH Canary', what: /refused the user or the password \(NOAUTH\)/ },
    { reply: '-NOPERM Canary', what: /lacks permissions .* that Gatehouse needs \(NOPERM\)/ },
    { reply: '-LOADING Canary', what: /answers with an error \(LOADING\)/ },
    { reply: 'HTTP/1.1 400 Bad Request', what: /cannot be reached/ },
  ])('has a fault when it answers "$reply", whose text is not shown', async ({ reply, what }) => {
    const port = await listenLike((socket) => {
      if (reply !== '') socket.on('data', () => socket.write(`${reply}\r\n`));
    });
    const diagnosis = await diagnose(await withRedis(`redis://:Canary-word@127.0.0.1:${port}`));
    expectFault(diagnosis, 'redis', { level: 'error', says: what });
  });
});

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const memory = (most: number, policy: string): string =>
  bulk(`# Memory\r\nused_memory:1\r\nmaxmemory:${most}\r\nmaxmemory_policy:${policy}\r\n`);

/** A Redis that accepts everything, and answers INFO with this. */
const redisWithInfo = async (info: string): Promise<string> => {
  const server = await startScriptedRedis((command) => (command[0] === 'INFO' ? info : obliging(command)));
  onTestFinished(() => server.close());
  return server.url;
};

describe('Redis whose memory is full', () => {
  const evicts = /deletes keys when its memory is full, so that/;
  const isUnknown = /does not tell whether/;

  it.each([
    [memory(1e8, 'allkeys-lru'), evicts, 'evicts', 'evicts'],
    [memory(1e8, 'volatile-ttl'), evicts, 'evicts', 'evicts'],
    ['-NOPERM Canary\r\n', isUnknown, 'unknown', 'unknown'],
    ['-ERR unknown command\r\n', isUnknown, 'unknown', 'unknown'],
    [bulk('# Memory\r\n'), isUnknown, 'unknown', 'unknown'],
    [memory(1e8, 'noeviction'), null, null, 'refuses'],
    [memory(0, 'allkeys-lru'), null, null, 'refuses'],
  ])('that says %j of it: doctor and log say so, and a service knows', async (info, warning, logged, eviction) => {
    const url = await redisWithInfo(info);
    const environment = await withRedis(url);
    const found = faults(await diagnose(environment), 'redis');
    expect(found).toEqual(
      warning === null
        ? []
        : [expect.objectContaining({ level: 'warning', says: says(warning), fix: says(/noeviction/) })],
    );
    const lines: string[] = [];
    const redis = connectRedis({ url, logger: createLogger('trace', { write: (line) => lines.push(line) }) });
    onTestFinished(async () => redis.close());
    await redis.send(['GET', 'key']);
    expect(redis.eviction).toBe(eviction);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      logged === null ? [] : [expect.objectContaining({ event: 'redis.may_evict', level: 'warn', eviction: logged })],
    );
  });
});

describe.runIf(redisUrl !== undefined)(`Redis${redisOnly}`, () => {
  const connected = (): Redis => {
    const redis = connectRedis({ url: redisUrl ?? '', logger: silentLogger });
    onTestFinished(async () => redis.close());
    return redis;
  };

  const urlFor = (user: string, password: string): string => {
    const url = new URL(redisUrl ?? '');
    url.username = user;
    url.password = password;
    return url.href;
  };

  const newUser = async (...rules: readonly string[]): Promise<string> => {
    const redis = connected();
    const name = `doctor-${randomBytes(6).toString('hex')}`;
    await redis.send(['ACL', 'SETUSER', name, 'on', '>Canary-word', ...rules]);
    onTestFinished(async () => void (await redis.send(['ACL', 'DELUSER', name])));
    return name;
  };

  it('is valid when it accepts the configuration, and is left unchanged', async () => {
    const redis = connected();
    const diagnosis = await diagnose(await withRedis(redisUrl ?? ''));
    expect(faults(diagnosis, 'redis')).toEqual([]);
    expect(diagnosis.findings).toContainEqual(
      expect.objectContaining({ check: 'redis', level: 'ok', says: says(/accepts this configuration/) }),
    );
    expect(await redis.send(['EXISTS', 'gatehouse:doctor'])).toBe(0);
  });

  it('accepts a user with exactly the permissions named in the fix of an error', async () => {
    const reader = urlFor(await newUser('~gatehouse:*', '+get'), 'Canary-word');
    const fault = theFault(await diagnose(await withRedis(reader)), 'redis');
    expect(fault).toMatchObject({ level: 'error', says: says(/that Gatehouse needs \(NOPERM\)/) });
    const rules = /ACL SETUSER … ([^)]*)\)/.exec(fault.fix ?? '')?.[1] ?? '';
    expect(rules).toContain('+getdel');
    const user = urlFor(await newUser(...rules.split(' ')), 'Canary-word');
    expect(faults(await diagnose(await withRedis(user)), 'redis')).toEqual([]);
  });

  // Contract: operation#doctor-of-redis — The doctor: Redis
  it('has a fault when it refuses the password', async () => {
    const url = urlFor(await newUser('~*', '+@all'), 'Canary-other');
    expectFault(await diagnose(await withRedis(url)), 'redis', {
      level: 'error',
      says: /refused the user or the password \(WRONGPASS\)/,
    });
  });
});
