/** A deadlock that the database ends is a temporary failure for one of the two; neither gets INTERNAL. */
import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable, statement, type Transaction } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { seedPerson } from '../support/actors/seeding.ts';
import { createTestDatabase } from '../support/database/databases.ts';
import { isOnPostgres } from '../support/database/engines.ts';
import { fixture } from '../support/fixture.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const touch = statement<unknown, [userId: string]>('test.touch_user', 'UPDATE users SET name = name WHERE id = $1');

describe.runIf(isOnPostgres)(
  'Two transactions that wait for each other (PostgreSQL only: the embedded engine runs one)',
  () => {
    const stored = fixture(createTestDatabase, (stored) => stored.drop());
    const database = fixture(() =>
      openDatabase({ url: stored.url, dataDirectory: stored.dataDirectory, logger: silentLogger }),
    );

    // Contract: credentials#concurrent-changes — A deadlock that the database ends is a temporary failure
    it('end with one commit and one DatabaseUnavailable, and leave every connection usable', async () => {
      const [left, right] = [await seedPerson(database), await seedPerson(database)];
      const hasBoth = Promise.withResolvers<void>();
      let held = 0;
      const crosswise = (first: string, second: string) => async (transaction: Transaction) => {
        await transaction.execute(touch, [first]);
        held += 1;
        if (held === 2) hasBoth.resolve();
        await hasBoth.promise;
        return transaction.execute(touch, [second]);
      };
      const ends = await Promise.allSettled([
        database.transaction(crosswise(left, right)),
        database.transaction(crosswise(right, left)),
      ]);
      expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      expect(reasons[0]).toBeInstanceOf(DatabaseUnavailable);
      const again = await Promise.all([left, right, left, right].map((id) => database.execute(touch, [id])));
      expect(again).toEqual([1, 1, 1, 1]);
    });
  },
);
