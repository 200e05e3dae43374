/**
 * The last word on what the caller may do in their active organization, or as a super admin, inside the transaction that
 * does it. The actor of a request is as old as its beginning; a role that was taken away meanwhile, or a session that was
 * ended, must not be used any more.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import { withBeforeCommit } from '../../platform/database/transaction.ts';
import { findLiveSession } from '../credentials/sessions-store.ts';
import { findMembership, lockOrganization } from '../organizations/organizations-store.ts';
import { isPlatformScope, type OrganizationScope, type PlatformScope, type Scope } from '../scopes/scopes.ts';
import { sharePlatformAuthority } from '../users/users-store.ts';
import { type ActiveMembership, type Actor, activeMembership, holdsScope, scopesOfActor } from './actor.ts';

export const membershipRequired = (): Refusal => new Refusal('MEMBERSHIP_REQUIRED', 'Choose an organization first.');

export const notAllowed = (): Refusal => new Refusal('FORBIDDEN', 'You are not allowed to do this.');

export const scopesMissing = (missingScopes: readonly Scope[]): Refusal =>
  new Refusal('FORBIDDEN', 'You are not allowed to do this here.', { missingScopes });

/**
 * Locks the caller's active organization against other changes of its people, and answers the caller's membership of
 * it as it is now.
 * @throws Refusal UNAUTHENTICATED when the caller's session has ended; MEMBERSHIP_REQUIRED when there is none; FORBIDDEN
 *   when role, subscription or credential do not grant the scope
 */
export const authorizeInOrganization = async (
  transaction: Transaction,
  actor: Actor,
  scope: OrganizationScope,
): Promise<ActiveMembership> => {
  if (actor.membership === null) throw membershipRequired();
  const organizationId = actor.membership.organization.id;
  await transaction.maybeOne(lockOrganization, [organizationId]);
  // Statements of their own: they see what was committed while the lock was waited for.
  await requireLiveSession(transaction, actor);
  const row = await transaction.maybeOne(findMembership, [actor.user.id, organizationId]);
  if (row === null) throw membershipRequired();
  const membership = activeMembership(row);
  if (holdsScope({ ...actor, membership }, scope)) return membership;
  throw scopesMissing([scope]);
};

/**
 * Whoever waited for a lock may have been signed out meanwhile, with the receipt in somebody's hands (I1). A session that
 * the same transaction ends is live up to its commit.
 * @throws Refusal UNAUTHENTICATED
 */
export const requireLiveSession = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  { user, credential }: Actor,
): Promise<void> => {
  const live = await queryable.maybeOne(findLiveSession, [credential.sessionFamilyId, user.id, credential.id]);
  if (live === null) throw new Refusal('UNAUTHENTICATED', 'You are not signed in any more.');
};

/**
 * Reads again what the caller may do on the platform, and holds the caller's row until the transaction ends.
 * @throws Refusal UNAUTHENTICATED when the caller's session has ended; FORBIDDEN when the caller is no super admin now, or
 *   person or credential lack the scope
 */
export const authorizeSuperAdmin = async (
  transaction: Transaction,
  actor: Actor,
  scope: PlatformScope,
): Promise<void> => {
  const now = await transaction.maybeOne(sharePlatformAuthority, [actor.user.id]);
  await requireLiveSession(transaction, actor);
  if (now === null || !now.isSuperAdmin) throw notAllowed();
  const user = { ...actor.user, platformScopes: now.platformScopes.filter(isPlatformScope) };
  if (!holdsScope({ ...actor, user }, scope)) throw scopesMissing([scope]);
};

/**
 * Makes sure of a super admin with these scopes, as the request found them: enough for what only reads.
 * @throws Refusal FORBIDDEN, with the missing scopes where the caller is a super admin
 */
export const requireSuperAdmin = (actor: Actor, needed: readonly PlatformScope[]): void => {
  if (!actor.user.isSuperAdmin) throw notAllowed();
  const held = scopesOfActor(actor);
  const missing = needed.filter((scope) => !held.has(scope));
  if (missing.length > 0) throw scopesMissing(missing);
};

// The database as somebody who is signed in changes it: for every operation that may wait after it looked at authority.

/**
 * The same database, but each transaction ends with the question whether the caller is still signed in: after the last
 * row that it waited for, whichever that was (I1).
 * @returns transactions throw Refusal UNAUTHENTICATED, and commit nothing, when the caller's session ended meanwhile
 */
export const withSessionCheck = (database: Database, actor: Actor): Database =>
  withBeforeCommit(database, (transaction) => requireLiveSession(transaction, actor));
