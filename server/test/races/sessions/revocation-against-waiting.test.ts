/** A caller that waits for a lock while their session is revoked changes nothing. */

import { describe, expect, it } from 'vitest';
import { credentialIdOf } from '../../support/actors/credentials.ts';
import {
  addTo,
  inviteTo,
  newMember,
  newOwner,
  newSuperAdmin,
  runAs,
  type Tenant,
} from '../../support/actors/tenants.ts';
import { until } from '../../support/checks/concurrency.ts';
import { newAddress, operations, type Tokens } from '../../support/clients/clients.ts';
import { auditRows, callTool, newMcpClient } from '../../support/clients/mcp.ts';
import { isOnPostgres } from '../../support/database/engines.ts';
import { sqlOn } from '../../support/database/sql.ts';
import { fixture } from '../../support/fixture.ts';
import { serviceFixture } from '../../support/gatehouse/gatehouse.ts';
import {
  checkoutCompleted,
  checkoutPath,
  deliver,
  newProviderId,
  portalPath,
  secretKey,
  startFakeStripe,
  webhookSecret,
} from '../../support/servers/payments.ts';

interface Act {
  readonly query: string;
  variables(person: Tenant, other: Tenant): Promise<Readonly<Record<string, unknown>>>;
  readonly locks: string;
  /** Counts the rows that the operation adds or deletes; equal before and after when it does nothing. */
  readonly effect: string;
}

const members =
  'SELECT count(*)::integer AS count FROM organization_members WHERE user_id = $1 AND joined_at IS NOT NULL';
/** The rows of all others in the caller's organization. */
const others = `organization_members own JOIN organization_members m ON m.organization_id = own.organization_id
  AND m.user_id <> own.user_id`;
const otherMembers = `SELECT m.id FROM ${others} WHERE own.user_id = $1 FOR UPDATE OF m`;
const sessionsOfOthers = `SELECT c.id FROM ${others} JOIN credentials c ON c.user_id = m.user_id
  WHERE own.user_id = $1 FOR NO KEY UPDATE OF c`;
const countOthers = `SELECT count(*)::integer AS count FROM ${others} WHERE own.user_id = $1`;
const endedSessions = `SELECT count(*)::integer AS count FROM ${others} JOIN credentials c ON c.user_id = m.user_id
  WHERE own.user_id = $1 AND c.revoked_at IS NOT NULL`;
const clientsOfOthers = `SELECT k.id FROM ${others} JOIN credentials c ON c.user_id = m.user_id
  JOIN oauth_clients k ON k.id = c.client_id WHERE own.user_id = $1 FOR NO KEY UPDATE OF k`;
const revokedClients = `SELECT count(*)::integer AS count FROM ${others} JOIN credentials c ON c.user_id = m.user_id
  JOIN oauth_clients k ON k.id = c.client_id WHERE own.user_id = $1 AND (k.revoked_at IS NOT NULL OR c.revoked_at IS NOT NULL)`;
