/** The known outcome of a transaction after a crash of PostgreSQL, which reuses the ids of lost transactions. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runText } from '../../src/platform/database/connection.ts';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { waitLimits } from '../../src/platform/database/deadlines.ts';
import { PostgresPool } from '../../src/platform/database/postgres-pool.ts';
import { wasCommitted } from '../../src/platform/database/postgres-session.ts';
import { until } from '../support/checks/concurrency.ts';
import { trustingWatch } from '../support/database/trusting-watch.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInTests } from '../support/gatehouse/wait-limits.ts';
import { postgresOfRun } from './support/sites/postgres-server.ts';

const server = postgresOfRun();
const currentId = 'SELECT pg_current_xact_id()::text';

describe('A transaction under which PostgreSQL crashed', () => {
  // How soon the server answers is no part of the rule.
  waitAsInTests();
  let pool: PostgresPool;
  beforeAll(() => {
    pool = new PostgresPool(server.url, 1, silentLogger, trustingWatch());
  });
  afterAll(() => pool.end());

  const query = async (text: string): Promise<string> =>
    (await server.ask('psql', '-d', 'postgres', '-Atqc', text)).trim();

  /** Begins one, runs `end` in it, and crashes the server. */
  const crashUnder = async (end: string | null) => {
    const client = await pool.take();
    const history = pool.historyOf(client);
    await runText(client, 'BEGIN', waitLimits.answerMillis);
    const { rows } = await runText(client, currentId, waitLimits.answerMillis);
    // Without writes in the WAL, its commit would not wait for the disk.
    if (end !== null)
      await runText(client, "SELECT pg_logical_emit_message(true, '', 'written')", waitLimits.answerMillis);
    const id = String(Object.values(rows[0] ?? {})[0]);
    if (end !== null) await runText(client, end, waitLimits.answerMillis);
    await server.stop('immediate');
    pool.give(client, 'unusable');
    await server.start();
    return { id, history };
  };

  // Contract: operation#connections-that-end — After a crash a reused transaction id says nothing about the transaction
  //   that had it first
  it('is not taken for a later one with its id', async () => {
    const { id, history } = await crashUnder(null);
    await until('its id is given out again', async () => BigInt(await query(currentId)) >= BigInt(id));
    expect(await query(`SELECT pg_xact_status('${id}')`)).toBe('committed');
    await expect(wasCommitted(pool, id, history)).rejects.toBeInstanceOf(DatabaseUnavailable);
  });

  it('is known to be committed if it was', async () => {
    const { id, history } = await crashUnder('COMMIT');
    expect(await wasCommitted(pool, id, history)).toBe(true);
  });

  it('is unknown after another checkpoint', async () => {
    const { id, history } = await crashUnder('COMMIT');
    await query('CHECKPOINT');
    await expect(wasCommitted(pool, id, history)).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
