/** Authorization inside of the changing transaction: what changed since the request began must no longer count. */
import { Refusal } from '../../kernel/errors.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import { actIn, writeAudits } from '../audit/audits-of-transaction.ts';
import { findGrant } from '../credentials/actor-store.ts';
import { type AuthenticationRow, findAuthentication, findLiveSession } from '../credentials/sessions-store.ts';
import { findMembership, lockOrganization, type MembershipRow } from '../organizations/organizations-store.ts';
import { isPlatformScope, type OrganizationScope, type PlatformScope } from '../scopes/scopes.ts';
import { findPendingUndo } from '../users/email-changes-store.ts';
import { sharePlatformAuthority } from '../users/users-store.ts';
import {
  type ActiveMembership,
  type Actor,
  activeMembership,
  awaitsSecondFactor,
  holdsScope,
  isGrantForOrganization,
  scopesOfActor,
} from './actor.ts';
import { currentMachine } from './machine-actor.ts';

export const membershipRequired = (): Refusal => new Refusal('MEMBERSHIP_REQUIRED', 'Choose an organization first.');

export const notAllowed = (): Refusal => new Refusal('FORBIDDEN', 'You are not allowed to do this.');

/** For an operation that takes people's sessions alone. */
export const machineRefused = (): Refusal =>
  new Refusal('FORBIDDEN', 'Only a person who has signed in can do this. Tokens of machines cannot be used for it.');

export const scopesMissing = (missingScopes: readonly string[]): Refusal =>
  new Refusal('FORBIDDEN', 'You are not allowed to do this here.', { missingScopes });

export const secondFactorRequired = (): Refusal =>
  new Refusal(
    'SECOND_FACTOR_REQUIRED',
    'This needs a second factor. Confirm with your passkey or a one-time code; without either, set one up in your account first.',
  );

/** SECOND_FACTOR_REQUIRED where a session with a second factor would hold all of these scopes; else FORBIDDEN. */
export const scopesRefused = (actor: Actor, missingScopes: readonly string[]): Refusal => {
  const { application, membership } = actor;
  const byMembership =
    membership?.needsSecondFactor === true
      ? application.effectiveScopes(membership.role, membership.organization.subscription)
      : [];
  const needsFactor = (scope: string): boolean =>
    isPlatformScope(scope) ? awaitsSecondFactor(actor) : byMembership.includes(scope);
  return missingScopes.length > 0 && missingScopes.every(needsFactor)
    ? secondFactorRequired()
    : scopesMissing(missingScopes);
};

/**
 * Locks the caller's active organization against changes of its members.
 * @returns the caller's membership now
 * @throws Refusal UNAUTHENTICATED; MEMBERSHIP_REQUIRED; SECOND_FACTOR_REQUIRED: the organization requires one;
 *   FORBIDDEN: role, subscription or credential does not grant the scope
 */
export const authorizeInOrganization = async (
  transaction: Transaction,
  actor: Actor,
  scope: OrganizationScope,
): Promise<ActiveMembership> => {
  const now = await lockedMember(transaction, actor);
  if (holdsScope(now, scope)) return now.membership;
  throw scopesRefused(now, [scope]);
};

export interface MemberActor extends Actor {
  readonly membership: ActiveMembership;
}

/**
 * Locks the caller's active organization, and returns the caller with their membership and scopes now.
 * @throws Refusal UNAUTHENTICATED; MEMBERSHIP_REQUIRED; FORBIDDEN: the organization refuses the token or client
 */
export const lockedMember = async (transaction: Transaction, actor: Actor): Promise<MemberActor> => {
  if (actor.membership === null) throw membershipRequired();
  await transaction.maybeOne(lockOrganization, [actor.membership.organization.id]);
  // Separate statements see commits from the time that this one waited for the lock.
  return currentMember(transaction, actor);
};

/** The caller's membership and scopes now, read without a lock. @throws Refusal as {@link lockedMember} */
export const currentMember = async (queryable: Pick<Queryable, 'maybeOne'>, actor: Actor): Promise<MemberActor> => {
  if (actor.membership === null) throw membershipRequired();
  if (actor.machine !== null) return memberOf(await currentMachine(queryable, actor));
  const credential = await withCurrentFactor(queryable, actor);
  if (isGrantForOrganization(actor)) await requireAcceptedGrant(queryable, actor);
  const row = await queryable.maybeOne(findMembership, [actor.user.id, actor.membership.organization.id]);
  if (row === null) throw membershipRequired();
  return { ...actor, credential, membership: activeMembership(actor.application, row, credential.hasSecondFactor) };
};

/** @throws Refusal UNAUTHENTICATED: the membership of the grant has ended; FORBIDDEN: its client is not accepted */
const requireAcceptedGrant = async (queryable: Pick<Queryable, 'maybeOne'>, actor: Actor): Promise<void> => {
  const grant = await queryable.maybeOne(findGrant, [actor.credential.id]);
  if (grant === null || grant.membershipId !== actor.membership?.id) throw sessionOver();
  if (grant.isClientRefused) throw clientRefused();
};

/** For a client that the policy of the organization does not let in (contract/organization-mcp.md#refused-client). */
export const clientRefused = (): Refusal =>
  new Refusal(
    'FORBIDDEN',
    'The organization does not accept this client now. Its owners and administrators decide which clients may connect.',
  );

const memberOf = (actor: Actor): MemberActor => {
  const { membership } = actor;
  if (membership === null) throw membershipRequired();
  return { ...actor, membership };
};

