/**
 * Revocations of many sessions that meet another change of the same sessions: one of the two is halted in its midst
 * until the other one is there.
 */
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { statement } from '../../../src/platform/database/database.ts';
import { seedPerson, seedSession } from '../../support/actors/seeding.ts';
import { addTo, newOwner, newSuperAdmin, runAs } from '../../support/actors/tenants.ts';
import { outcomeOf, until } from '../../support/checks/concurrency.ts';
import { haltAt } from '../../support/checks/halts.ts';
import { type Answer, bearer, operations, post, type Tokens } from '../../support/clients/clients.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { fixture, testFixture } from '../../support/fixture.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';

const service = serviceFixture();
const root = fixture(() => newSuperAdmin(service));

/** The outcome, the sessions and credentials that ended, and the number that a conflict has. */
const shown = ({ extensions, ...answer }: Answer): string => {
  const receipts = Object.values(answer.data ?? {}) as { sessions?: number; revokedCredentials?: number }[];
  const [receipt] = receipts;
  const counts = [receipt?.sessions, receipt?.revokedCredentials, extensions['count'] as number | undefined];
  return [outcomeOf({ extensions, ...answer }), ...counts.filter((count) => count !== undefined)].join(' ');
};

const liveOf = async (userId: string): Promise<string> => {
  const rows = await service.sql(
    `SELECT c.id FROM credentials c JOIN users u USING (credentials_revision)
     WHERE c.user_id = $1 AND u.id = $1 AND c.revoked_at IS NULL`,
    [userId],
  );
  return `${rows.length} live`;
};

/**
 * Runs something while a revocation is halted before or after the statement that locks rows.
 * @throws Error the revocation ended before that statement
 */
const whileHalted = async <Met>(
  moment: 'before' | 'after',
  revocation: () => Promise<Answer>,
  meet: (held: readonly unknown[]) => Promise<Met>,
): Promise<[revoked: string, met: Met]> => {
  const halt = haltAt(service.database, moment, 'credentials.lock_free_rows');
  const revoking = revocation();
  try {
    const tooEarly = revoking.then((answer): never => {
      throw new Error(`The revocation ended with ${shown(answer)} before its statement`);
    });
    const met = await meet(await Promise.race([halt.reached, tooEarly]));
    halt.release();
    return [shown(await revoking), met];
  } finally {
    halt.release();
    await revoking;
  }
};