/** As \`inviteTo\` makes their links. */
const untouchedInvitations = `${countOthers} AND m.invitation_token_hash = sha256(m.id::text::bytea)`;
const limits = 'SELECT $1::uuid AS id FROM rate_limits FOR UPDATE';
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
  'accepts an invitation that another user is changing': {
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
  'removes a member whose session another user is ending': {
    query: operations.removeMember,
    variables: async ({ organizationId }) => ({ id: (await newMember(service, organizationId)).memberId }),
    locks: sessionsOfOthers,
    effect: countOthers,
  },
  'changes the role of a member': {
    query: operations.changeMemberRole,
    variables: async ({ organizationId }) => ({
      id: (await newMember(service, organizationId)).memberId,
      role: 'ADMIN',
    }),
    locks: otherMembers,
    effect: `${countOthers} AND m.role = 'ADMIN'`,
  },
  'invites a user': {
    query: operations.inviteMember,
    variables: async (inviter) => {
      const to = () => ({ input: { email: newAddress(), role: 'MEMBER' } });
      await runAs(service, inviter, operations.inviteMember, to());
      return to();
    },
    locks: limits,
    effect: countOthers,
  },
  're-sends an invitation': {
    query: operations.resetInvitation,
    variables: async ({ organizationId }, { userId }) => ({
      memberId: await inviteTo(service, userId, organizationId),
    }),
    locks: otherMembers,
    effect: untouchedInvitations,
  },
  'cancels an invitation': {
    query: operations.cancelInvitation,
    variables: async ({ organizationId }, { userId }) => ({
      memberId: await inviteTo(service, userId, organizationId),
    }),
    locks: otherMembers,
    effect: countOthers,
  },
  're-sends an invitation of any organization': {
    query: operations.platformResetInvitation,
    variables: async ({ organizationId }, { userId }) => ({
      memberId: await inviteTo(service, userId, organizationId),
    }),
    locks: otherMembers,
    effect: untouchedInvitations,
  },
  'cancels an invitation of any organization': {
    query: operations.platformCancelInvitation,
    variables: async ({ organizationId }, { userId }) => ({
      memberId: await inviteTo(service, userId, organizationId),
    }),
    locks: otherMembers,
    effect: countOthers,
  },
  'ends a session of another user': {
    query: operations.revokeSession,
    variables: async ({ organizationId }) => {
      const { tokens } = await newMember(service, organizationId);
      return { id: await credentialIdOf(service, tokens.accessToken) };
    },
    locks: sessionsOfOthers,
    effect: endedSessions,
  },
  'signs another user out everywhere': {
    query: operations.revokeUserSessions,
    variables: async ({ organizationId }) => ({ id: (await newMember(service, organizationId)).userId }),
    locks: sessionsOfOthers,
    effect: endedSessions,
  },
  'revokes a client': {
    query: operations.revokeMcpClient,
    variables: async ({ organizationId }) => {
      const { clientId } = await newMcpClient(service, ['mcp:whoami'], await newMember(service, organizationId));
      return { id: clientId };
    },
    locks: clientsOfOthers,
    effect: revokedClients,
  },
  'leaves an organization': {
    query: operations.removeMember,
    variables: async ({ userId }, { organizationId }) => ({ id: await addTo(service, userId, organizationId) }),
    locks: organizations,
    effect: members,
  },
  'creates an organization': {
    query: operations.createOrganization,
    variables: async (founder) => {
      // The permit that is consumed here is the row that the next one waits for.
      await runAs(service, founder, operations.createOrganization, { input: { name: 'The first' } });
      return { input: { name: 'The second' } };
    },
    locks: limits,
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

const provider = fixture(startFakeStripe);
const service = serviceFixture(() => ({
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_API_BASE: provider.url,
  RATE_LIMITS_ENABLED: 'true',
}));

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

const isTransactionWaiting = async (): Promise<boolean> => {
  const rows = await service.sql<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
};

interface Waiting {
  readonly locks: string;
  readonly userId: string;
  readonly endSession: () => Promise<{ readonly code: string | null }>;
}

/** Starts an operation while the rows are locked, and ends its session before it can continue. */
const signedOutMeanwhile = async <Answer>(
  { locks, userId, endSession }: Waiting,
  act: () => Promise<Answer>,
): Promise<Answer> => {
  const release = await hold(locks, userId);
  const acting = act();
  try {
    await until('the act waits for the rows', isTransactionWaiting);
    expect((await endSession()).code).toBeNull();
  } finally {
    await release();
  }
  return acting;
};

const signOut = (tokens: Tokens) => runAs(service, { tokens }, operations.signOut);

describe.runIf(isOnPostgres)(
  'Concurrent callers (PostgreSQL only: on the embedded engine no caller waits for a row)',
  () => {
    // Contract: credentials#caller-that-waits-for-a-lock — I1: an acknowledged sign-out binds a caller that waits for a
    //   row
    it.each(Object.entries(acts))('%s does nothing once they have signed out', async (_title, act) => {
      const [actor, other] = [await newSuperAdmin(service), await newOwner(service)];
      const { userId, tokens } = actor;
      const variables = await act.variables(actor, other);
      const count = async () => (await service.sql<{ count: number }>(act.effect, [userId]))[0]?.count;
      const before = await count();
      const waiting = { locks: act.locks, userId, endSession: () => signOut(tokens) };
      const answer = await signedOutMeanwhile(waiting, () => runAs(service, actor, act.query, variables));
      expect(answer.code).toBe('UNAUTHENTICATED');
      expect(await count()).toBe(before);
    });

    it.each([
      ['pays', operations.createCheckoutSession, checkoutPath],
      ['looks up the subscription', operations.createBillingPortalSession, portalPath],
    ])('%s opens nothing at the provider once they have signed out', async (_title, query, path) => {
      const owner = await newOwner(service);
      const opened = () => provider.requests.filter((request) => request.path === path).length;
      const open = () => runAs(service, owner, query, query.includes('$product') ? { product: 'free' } : {});
      if (path === portalPath) await deliver(service, checkoutCompleted(newProviderId('cus'), owner.organizationId));
      expect((await open()).code).toBeNull();
      const before = opened();
      const { userId, tokens } = owner;
      const answer = await signedOutMeanwhile({ locks: limits, userId, endSession: () => signOut(tokens) }, open);
      expect(answer.code).toBe('UNAUTHENTICATED');
      expect(opened()).toBe(before);
    });

    // Contract: credentials#caller-that-waits-for-a-lock — I1: the same for a tool of Platform MCP
    it('a tool call that waits for its row in the record changes nothing once the client has signed out', async () => {
      const [governor, client, other] = [
        await newSuperAdmin(service),
        await newMcpClient(service),
        await newOwner(service),
      ];
      const { userId, organizationId } = client.person;
      const memberId = await inviteTo(service, other.userId, organizationId);
      const id = await credentialIdOf(service, client.tokens.accessToken);
      const locks = `SELECT $1::uuid AS id, pg_advisory_xact_lock(hashtextextended('the chain of mcp_tool_audits', 0)) IS NULL`;
      const endSession = () => runAs(service, governor, operations.revokeSession, { id });
      const cancel = () => callTool(service, client, 'invitation_cancel', { memberId });
      const answer = await signedOutMeanwhile({ locks, userId, endSession }, cancel);
      expect(answer.text).not.toContain(memberId);
      expect(await service.sql('SELECT id FROM organization_members WHERE id = $1', [memberId])).toEqual([
        { id: memberId },
      ]);
      const recorded = (await auditRows(service)).filter(({ actor }) => actor === userId);
      expect(recorded.map(({ outcome }) => outcome)).toEqual(['deny']);
    });

    // Contract: credentials#caller-that-waits-for-a-lock — I1: a dry run makes the same checks
    it('a dry run of a revocation shows nothing of the session once the client has signed out', async () => {
      const [governor, client] = [await newSuperAdmin(service), await newMcpClient(service)];
      const { userId, organizationId } = client.person;
      const target = await newMember(service, organizationId);
      const id = await credentialIdOf(service, client.tokens.accessToken);
      const credentialId = await credentialIdOf(service, target.tokens.accessToken);
      const endSession = () => runAs(service, governor, operations.revokeSession, { id });
      const dryRun = () => callTool(service, client, 'sessions_revoke', { credentialId, dryRun: true });
      const answer = await signedOutMeanwhile({ locks: sessionsOfOthers, userId, endSession }, dryRun);
      expect(answer.text).not.toContain(target.email);
      const recorded = (await auditRows(service)).filter(({ actor }) => actor === userId);
      expect(recorded.map(({ outcome }) => outcome)).toEqual(['deny']);
      expect((await runAs(service, target, operations.me)).code).toBeNull();
    });
  },
);
