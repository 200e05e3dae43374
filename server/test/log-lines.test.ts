/** What a line of the log holds whoever writes it, and how many lines refusals are. */
import { fastify, LogController } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../src/platform/logger.ts';
import { RefusalLog } from '../src/platform/refusal-log.ts';
import { until } from './support/concurrency.ts';

describe('A line of the HTTP framework', () => {
  it('has an event, and no address, where a route answers twice', async () => {
    const lines: string[] = [];
    const app = fastify({
      loggerInstance: createLogger('debug', { write: (line) => lines.push(line) }),
      logController: new LogController({ disableRequestLogging: true }),
    });
    app.get('/twice', (_request, reply) => {
      reply.send('once');
      reply.send('twice');
    });
    app.get('/past-it', (_request, reply) => {
      reply.raw.writeHead(200);
      reply.send('once more');
      reply.raw.end();
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    await app.inject('/twice?token=canary');
    await app.inject('/past-it?token=canary').catch(() => undefined);
    await app.close();
    expect(lines.filter((line) => line.includes('Reply was already sent')).length).toBeGreaterThan(1);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      lines.map(() => expect.objectContaining({ event: 'http.framework' }) as unknown),
    );
    expect(lines.join('')).not.toContain('canary');
  });
});

describe('Refusals', () => {
  it('are told at once for the first of a kind, then together, with the last of them', async () => {
    const log = new RefusalLog(50);
    const told: string[] = [];
    const note = (key: string, who: string): void =>
      log.note(key, (refusals) => told.push(`${key} ${who} ${refusals}`));
    for (const who of ['a', 'b', 'c']) note('one', who);
    note('other', 'd');
    expect(told).toEqual(['one a 1', 'other d 1']);
    await until('those that followed are told', 30, async () => told.length > 2);
    expect(told).toEqual(['one a 1', 'other d 1', 'one c 2']);
  });
});
