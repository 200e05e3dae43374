/** Duties of the embedded engine alone: maintenance, the queue for its one session, and detecting that it is broken. */
import { rename } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable, statement } from '../../src/platform/database/database.ts';
import { openEmbedded } from '../../src/platform/database/embedded/embedded.ts';
import { type CleanupSession, cleanUp } from '../../src/platform/database/embedded/embedded-cleanup.ts';
import { SessionQueue } from '../../src/platform/database/embedded/session-queue.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { embedded, embeddedOnly } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

/** Intervals that start meanwhile fire when the test says so, and never afterwards. */
const withoutIntervals = async <T>(open: () => Promise<T>): Promise<T> => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  try {
    return await open();
  } finally {
    vi.useRealTimers();
  }
};

// Starting an engine takes half a second of the processor, so they share one: the last of them breaks it.
describe.runIf(embedded)(`The embedded engine${embeddedOnly}`, { timeout: 120_000 }, () => {
  const reasons: string[] = [];
  const onFatal = (reason: string): void => void reasons.push(reason);
  const stored = fixture(createTestDatabase, (stored) => stored.drop());
  // Its own maintenance would interfere with the requests of a test.
  const database = fixture(() =>
    withoutIntervals(() => openEmbedded({ dataDirectory: stored.dataDirectory, logger: silentLogger, onFatal })),
  );

  it('writes each commit to disk before it acknowledges it', async () => {
    const setting = statement<{ value: string }, readonly [string]>(
      'test.setting',
      'SELECT current_setting($1) AS value',
    );
    expect((await database.one(setting, ['fsync'])).value).toBe('on');
    expect((await database.one(setting, ['wal_sync_method'])).value).toBe('fsync');
    expect((await database.one(setting, ['synchronous_commit'])).value).toBe('on');
  });

  it('is maintained: its log is checkpointed and its dead rows are vacuumed', async () => {
    const maxBytes = 2 ** 20;
    const wal = statement<{ bytes: number }>(
      'test.wal',
      'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::bigint AS bytes FROM pg_control_checkpoint()',
    );
    const dead = statement<{ dead: number }>(
      'test.dead',
      "SELECT n_dead_tup AS dead FROM pg_stat_user_tables WHERE relname = 'worn'",
    );
    const session: CleanupSession = {
      run: async ({ name, text }) => ({ command: '', rows: await database.many({ name, text }, []), rowCount: null }),
      runText: (text) => database.execute({ name: `test ${text}`.slice(0, 60), text }, []),
    };
    await database.transaction((transaction) =>
      transaction.script(
        `CREATE TABLE worn AS SELECT n, repeat(md5(n::text), 30) AS filler FROM generate_series(1, 800) AS n;
         UPDATE worn SET filler = filler || 'x';`,
        60_000,
      ),
    );
    await database.many(statement<unknown>('test.flush', 'SELECT pg_stat_force_next_flush()::text'), []);
    await database.ping();
    expect((await database.one(wal, [])).bytes).toBeGreaterThan(maxBytes);
    expect((await database.one(dead, [])).dead).toBeGreaterThan(0);
    await cleanUp(session, true, maxBytes);
    expect((await database.one(dead, [])).dead).toBe(0);
    await cleanUp(session, false, maxBytes);
    expect((await database.one(wal, [])).bytes).toBeLessThan(maxBytes);
  });

  it('is logged as fatal although its volume is gone by then', async () => {
    const directory = stored.dataDirectory;
    const failing = (state: string) =>
      statement<never>(
        `test.fails_with_${state}`,
        `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}', MESSAGE = 'could not read'; END $$`,
      );
    // Keeps the files that a failing statement reads in memory.
    await expect(database.execute(failing('22000'), [])).rejects.toThrow('could not read');
    expect(reasons).toEqual([]);
    await rename(directory, `${directory}-gone`);
    await expect(database.execute(failing('58030'), [])).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(reasons).toEqual([`The embedded database in ${directory} stopped: could not read.`]);
    await rename(`${directory}-gone`, directory);
  });
});

describe('The queue for one session', () => {
  it('are started in the order of arrival, statements together and transactions alone', async () => {
    const turns = new SessionQueue(1_000);
    const events: string[] = [];
    const first = Promise.withResolvers<void>();
    const transaction = (name: string, until: Promise<void>): Promise<void> =>
      turns.transaction(async (end) => {
        events.push(`${name} begins`);
        await until;
        events.push(`${name} ends`);
        end();
      });
    const statementNamed = (name: string): Promise<void> =>
      turns.statement(async () => {
        events.push(name);
      });
    const all = [
      statementNamed('a'),
      transaction('t', first.promise),
      statementNamed('b'),
      statementNamed('c'),
      transaction('u', Promise.resolve()),
      statementNamed('d'),
    ];
    expect(events).toEqual(['a', 't begins']);
    first.resolve();
    await Promise.all(all);
    expect(events).toEqual(['a', 't begins', 't ends', 'b', 'c', 'u begins', 'u ends', 'd']);
  });

  it('that do not start within the timeout are refused as unavailable, and leave the queue', async () => {
    const turns = new SessionQueue(30);
    const held = Promise.withResolvers<void>();
    const holder = turns.transaction(async (end) => {
      await held.promise;
      end();
    });
    let ran = false;
    const late = turns.statement(async () => {
      ran = true;
    });
    await expect(late).rejects.toBeInstanceOf(DatabaseUnavailable);
    held.resolve();
    await holder;
    await turns.statement(async () => {});
    expect(ran).toBe(false);
  });
});
