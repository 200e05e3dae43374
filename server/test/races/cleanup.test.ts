/** Deleting expired rows concurrently with all writers of the same tables: no deadlock, and no lost session. */
import { expect, it } from 'vitest';
import { cleanupJobsFor } from '../../src/domain/cleanup/jobs.ts';
import { runAllJobs } from '../../src/platform/jobs/job-schedule.ts';
import { seedPerson, seedSession } from '../support/actors/seeding.ts';
import { newSuperAdmin, runAs } from '../support/actors/tenants.ts';
import { inParallel, range } from '../support/checks/concurrency.ts';
import { operations, post, type Tokens, tokensOf } from '../support/clients/clients.ts';
import { connect, refreshAs } from '../support/clients/oauth.ts';
import { fixture } from '../support/fixture.ts';
import { setting, startCluster, urlOf } from '../support/gatehouse/cluster.ts';
import { silentLogger } from '../support/gatehouse/silent-logger.ts';

const cleanupJobs = cleanupJobsFor(30);

const cluster = fixture(startCluster);

const rounds = 12;
const people = 6;

/** Long expired rows of a person or client, next to live ones. */
const insertOver = (userId: string, clientId: string | null): Promise<unknown> =>
  cluster.sql(
    `INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, scopes, client_id, issued_at, expires_at, family_expires_at, last_seen_at)
     SELECT gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), 'user_session', gen_random_uuid(),
       gen_random_uuid(), $1, 0, CASE WHEN $2::uuid IS NULL THEN 'api' ELSE 'mcp' END, 'password',
       CASE WHEN $2::uuid IS NULL THEN '{}' ELSE '{mcp:tools}'::text[] END, $2, now() - interval '60 days',
       now() - interval '20 days', now() - interval '20 days', now() - interval '21 days'
     FROM generate_series(1, 120)`,
    [userId, clientId],
  );

const deadlocks = async (): Promise<number> =>
  (await cluster.sql.value<number>('SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()')) ?? 0;

// Contract: organizations#expired-rows — Deletion during use, without a deadlock
it(`deletes during refreshes, sign-outs and revocations of clients without a deadlock (${setting})`, async () => {
  const service = { url: urlOf(cluster, 0), sql: cluster.sql, database: cluster.database };
  const root = await newSuperAdmin(service);
  const before = await deadlocks();
  let isOver = false;
  let deleted = 0;
  const deleting = inParallel(range(2), 2, async () => {
    while (!isOver) {
      const reports = await runAllJobs({ database: cluster.database, logger: silentLogger, jobs: cleanupJobs });
      expect(reports.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      deleted += reports.reduce((total, { deletedRows }) => total + deletedRows, 0);
    }
  });
  try {
    await inParallel(range(people), people, async (index) => {
      const url = urlOf(cluster, index);
      for (const round of range(rounds)) {
        const userId = await seedPerson(cluster.database);
        const { clientId, tokens } = await connect(service, undefined, { person: root });
        const [kept, ended] = [
          await seedSession(cluster.database, userId),
          await seedSession(cluster.database, userId),
        ];
        await Promise.all([insertOver(userId, null), insertOver(root.userId, clientId)]);
        const [rotated, refreshed] = await Promise.all([
          rotateTwice(url, kept),
          round % 2 === 0 ? refreshAs({ url }, { clientId, tokens }) : null,
          post(url, operations.signOut, {}, { authorization: `Bearer ${ended.accessToken}` }),
          round % 2 === 0 ? null : runAs({ url }, root, operations.revokeMcpClient, { id: clientId }),
        ]);
        expect(rotated).toBeNull();
        if (refreshed !== null) expect(refreshed.status).toBe(200);
      }
    });
  } finally {
    isOver = true;
    await deleting;
  }
  await runAllJobs({ database: cluster.database, logger: silentLogger, jobs: cleanupJobs });
  expect(deleted).toBeGreaterThan(people * rounds * 100);
  expect(await deadlocks()).toBe(before);
  expect(cluster.defects()).toEqual([]);
  const left = await cluster.sql.value<number>(
    `SELECT count(*)::integer AS left FROM credentials WHERE family_expires_at < now() - interval '7 days'`,
  );
  expect(left).toBe(0);
});

const rotateTwice = async (url: string, tokens: Tokens): Promise<string | null> => {
  const first = await post(url, operations.refresh, { ...tokens });
  if (first.code !== null) return first.code;
  const second = await post(url, operations.refresh, { ...tokensOf(first) });
  return second.code;
};
