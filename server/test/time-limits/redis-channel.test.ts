/** The connection over which a process hears of others: it comes again by itself, and tells the log only what to mend. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/platform/logger.ts';
import { RedisChannel } from '../../src/platform/redis-channel.ts';
import { until } from '../support/concurrency.ts';
import { obliging, type Script, type ScriptedRedis, startScriptedRedis } from '../support/scripted-redis.ts';

const bulk = (text: string): string => `$${text.length}\r\n${text}\r\n`;
const channelName = 'gatehouse:test';
const subscribed = `>3\r\n${bulk('subscribe')}${bulk(channelName)}:1\r\n`;
const message = (text: string): string => `>3\r\n${bulk('message')}${bulk(channelName)}${bulk(text)}`;

/** The client library writes this verb small. */
const isSubscription = ([verb]: readonly string[]): boolean => verb?.toUpperCase() === 'SUBSCRIBE';

/** Takes the subscription, and has something to say at once. */
const talking =
  (text: string): Script =>
  (command) =>
    isSubscription(command) ? `${subscribed}${message(text)}` : obliging(command);

let server: ScriptedRedis;
let channel: RedisChannel | null = null;
let heard: string[] = [];
let lines: object[] = [];
beforeEach(async () => {
  server = await startScriptedRedis(talking('first'));
  [heard, lines] = [[], []];
});
afterEach(async () => {
  channel?.close();
  await server.close();
});

const open = (
  send: (command: readonly string[]) => Promise<unknown> = async () => 1,
  isAvailable = true,
): RedisChannel => {
  const logger = createLogger('trace', { write: (line: string) => void lines.push(JSON.parse(line) as object) });
  const received = (text: string): void => void heard.push(text);
  channel = new RedisChannel({ url: server.url, logger, redis: { send, isAvailable }, name: channelName, received });
  return channel;
};

describe('A channel', () => {
  // Specification: Deletion and push — A connection that is lost, or may not listen
  it('hears what is said, and hears again after its connection was lost, without a word in the log', async () => {
    open();
    await until('the first was heard', async () => heard.length === 1);
    server.follow(talking('second'));
    server.dropAll();
    await until('the second was heard', async () => heard.length === 2);
    expect([heard, lines]).toEqual([['first', 'second'], []]);
  });

  it('tells once that the user may not listen, tries on, and tells when it works', async () => {
    server.follow((command) =>
      isSubscription(command) ? '-NOPERM User canary has no permissions\r\n' : obliging(command),
    );
    open();
    await until('it was tried several times', async () => server.accepted() > 3);
    expect(lines).toMatchObject([
      { level: 'error', event: 'redis.unavailable', subject: 'SUBSCRIBE', reason: 'NOPERM' },
    ]);
    server.follow(talking('at last'));
    await until('it works', async () => lines.length === 2);
    expect(lines[1]).toMatchObject({ event: 'redis.available', subject: 'SUBSCRIBE' });
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('comes again more and more slowly to a server that lets it listen and hangs up', async () => {
    server.follow(talking('soon over'));
    open();
    const begin = performance.now();
    while (performance.now() - begin < 3000) {
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      if (heard.length === server.accepted()) server.dropAll();
    }
    expect(heard.length).toBeGreaterThan(1);
    // At most 50 ms between two of them would make sixty.
    expect(server.accepted()).toBeLessThan(12);
  });

  it('loses what it cannot send, and nobody waits or fails', async () => {
    const sent: (readonly string[])[] = [];
    const failing = async (command: readonly string[]): Promise<unknown> => {
      sent.push(command);
      throw new Error('away');
    };
    open(failing).send('one');
    open(failing, false).send('two');
    await until('it listens', async () => heard.length > 0);
    expect(sent).toEqual([['PUBLISH', channelName, 'one']]);
  });

  it('that is closed makes no connection any more', async () => {
    const closed = open();
    await until('the first was heard', async () => heard.length === 1);
    closed.close();
    await until('no connection is left', async () => server.open() === 0);
    const before = server.accepted();
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    expect(server.accepted()).toBe(before);
  });
});
