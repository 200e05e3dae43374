/** What a session that begins tells about the older ones, with servers that only say which role they have. */
import { describe, expect, it } from 'vitest';
import type { StatementClient } from '../../src/platform/database/connection.ts';
import { DatabaseRefused } from '../../src/platform/database/failure.ts';
import { Primary } from '../../src/platform/database/primary/primary.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';

waitAsInProduction();

const usable = { synchronousCommit: 'on', serverVersion: 150_000, isStandby: false, encoding: 'UTF8' };

/** A session with a server of these facts, which does not report which one it is. */
const sessionWith = (facts: typeof usable): StatementClient => ({
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
    ['has the older ones left where it meets a server in recovery', { ...usable, isStandby: true }, false],
    ['has them kept where its server is refused for another reason', { ...usable, synchronousCommit: 'off' }, true],
  ])('%s', async (_what, facts, isKept) => {
    const primary = newPrimary();
    const { term } = await primary.begin(sessionWith(usable), '', 1_000);
    primary.fence.confirm(term, performance.now(), 0);
    expect(primary.fence.holds(term)).toBe(true);
    await expect(primary.begin(sessionWith(facts), '', 1_000)).rejects.toBeInstanceOf(DatabaseRefused);
    expect(primary.fence.holds(term)).toBe(isKept);
  });
});
