/**
 * Owns: what is kept of a person: its export, and the deletion of an account.
 * Promises: A deleted account leaves no personal data but opaque ids in audit records; an organization with other
 *   members keeps an owner.
 *
 * Operation deleteAccount (contract/account.md#deletion-of-an-account).
 */
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import { databaseNow, type Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { Actor } from '../access/actor.ts';
import {
  notAllowed,
  requireLiveSession,
  requireNoPendingUndo,
  requireRecentAuthentication,
} from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { eraseAuditDetails } from '../audit/organization-audits-store.ts';
import { hasPaidSubscription } from '../billing/billing-store.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import { lockIdentitiesOfUser } from '../external-sign-in/identities-store.ts';
import { notifyOfDeparture, secretsSeenBy } from '../machine-tokens/departure-mails.ts';
import { normalizeEmail } from '../users/text-rules.ts';
import { bumpCredentialsRevision, lockUserRow, sharePlatformAuthority } from '../users/users-store.ts';
import {
  deleteOrganizations,
  deleteUser,
  holdInvitations,
  listOrganizationsToLeave,
  lockOrganizationsOfUser,
  type OrganizationToLeaveRow,
} from './personal-data-store.ts';

type DeletionDeps = Deps<'application' | 'database' | 'logger'> & MailDeps;

/** How often the deletion begins anew when the person joins another organization at the same moment. */
const attempts = 3;

/**
 * Deletes the account: sessions, memberships, ways to sign in, and organizations without another member. Has
 * `bulkMillis`, because a person may have thousands of credentials (decision 0068).
 * @param typed the caller's address, as they typed it
 * @throws Refusal BAD_USER_INPUT: another address; FORBIDDEN: a super admin, or a change of address can be undone;
 *   REAUTHENTICATION_REQUIRED; LAST_OWNER: other members would have no owner; SUBSCRIPTION_ACTIVE: of an organization
 *   that would go; UNAUTHENTICATED. Nothing is deleted then
 */
export const deleteAccount = async (deps: DeletionDeps, actor: Actor, typed: string): Promise<void> => {
  if (normalizeEmail(typed) !== actor.user.email)
    throw invalidInput({ email: 'This is not the address of your account.' });
  if (await withNewDeadline(() => removeWhileUnchanged(deps, actor), waitLimits.bulkMillis)) return;
  throw new Refusal('UNAVAILABLE', 'Your organizations are changing at this moment. Try again.');
};

/** @returns false when the person joined another organization at each attempt; nothing has changed then */
const removeWhileUnchanged = async (deps: DeletionDeps, actor: Actor): Promise<boolean> => {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (await deps.database.transaction((transaction) => remove(deps, transaction, actor))) return true;
  }
  return false;
};

/**
 * Holds organizations, identities, user and open invitations, in lock order.
 * @returns false, with nothing changed, when the user joins another organization, or an open invitation is accepted
 */
const remove = async (deps: DeletionDeps, transaction: Transaction, actor: Actor): Promise<boolean> => {
  const { id: userId } = actor.user;
  const held = new Set((await transaction.many(lockOrganizationsOfUser, [userId])).map(({ id }) => id));
  await transaction.many(lockIdentitiesOfUser, [userId]);
  await transaction.maybeOne(lockUserRow, [userId]);
  const { areHeld } = await transaction.one(holdInvitations, [[...held]]);
  if (!areHeld) return false;
  // The caller's row is held from here on, which whatever ends their session needs.
  await requireLiveSession(transaction, actor);
  await requireRecentAuthentication(transaction, actor);
  await requireNoPendingUndo(transaction, userId, { addedAt: null });
  if ((await transaction.maybeOne(sharePlatformAuthority, [userId]))?.isSuperAdmin !== false) throw notAllowed();
  const organizations = await transaction.many(listOrganizationsToLeave, [userId]);
  if (organizations.some(({ id }) => !held.has(id))) return false;
  const emptied = await requireDispensable(transaction, organizations);
  await transaction.execute(bumpCredentialsRevision, [userId]);
  const { revokedCredentials: revoked } = await revokeAllOfUser(transaction, userId, 'account_deleted');
  await transaction.execute(deleteOrganizations, [emptied]);
  // While the account has its language.
  const { email: to, name } = actor.user;
  const values = { name, at: await databaseNow(transaction) };
  await deps.mail.enqueue(transaction, { mail: 'accountDeleted', to, values, links: [] });
  const seen = await secretsSeenBy(transaction, userId, [...held]);
  await transaction.execute(deleteUser, [userId]);
  await notifyOfDeparture(deps, transaction, actor.user, seen);
  // After every other lock, as it takes those of the chains; rows that were noted meanwhile follow before the commit.
  await transaction.execute(eraseAuditDetails, [userId, [...held]]);
  const facts = { userId, revoked, organizations: emptied.length };
  transaction.afterCommit(() =>
    deps.logger.info({ event: 'auth.account_deleted', ...facts }, 'A person deleted their account'),
  );
  return true;
};

/** @returns ids of the organizations that have no other member */
const requireDispensable = async (
  transaction: Transaction,
  organizations: readonly OrganizationToLeaveRow[],
): Promise<string[]> => {
  if (organizations.some(({ isLastOwner, hasOthers }) => isLastOwner && hasOthers)) {
    throw new Refusal(
      'LAST_OWNER',
      'You are the only owner of an organization with other members. Make one of them an owner first.',
    );
  }
  const emptied = organizations.filter(({ hasOthers }) => !hasOthers).map(({ id }) => id);
  for (const id of emptied) {
    if ((await transaction.one(hasPaidSubscription, [id])).isPaid) throw subscriptionActive();
  }
  return emptied;
};

const subscriptionActive = (): Refusal =>
  new Refusal(
    'SUBSCRIPTION_ACTIVE',
    'An organization that only you belong to has a running subscription. End the subscription first.',
  );
