/** The outcome of a transaction as a server reports it; and when the report would be about another transaction. */
import { describe, expect, it } from 'vitest';
import type { StatementClient } from '../../../src/platform/database/connection.ts';
import { DatabaseUnavailable } from '../../../src/platform/database/database.ts';
import type { ServerHistory } from '../../../src/platform/database/postgres-session.ts';
import { wasCommitted } from '../../../src/platform/database/postgres-session.ts';

const history: ServerHistory = { timeline: '00000001', countsSince: '2026-11-22 23:27:45.020832+00' };

const none = { command: 'SELECT', rows: [], rowCount: 0 };

/** A pool with one session, on a server with this timeline that reports this status of every transaction. */
const poolOn = (now: ServerHistory | null, status: string | null) => {
  const used = { texts: [] as string[], asked: [] as unknown[], given: [] as string[] };
  const query: StatementClient['query'] = (options, answered) => {
    if (options.name === 'database.history') {
      if (now === null) answered(new Error('There is no such function'), none);
      else answered(null, { command: 'SELECT', rows: [now], rowCount: 1 });
      return;
    }
    used.texts.push(options.text);
    used.asked.push(...(options.values ?? []));
    answered(null, { command: 'SELECT', rows: [{ status }], rowCount: 1 });
  };
  const client: StatementClient = { query };
  return {
    used,
    take: async () => client,
    give: (_client: StatementClient, ending: string) => void used.given.push(ending),
  };
};

describe('The outcome of a transaction', () => {
  it.each([
    ['committed', true],
    ['aborted', false],
  ])('is known of one that is %s', async (status, expected) => {
    const pool = poolOn(history, status);
    expect(await wasCommitted(pool, '4711', history)).toBe(expected);
    expect(pool.used).toMatchObject({ asked: ['4711'], given: ['usable'] });
    expect(pool.used.texts.join()).not.toContain('checkpoint');
  });

  it.each(['in progress', null])('is unknown of one that is %s', async (status) => {
    const pool = poolOn(history, status);
    await expect(wasCommitted(pool, '4711', history)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(pool.used.given).toEqual(['usable']);
  });

  it("is checked against the recovery's findings once the server has crashed", async () => {
    const pool = poolOn({ ...history, countsSince: '2026-11-22 23:27:47.965674+00' }, 'committed');
    expect(await wasCommitted(pool, '4711', history)).toBe(true);
    expect(pool.used.texts.join()).toContain('checkpoint');
  });

  // Contract: operation#connections-that-end — The outcome of a cut commit is queried only on the same server
  it.each([
    ['another server took over', history, { ...history, timeline: '00000002' }],
    ['the server reports no timeline', null, null],
    ['it did not report one before', null, history],
  ])('is not queried when %s: the id may be of another transaction', async (_why, before, now) => {
    const pool = poolOn(now, 'committed');
    await expect(wasCommitted(pool, '4711', before)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(pool.used).toMatchObject({ texts: [], asked: [], given: ['usable'] });
  });
});
