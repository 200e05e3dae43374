/** A membership that is deleted while its user switches to it: no user is left in a membership that does not exist. */
import { describe, expect, it } from 'vitest';
import { statement, type Transaction } from '../../../src/platform/database/database.ts';
import { openDatabase } from '../../../src/platform/database/open.ts';
import { seedPerson } from '../../support/actors/seeding.ts';
import { createTestDatabase } from '../../support/database/databases.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { fixture } from '../../support/fixture.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';

const activate = statement<unknown, [userId: string, memberId: string | null]>(
  'test.activate',
  'UPDATE users SET current_membership = $2 WHERE id = $1',
);
const remove = statement<unknown, [memberId: string]>('test.remove', 'DELETE FROM organization_members WHERE id = $1');
const findMembership = statement<{ readonly id: string }, [userId: string]>(
  'test.find_membership',
  'SELECT id FROM organization_members WHERE user_id = $1',
);
const findCurrent = statement<{ readonly current: string | null }, [userId: string]>(
  'test.find_current',
  'SELECT current_membership AS current FROM users WHERE id = $1',
);
const countWaiting = statement<{ readonly waiting: number }>(
  'test.count_waiting',
  `SELECT count(*)::integer AS waiting FROM pg_stat_activity
   WHERE datname = current_database() AND wait_event_type = 'Lock'`,
);

describe.runIf(isOnPostgres)(
  'A deletion beside a switch (PostgreSQL only: the embedded engine runs one transaction)',
  () => {
    const stored = fixture(createTestDatabase, (stored) => stored.drop());
    const database = fixture(() =>
      openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger }),
    );

    // Contract: credentials#concurrent-changes — A membership is deleted while its user switches to it
    it('waits for the switch, and clears what it set', async () => {
      const userId = await seedPerson(database);
      const { id } = await database.one(findMembership, [userId]);
      await database.execute(activate, [userId, null]);
      const isSet = Promise.withResolvers<void>();
      const mayCommit = Promise.withResolvers<void>();
      const switching = database.transaction(async (transaction: Transaction) => {
        await transaction.execute(activate, [userId, id]);
        isSet.resolve();
        await mayCommit.promise;
      });
      await isSet.promise;
      const removing = database.execute(remove, [id]);
      await expect.poll(async () => (await database.one(countWaiting, [])).waiting).toBe(1);
      mayCommit.resolve();
      await Promise.all([switching, removing]);
      expect(await database.one(findCurrent, [userId])).toEqual({ current: null });
      expect(await database.maybeOne(findMembership, [userId])).toBeNull();
    });
  },
);
