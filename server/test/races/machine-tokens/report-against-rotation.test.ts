/** A token that is rotated while a report of its leak is worked off ends with every secret, whichever comes first. */
import { describe, expect, it } from 'vitest';
import {
  makeReportsDue,
  reasonOf,
  reportsWaiting,
  type SeededToken,
  seedPersonalToken,
  storeReport,
} from '../../machine-tokens/reported.ts';
import { dataOf, type Issued, refusalOf, rotate } from '../../support/actors/machines/token-operations.ts';
import { newOwner, type Tenant } from '../../support/actors/tenants.ts';
import { until } from '../../support/checks/concurrency.ts';
import type { Answer } from '../../support/clients/clients.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';

const service = serviceFixture();

const overlaps = [
  ['with an overlap', 3600],
  ['without an overlap', 0],
] as const;

interface Scene {
  readonly owner: Tenant;
  readonly token: SeededToken;
}

/** A token whose report was accepted and waits. */
const newScene = async (): Promise<Scene> => {
  const owner = await newOwner(service);
  const token = await seedPersonalToken(service, owner);
  await storeReport(service, token.secret);
  return { owner, token };
};

const rotateIn = ({ owner, token }: Scene, overlapSeconds: number): Promise<Answer> =>
  rotate(service, owner, { tokenId: token.id, overlapSeconds });

const workOff = async (): Promise<void> => {
  await makeReportsDue(service);
  await service.flush();
};

const liveSecretsOf = async ({ token }: Scene): Promise<number> =>
  (await service.sql('SELECT FROM credentials WHERE session_family_id = $1 AND revoked_at IS NULL', [token.id])).length;

const subjectsTo = async ({ owner }: Scene): Promise<string[]> =>
  (await service.mailsTo(owner.email)).map(({ subject }) => subject).toSorted();

const leaked = 'Your personal token “deploy” was reported as leaked';

/** The token has no secret that is accepted, and its owner was told of the leak once. */
const expectEnded = async (scene: Scene, ...secrets: readonly string[]): Promise<void> => {
  for (const secret of secrets) expect(await refusalOf(service, secret)).toBe('UNAUTHENTICATED');
  expect(await liveSecretsOf(scene)).toBe(0);
  expect((await subjectsTo(scene)).filter((subject) => subject === leaked)).toHaveLength(1);
  expect(await reportsWaiting(service)).toBe(0);
};

describe('A report that waits', () => {
  it.each(overlaps)('ends the secret that a rotation %s gave meanwhile', async (_, overlapSeconds) => {
    const scene = await newScene();
    const next = dataOf<Issued>(await rotateIn(scene, overlapSeconds));
    expect(await refusalOf(service, next.secret)).toBeNull();
    await workOff();
    await expectEnded(scene, scene.token.secret, next.secret);
    expect(await reasonOf(service, next.secret)).toBe('reported_leaked');
  });

  it('leaves nothing to rotate once it is worked off', async () => {
    const scene = await newScene();
    await workOff();
    expect((await rotateIn(scene, 3600)).code).toBe('NOT_FOUND');
    await expectEnded(scene, scene.token.secret);
  });
});

/**
 * Holds the lock of the organization's audit, which a transaction takes last: until it is released, what changes a
 * token has made its changes and is not committed.
 */
const holdLastLock = async ({ owner }: Scene): Promise<() => Promise<void>> => {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = service.database.transaction(async (transaction) => {
    await sqlOn(transaction)('SELECT lock_organization_audits($1)', [owner.organizationId]);
    held.resolve();
    await release.promise;
  });
  await Promise.race([held.promise, holding]);
  return async () => {
    release.resolve();
    await holding;
  };
};

const untilWaiting = (count: number): Promise<void> =>
  until(`${count} transactions wait`, async () => {
    const rows = await service.sql(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length >= count;
  });

/**
 * Runs the first one until it could commit, then the second one until it waits for the first, and then both to their
 * ends.
 */
const meet = async <First, Second>(
  scene: Scene,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> => {
  const release = await holdLastLock(scene);
  const begun: Promise<unknown>[] = [];
  try {
    const one = first();
    begun.push(one);
    await untilWaiting(1);
    const two = second();
    begun.push(two);
    await untilWaiting(2);
    await release();
    return await Promise.all([one, two]);
  } finally {
    await release();
    await Promise.allSettled(begun);
  }
};

describe.runIf(isOnPostgres)('A report (PostgreSQL only: the embedded engine runs one transaction)', () => {
  it.each(overlaps)('ends the secret of a rotation %s that is about to commit', async (_, overlapSeconds) => {
    const scene = await newScene();
    const [answer] = await meet(scene, () => rotateIn(scene, overlapSeconds), workOff);
    const next = dataOf<Issued>(answer);
    await expectEnded(scene, scene.token.secret, next.secret);
    expect(await reasonOf(service, next.secret)).toBe('reported_leaked');
  });

  it('that is about to end a token lets no rotation give it a new secret', async () => {
    const scene = await newScene();
    const [, answer] = await meet(scene, workOff, () => rotateIn(scene, 3600));
    expect(answer.code).toBe('NOT_FOUND');
    await expectEnded(scene, scene.token.secret);
    expect(await subjectsTo(scene)).toEqual([leaked]);
  });
});
