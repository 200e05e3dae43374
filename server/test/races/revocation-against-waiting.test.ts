/**
 * Whoever waits for a lock while their session is ended, with the receipt in somebody's hands, does nothing any more: what
 * was acknowledged binds what is under way too.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, operations, post } from '../support/clients.ts';
import { isOnPostgres } from '../support/cluster.ts';
import { until } from '../support/concurrency.ts';
import { type Service, startService } from '../support/gatehouse.ts';
import { sqlOn } from '../support/sql.ts';
import { addTo, inviteTo, newMember, newOwner, runAs, type Tenant } from '../support/tenants.ts';

/** What somebody is about to do, and the rows that it waits for. */
interface Act {
  readonly query: string;
  variables(person: Tenant, other: Tenant): Promise<Readonly<Record<string, unknown>>>;
  readonly locks: string;
  /** Counts what the act makes or takes away; the same before and after where it does nothing. */
  readonly effect: string;
}

const members =
  'SELECT count(*)::integer AS count FROM organization_members WHERE user_id = $1 AND joined_at IS NOT NULL';
const person = 'SELECT id FROM users WHERE id = $1 FOR NO KEY UPDATE';
const organizations = `SELECT o.id FROM organizations o JOIN organization_members m ON m.organization_id = o.id
  WHERE m.user_id = $1 ORDER BY o.id FOR NO KEY UPDATE OF o`;

const acts: Readonly<Record<string, Act>> = {
  'accepts an invitation': {
    query: operations.acceptInvitation,
    variables: async ({ userId }, { organizationId }) => ({ token: await inviteTo(service, userId, organizationId) }),
    locks: person,
    effect: members,
  },
  'accepts an invitation that somebody else is just changing': {
    query: operations.acceptInvitation,
    variables: async ({ userId }, { organizationId }) => ({ token: await inviteTo(service, userId, organizationId) }),
    locks: 'SELECT id FROM organization_members WHERE user_id = $1 AND joined_at IS NULL FOR UPDATE',
    effect: members,
  },
  'removes a member': {
    query: operations.removeMember,
    variables: async ({ organizationId }) => ({ id: (await newMember(service, organizationId)).memberId }),
    locks: `SELECT u.id FROM users u JOIN organization_members m ON m.user_id = u.id
      JOIN organization_members own ON own.organization_id = m.organization_id AND own.user_id = $1
      WHERE u.id <> $1 FOR NO KEY UPDATE OF u`,
    effect: `SELECT count(*)::integer AS count FROM organization_members m
      JOIN organization_members own ON own.organization_id = m.organization_id WHERE own.user_id = $1`,
  },
  'leaves an organization': {
    query: operations.removeMember,
    variables: async ({ userId }, { organizationId }) => ({ id: await addTo(service, userId, organizationId) }),
    locks: organizations,
    effect: members,
  },
  'founds an organization': {
    query: operations.createOrganization,
    variables: async (founder) => {
      // The turn that is taken here is the row that the next one waits for.
      await runAs(service, founder, operations.createOrganization, { input: { name: 'The first' } });
      return { input: { name: 'The second' } };
    },
    locks: 'SELECT $1::uuid AS id FROM rate_limits FOR UPDATE',
    effect: members,
  },
  'renames an organization': {
    query: operations.renameOrganization,
    variables: async () => ({ name: 'Another name' }),
    locks: organizations,
    effect: `SELECT count(*)::integer AS count FROM organizations o JOIN organization_members m ON m.organization_id = o.id
      WHERE m.user_id = $1 AND o.name = 'Another name'`,
  },
};

let service: Service;

/** Holds the rows until the returned function is called. */
const hold = async (text: string, userId: string): Promise<() => Promise<void>> => {
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = service.database.transaction(async (transaction) => {
    await sqlOn(transaction)(text, [userId]);
    held.resolve();
    await release.promise;
  });
  await Promise.race([held.promise, holding]);
  return async () => {
    release.resolve();
    await holding;
  };
};

const somebodyWaits = async (): Promise<boolean> => {
  const rows = await service.sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
};

describe.runIf(isOnPostgres)('Whoever (PostgreSQL only: the embedded engine lets nobody wait for a row)', () => {
  beforeAll(async () => {
    service = await startService({ RATE_LIMITS_ENABLED: 'true' });
  });
  afterAll(() => service.close());

  it.each(Object.entries(acts))('%s does nothing once they are signed out meanwhile', async (_title, act) => {
    const [actor, other] = [await newOwner(service), await newOwner(service)];
    const variables = await act.variables(actor, other);
    const count = async () => (await service.sql<{ count: number }>(act.effect, [actor.userId]))[0]?.count;
    const before = await count();
    const release = await hold(act.locks, actor.userId);
    const acting = runAs(service, actor, act.query, variables);
    try {
      await until('the act waits for the rows', 10, somebodyWaits);
      expect((await post(service.url, operations.signOut, {}, bearer(actor.tokens))).code).toBeNull();
    } finally {
      await release();
    }
    expect((await acting).code).toBe('UNAUTHENTICATED');
    expect(await count()).toBe(before);
  });
});