/**
 * Requires a live session: it may have ended while the transaction waited for a lock (I1). One that this transaction
 * itself ends is live until the commit.
 * @throws Refusal UNAUTHENTICATED
 */
export const requireLiveSession = async (queryable: Pick<Queryable, 'maybeOne'>, actor: Actor): Promise<void> => {
  await (actor.machine === null ? withCurrentFactor(queryable, actor) : currentMachine(queryable, actor));
};

/** The credential of a live session, with what is known now of its second factor. @throws Refusal UNAUTHENTICATED */
const withCurrentFactor = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  { user, credential }: Actor,
): Promise<Actor['credential']> => {
  const live = await queryable.maybeOne(findLiveSession, [credential.sessionFamilyId, user.id, credential.id]);
  if (live === null) throw sessionOver();
  return { ...credential, hasSecondFactor: live.hasSecondFactor };
};

/** Requires the second factor that an organization does. @throws Refusal SECOND_FACTOR_REQUIRED; UNAUTHENTICATED */
export const requireFactorOf = async (
  { requireSecondFactor }: Pick<MembershipRow, 'requireSecondFactor'>,
  queryable: Pick<Queryable, 'maybeOne'>,
  actor: Actor,
): Promise<void> => {
  if (requireSecondFactor && !(await withCurrentFactor(queryable, actor)).hasSecondFactor) throw secondFactorRequired();
};

export const sessionOver = (): Refusal => new Refusal('UNAUTHENTICATED', 'You are not signed in any more.');

/**
 * Requires an authentication within 10 minutes (contract/account.md#recent-authentication).
 * @throws Refusal REAUTHENTICATION_REQUIRED: longer ago, or at an unknown time; UNAUTHENTICATED: the session has ended
 */
export const requireRecentAuthentication = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  { credential }: Actor,
): Promise<AuthenticationRow> => {
  const found = await queryable.maybeOne(findAuthentication, [credential.sessionFamilyId]);
  if (found === null) throw sessionOver();
  if (found.isRecent) return found;
  throw new Refusal('REAUTHENTICATION_REQUIRED', 'Confirm that it is you first: it is a while since you signed in.');
};

/**
 * Re-reads the caller's platform authority, and holds the caller's row.
 * @throws Refusal UNAUTHENTICATED; SECOND_FACTOR_REQUIRED: needed here; FORBIDDEN: no super admin, or no scope
 */
export const authorizeSuperAdmin = async (
  transaction: Transaction,
  actor: Actor,
  scope: PlatformScope,
): Promise<void> => {
  const now = await transaction.maybeOne(sharePlatformAuthority, [actor.user.id]);
  const credential = await withCurrentFactor(transaction, actor);
  // The request may have less authority than the row: a cookie from the application's own pages has none.
  if (now === null || !now.isSuperAdmin || !actor.user.isSuperAdmin) throw notAllowed();
  if (awaitsSecondFactor({ ...actor, credential })) throw secondFactorRequired();
  const user = { ...actor.user, platformScopes: now.platformScopes.filter(isPlatformScope) };
  if (!holdsScope({ ...actor, user }, scope)) throw scopesMissing([scope]);
};

/**
 * Requires scopes as of the start of the request, which suffices to read.
 * @throws Refusal FORBIDDEN: no super admin, or it lists missing scopes; SECOND_FACTOR_REQUIRED: needed here
 */
export const requireSuperAdmin = (actor: Actor, needed: readonly PlatformScope[]): void => {
  if (!actor.user.isSuperAdmin) throw notAllowed();
  if (awaitsSecondFactor(actor)) throw secondFactorRequired();
  const held = scopesOfActor(actor);
  const missing = needed.filter((scope) => !held.has(scope));
  if (missing.length > 0) throw scopesMissing(missing);
};

/**
 * Work that ends with a check of the caller's session, after the last lock that it waited for (I1): once the session
 * has ended, nothing is committed and no dry run answers.
 * @throws Refusal UNAUTHENTICATED
 */
export const inLiveSession =
  <Result>(actor: Actor, work: (transaction: Transaction) => Promise<Result>) =>
  async (transaction: Transaction): Promise<Result> => {
    actIn(transaction, actor);
    const result = await work(transaction);
    await writeAudits(transaction);
    await requireLiveSession(transaction, actor);
    return result;
  };

/** {@link inLiveSession} in a transaction of its own. @throws Refusal UNAUTHENTICATED; nothing changes then */
export const liveTransaction = <Result>(
  database: Pick<Database, 'transaction'>,
  actor: Actor,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => database.transaction(inLiveSession(actor, work));

/**
 * Requires that no change of address can be undone (contract/account.md#forbidden-while-an-undo-is-open): who took the
 * account over could take away what an undo would leave to its owner. The caller holds the user's row.
 * @param addedAt when what is to be removed was added: newer than the requested change, it may go. Null: it may not
 * @throws Refusal FORBIDDEN: with `undoableUntil`
 */
export const requireNoPendingUndo = async (
  transaction: Pick<Queryable, 'maybeOne'>,
  userId: string,
  { addedAt }: { readonly addedAt: Date | null },
): Promise<void> => {
  const pending = await transaction.maybeOne(findPendingUndo, [userId, addedAt]);
  if (pending === null) return;
  throw new Refusal('FORBIDDEN', 'Your e-mail address was changed, and the former one can still undo that.', {
    undoableUntil: pending.undoableUntil.toISOString(),
  });
};
