/** What a session that begins tells about the older ones, with servers that only say which role they have. */
import { describe, expect, it } from 'vitest';
import type { StatementClient } from '../../../src/platform/database/connection.ts';
import { DatabaseRefused } from '../../../src/platform/database/failure.ts';
import { requireOwnProcesses } from '../../../src/platform/database/postgres-session.ts';
import { Primary } from '../../../src/platform/database/primary/primary.ts';
import { usableSettings } from '../../support/database/usable-settings.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../../support/gatehouse/wait-limits.ts';

waitAsInProduction();

/** A session with a server that reports these settings, but no system identifier. */
const sessionWith = (facts: typeof usableSettings): StatementClient => ({
  query: ({ text }, callback) => {
    if (text.includes('pg_control_system')) callback(new Error('There is no such function'), none);
    else callback(null, text.includes('pg_is_in_recovery') ? { ...none, rows: [facts] } : none);
  },
});
const none = { command: 'SELECT', rows: [], rowCount: 0 };

const newPrimary = (): Primary =>
  new Primary({
    newClient: () => {
      throw new Error('No heartbeat in this test');
    },
    fenceMillis: 60_000,
    logger: silentLogger,
  });

describe('A session that begins', () => {
  // Contract: operation#former-primary — A session that meets a server in recovery makes the older ones be left
  it.each([
    ['has the older ones left where it meets a server in recovery', { ...usableSettings, isStandby: true }, false],
    [
      'has them kept where its server is refused for another reason',
      { ...usableSettings, synchronousCommit: 'off' },
      true,
    ],
  ])('%s', async (_what, facts, isKept) => {
    const primary = newPrimary();
    const { term } = await primary.begin(sessionWith(usableSettings), '', 1_000);
    primary.fence.confirm(term, performance.now(), 0);
    expect(primary.fence.holds(term)).toBe(true);
    await expect(primary.begin(sessionWith(facts), '', 1_000)).rejects.toBeInstanceOf(DatabaseRefused);
    expect(primary.fence.holds(term)).toBe(isKept);
  });

  // Contract: operation#connection-poolers — A session that does not keep a limit of waits is refused
  it.each([
    ['statement_timeout', { statementMillis: 0 }],
    ['lock_timeout', { lockMillis: 1_501 }],
    ['idle_in_transaction_session_timeout', { idleInTransactionMillis: 0 }],
    ['TimeZone', { timeZone: 'Europe/Berlin' }],
  ])('is refused where a pooler drops %s', async (_what, dropped) => {
    const beginning = newPrimary().begin(sessionWith({ ...usableSettings, ...dropped }), '', 1_000);
    await expect(beginning).rejects.toThrow(/connection pooler .+pool_mode = session/);
  });

  // Contract: operation#connection-poolers — Two open sessions with one process of the server are refused
  it('is refused with the process of another open session, and with none is not judged', () => {
    const key = { pid: 7, begunAt: '1764500000.5' };
    expect(() => requireOwnProcesses(key, { ...key })).toThrow(DatabaseRefused);
    for (const other of [{ ...key, pid: 8 }, { ...key, begunAt: '1764500000.6' }, null]) {
      expect(() => requireOwnProcesses(key, other)).not.toThrow();
    }
    expect(() => requireOwnProcesses(null, null)).not.toThrow();
  });
});
