/** What became of a transaction, as a server answers it; and when its answer would be about another transaction. */
import { describe, expect, it } from 'vitest';
import { wasCommitted } from '../../src/platform/database/commit-outcome.ts';
import type { StatementClient } from '../../src/platform/database/connection.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';

/** A pool with one session, on a server that writes this timeline and knows this of every transaction. */
const poolOn = (timeline: string | null, status: string | null) => {
  const used = { asked: [] as unknown[], given: [] as string[] };
  const query: StatementClient['query'] = (options, answered) => {
    used.asked.push(...(options.values ?? []));
    answered(null, { command: 'SELECT', rows: [{ status }], rowCount: 1 });
  };
  const client: StatementClient = { query };
  return {
    used,
    take: async () => client,
    timelineOf: () => timeline,
    give: (_client: StatementClient, ending: string) => void used.given.push(ending),
    putBack: () => void used.given.push('unused'),
  };
};

describe('What became of a transaction', () => {
  it.each([
    ['committed', true],
    ['aborted', false],
  ])('is known of one that is %s', async (status, expected) => {
    const pool = poolOn('00000001', status);
    expect(await wasCommitted(pool, '4711', '00000001')).toBe(expected);
    expect(pool.used).toEqual({ asked: ['4711'], given: ['usable'] });
  });

  it.each(['in progress', null])('is not known of one that is %s', async (status) => {
    const pool = poolOn('00000001', status);
    await expect(wasCommitted(pool, '4711', '00000001')).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(pool.used.given).toEqual(['usable']);
  });

  // Specification: Faults — The outcome of a cut commit is asked only of the server that knows it
  it.each([
    ['another server took over', '00000001', '00000002'],
    ['the server names no timeline', null, null],
    ['it did not name it before', null, '00000001'],
  ])('is not asked for where %s: the id may be of another transaction', async (_why, before, now) => {
    const pool = poolOn(now, 'committed');
    await expect(wasCommitted(pool, '4711', before)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(pool.used).toEqual({ asked: [], given: ['unused'] });
  });
});