const isWaitingForLock = async (): Promise<boolean> =>
  (await service.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
    .length > 0;

/** Starts an operation that has to wait for a row. @returns its answer to come */
const startWaiting = async (operation: () => Promise<Answer>): Promise<{ readonly answer: Promise<Answer> }> => {
  let isOver = false;
  const answer = operation().finally(() => {
    isOver = true;
  });
  await until('the operation waits for a row', async () => isOver || (await isWaitingForLock()));
  return { answer };
};

const holdKey = statement<unknown, [userId: string]>(
  'test.hold_changes',
  'SELECT pg_advisory_xact_lock(hashtextextended($1::uuid::text, 4711))',
);

/**
 * Halts changes of a person's credentials, their rows in hand, except those of a super admin. The note of a last use,
 * which is written beside any request, is none. @returns ends the halt
 */
const haltChanges = async (userId: string): Promise<() => Promise<void>> => {
  await service.sql(`CREATE OR REPLACE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended(NEW.user_id::text, 4711)); RETURN NULL; END $$`);
  await service.sql(`CREATE OR REPLACE TRIGGER wait_for_test AFTER INSERT OR UPDATE OF revoked_at
    ON credentials FOR EACH ROW
    WHEN (NEW.revocation_reason IS DISTINCT FROM 'revoked_by_super_admin') EXECUTE FUNCTION wait_for_test()`);
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = service.database.transaction(async (transaction) => {
    await transaction.many(holdKey, [userId]);
    held.resolve();
    await release.promise;
  });
  await Promise.race([held.promise, holding]);
  return async () => {
    release.resolve();
    await holding;
  };
};

/**
 * A change in its midst, with its rows in hand, while a revocation tries to end them; it is over before the next round.
 */
const inItsMidst = async (
  userId: string,
  revocation: () => Promise<Answer>,
  change: () => Promise<Answer>,
): Promise<readonly string[]> => {
  const end = await haltChanges(userId);
  try {
    const { answer } = await startWaiting(change);
    const [revoked, changed] = await whileHalted('after', revocation, async (held) => {
      await end();
      return { held: held.length, answer: await answer };
    });
    return [`${changed.held} at once`, revoked, outcomeOf(changed.answer), await liveOf(userId)];
  } finally {
    await end();
  }
};

describe.runIf(isOnPostgres)(
  'A revocation of many sessions (PostgreSQL only: on the embedded engine no change meets another)',
  () => {
    const switching = async () => {
      const [person, target] = [await newOwner(service), await newOwner(service)];
      await addTo(service, person.userId, target.organizationId);
      const change = () => runAs(service, person, operations.switchOrganization, { id: target.organizationId });
      const revoke = () => runAs(service, root, operations.revokeOrganizationSessions, { id: person.organizationId });
      return { userId: person.userId, change, revoke };
    };

    // Contract: incidents#concurrent-rotations-and-sign-ins — revokeOrganizationSessions against a switch of
    //   organization
    it('follows a session that switches to another organization before its rows end', async () => {
      const { userId, change, revoke } = await switching();
      const [revoked, switched] = await whileHalted('before', revoke, change);
      const outcomes = [revoked, outcomeOf(switched), await liveOf(userId)];
      expect(outcomes).toEqual(['OK 1 2', 'OK', '0 live']);
    });

    it('follows a session whose switch holds the rows, and waits for none of them', async () => {
      const { userId, change, revoke } = await switching();
      const outcomes = await inItsMidst(userId, revoke, change);
      expect(outcomes).toEqual(['0 at once', 'OK 1 2', 'OK', '0 live']);
    });

    it('lets no switch of a session through whose rows it has ended', async () => {
      const { userId, change, revoke } = await switching();
      const [revoked, waiting] = await whileHalted('after', revoke, () => startWaiting(change));
      const outcomes = [revoked, outcomeOf(await waiting.answer), await liveOf(userId)];
      expect(outcomes).toEqual(['OK 1 2', 'UNAUTHENTICATED', '0 live']);
    });

    const threeSessions = async () => {
      const userId = await seedPerson(service.database);
      const own = await seedSession(service.database, userId);
      for (const _other of [2, 3]) await seedSession(service.database, userId);
      const revoke = () => runAs(service, root, operations.revokeSessions, { filter: { userId }, expectedCount: 3 });
      return { userId, own, revoke };
    };

    const signOut = (tokens: Tokens): Promise<Answer> => post(service.url, operations.signOut, {}, bearer(tokens));

    // Contract: incidents#concurrent-rotations-and-sign-ins — A session that begins meanwhile is either counted or left
    it('leaves a session that begins once it has counted', async () => {
      const { userId, revoke } = await threeSessions();
      const [revoked] = await whileHalted('before', revoke, () => seedSession(service.database, userId));
      const outcomes = [revoked, await liveOf(userId)];
      expect(outcomes).toEqual(['OK 3 6', '2 live']);
    });

    it('ends nothing when one session, or all, ended otherwise since it counted', async () => {
      for (const [isOne, left] of [
        [true, 2],
        [false, 0],
      ] as const) {
        const { userId, own, revoke } = await threeSessions();
        const [revoked, ended] = await whileHalted('before', revoke, () =>
          isOne ? signOut(own) : runAs(service, root, operations.revokeUserSessions, { id: userId }),
        );
        const outcomes = [revoked, outcomeOf(ended), await liveOf(userId)];
        expect(outcomes).toEqual([`CONFLICT ${left}`, 'OK', `${left * 2} live`]);
      }
    });

    it('ends nothing when a sign-out holds the rows of a session that it counted', async () => {
      const { userId, own, revoke } = await threeSessions();
      const outcomes = await inItsMidst(userId, revoke, () => signOut(own));
      expect(outcomes).toEqual(['2 at once', 'CONFLICT 2', 'OK', '4 live']);
    });

    it('keeps no row of a pair from a change that holds the other one, and ends the pair after it', async () => {
      const { userId, revoke } = await threeSessions();
      const ids = await service.sql.column<string>('SELECT id FROM credentials WHERE user_id = $1 ORDER BY id', [
        userId,
      ]);
      const pair = await service.sql.column<string>(
        'SELECT id FROM credentials WHERE pair_id = (SELECT pair_id FROM credentials WHERE id = $1)',
        [ids[0] ?? ''],
      );
      const change = new pg.Client({ connectionString: service.config.databaseUrl ?? '' });
      await testFixture(change.connect().then(() => ({ close: () => change.end() })));
      const lock = (id = '') => change.query('SELECT FROM credentials WHERE id = $1 FOR UPDATE', [id]);
      await change.query('BEGIN');
      await lock(pair[0]);
      const [revoked, changed] = await whileHalted('after', revoke, async (held) => ({
        held: held.length,
        // It waits for the revocation until that gives up its locks.
        end: lock(pair[1]).then(() => change.query('COMMIT')),
      }));
      await changed.end;
      expect([`${changed.held} at once`, revoked, await liveOf(userId)]).toEqual(['3 at once', 'OK 3 6', '0 live']);
    });

    it('leaves nothing to a sign-out that waits for the rows that it has ended', async () => {
      const { userId, own, revoke } = await threeSessions();
      const [revoked, waiting] = await whileHalted('after', revoke, () => startWaiting(() => signOut(own)));
      const outcomes = [revoked, outcomeOf(await waiting.answer), await liveOf(userId)];
      expect(outcomes).toEqual(['OK 3 6', 'OK', '0 live']);
    });
  },
);
