/**
 * Sign-ins and refreshes beside transactions that lock and change the same user: neither waits for the other in a
 * circle.
 */
import { expect, it } from 'vitest';
import { beginSessionAtOnce } from '../../../src/domain/credentials/issue-pair.ts';
import { rotateCredentialPair } from '../../../src/domain/credentials/rotate-pair.ts';
import { lockUserRow } from '../../../src/domain/users/users-store.ts';
import { statement } from '../../../src/platform/database/database.ts';
import { seedPerson, seedSession } from '../../support/actors/seeding.ts';
import { range } from '../../support/checks/concurrency.ts';
import { postgresOnly } from '../../support/database/engines.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';
import { silentLogger } from '../../support/gatehouse/silent-logger.ts';

const service = serviceFixture();
const lifetimes = { accessTtlSeconds: 900, refreshTtlSeconds: 3600, signInHistoryDays: 30 };
const context = { audience: 'api', caller: { ip: null, userAgent: null }, detail: 'none' } as const;

const rename = statement<unknown, [userId: string, name: string]>(
  'test.rename',
  'UPDATE users SET name = $2 WHERE id = $1',
);

const rounds = 400;

// Contract: credentials#concurrent-changes — A sign-in beside a change of the same user: all succeed, without a
//   deadlock
it(`Sign-ins, refreshes and changes of one user never deadlock${postgresOnly}`, async () => {
  const userId = await seedPerson(service.database);
  const proven = { userId, authMethod: 'password' };
  const signIn = async (): Promise<void> => {
    for (const _round of range(rounds)) await beginSessionAtOnce(service.database, lifetimes, proven, context);
  };
  const refresh = async (): Promise<void> => {
    let tokens = await seedSession(service.database, userId);
    const deps = { database: service.database, logger: silentLogger, lifetimes };
    for (const _round of range(rounds)) {
      tokens = await rotateCredentialPair(deps, { ...tokens, ...context, audiences: ['api'] });
    }
  };
  const change = async (): Promise<void> => {
    for (const round of range(rounds)) {
      await service.database.transaction(async (transaction) => {
        await transaction.one(lockUserRow, [userId]);
        await transaction.execute(rename, [userId, `Name ${round}`]);
      });
    }
  };
  const outcomes = await Promise.allSettled([
    ...range(4).map(signIn),
    ...range(2).map(refresh),
    ...range(2).map(change),
  ]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
});
