/**
 * Operations deleteOrganization and restoreOrganization (contract/account.md#deletion-of-an-organization). A deleted
 * one grants nothing at once, and its rows stay for a week.
 */
import { invalidInput, Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { statement, type Transaction } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type ActiveMembership, type Actor, organizationOf } from '../access/actor.ts';
import { liveTransaction, notAllowed, requireFactorOf, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps, MailDeps, Settings } from '../access/deps.ts';
import { addAudit } from '../audit/audits-of-transaction.ts';
import { computeSubscription, hasPaidSubscription } from '../billing/billing-store.ts';
import { productAfterEnd } from '../billing/payment-events.ts';
import { findAnyMembership, lockOrganization, type MembershipRow } from '../organizations/organizations-store.ts';
import { recordOrganizationIn } from './own-organizations.ts';

type DeletionDeps = Deps<'database' | 'limits' | 'logger'> & MailDeps;

type Organization = ActiveMembership['organization'];

interface DeleteOrganizationInput {
  readonly organizationId: string;
  /** As the caller typed it. */
  readonly name: string;
}

/**
 * Deletes an organization of an owner, restorable for seven days; its owners get a mail.
 * @throws Refusal NOT_FOUND: the caller is no member, or it is deleted; FORBIDDEN: no owner; SECOND_FACTOR_REQUIRED;
 *   REAUTHENTICATION_REQUIRED; BAD_USER_INPUT: another name was typed; SUBSCRIPTION_ACTIVE; RATE_LIMITED: deleted and
 *   restored too often; UNAUTHENTICATED. Nothing changes then
 */
export const deleteOrganization = (
  deps: DeletionDeps,
  actor: Actor,
  { organizationId, name }: DeleteOrganizationInput,
): Promise<Organization> =>
  liveTransaction(deps.database, actor, async (transaction) => {
    const found = await holdOwnOrganization(transaction, actor, organizationId);
    if (found.deletesAt !== null) throw noSuchOrganization();
    await requireRecentAuthentication(transaction, actor);
    if (name.trim() !== found.organizationName) {
      throw invalidInput({ name: 'This is not the name of the organization.' });
    }
    if ((await transaction.one(hasPaidSubscription, [organizationId])).isPaid) throw subscriptionActive();
    await deps.limits.consumeIn(transaction, rateLimits.organizationDeletion, organizationId);
    const { deletesAt } = await transaction.one(markDeleted, [organizationId]);
    await tellOwners(deps, transaction, actor, found, deletesAt);
    recordOrganizationIn(transaction, deps.logger, 'organization.deleted', { userId: actor.user.id, organizationId });
    const details = { deletesAt: deletesAt.toISOString() };
    addAudit(transaction, { organizationId, event: 'ORGANIZATION_DELETED', subjectId: null, details });
    return organizationOf({ ...found, deletesAt });
  });

/**
 * Restores a deleted organization, with what its payment events led to meanwhile.
 * @throws Refusal NOT_FOUND: the caller is no member, or it is not deleted; FORBIDDEN: no owner;
 *   SECOND_FACTOR_REQUIRED; UNAUTHENTICATED
 */
export const restoreOrganization = (
  deps: Deps<'application' | 'database' | 'logger'> & Settings<'defaultProduct'>,
  actor: Actor,
  organizationId: string,
): Promise<Organization> =>
  liveTransaction(deps.database, actor, async (transaction) => {
    await holdOwnOrganization(transaction, actor, organizationId);
    if ((await transaction.execute(restore, [organizationId])) === 0) throw noSuchOrganization();
    await transaction.execute(computeSubscription, [organizationId, productAfterEnd(deps)]);
    const restored = organizationOf(await transaction.one(findAnyMembership, [actor.user.id, organizationId]));
    recordOrganizationIn(transaction, deps.logger, 'organization.restored', {
      userId: actor.user.id,
      organizationId,
    });
    addAudit(transaction, { organizationId, event: 'ORGANIZATION_RESTORED', subjectId: null });
    return restored;
  });

/** Locks an organization that the caller owns, deleted or not. */
const holdOwnOrganization = async (
  transaction: Transaction,
  actor: Actor,
  organizationId: string,
): Promise<MembershipRow> => {
  if (!isId(organizationId)) throw noSuchOrganization();
  await transaction.maybeOne(lockOrganization, [organizationId]);
  const found = await transaction.maybeOne(findAnyMembership, [actor.user.id, organizationId]);
  if (found === null) throw noSuchOrganization();
  if (found.role !== 'OWNER') throw notAllowed();
  await requireFactorOf(found, transaction, actor);
  return found;
};

const tellOwners = async (
  { mail, settings }: MailDeps,
  transaction: Transaction,
  actor: Actor,
  { organizationId, organizationName }: MembershipRow,
  deletesAt: Date,
): Promise<void> => {
  const facts = { organization: organizationName, deleter: actor.user.name, until: deletesAt };
  const links = [`${settings.frontendUrl}/`] as const;
  for (const { email: to, name } of await transaction.many(listOwners, [organizationId])) {
    await mail.enqueue(transaction, { mail: 'organizationDeleted', to, values: { name, ...facts }, links });
  }
};

const noSuchOrganization = (): Refusal => new Refusal('NOT_FOUND', 'You do not belong to such an organization.');

const subscriptionActive = (): Refusal =>
  new Refusal('SUBSCRIPTION_ACTIVE', 'The organization has a running subscription. End the subscription first.');

const markDeleted = statement<{ readonly deletesAt: Date }, [organizationId: string]>(
  'organizations.mark_deleted',
  `UPDATE organizations SET deletes_at = now() + interval '7 days' WHERE id = $1 AND deletes_at IS NULL
   RETURNING deletes_at AS "deletesAt"`,
);

/** Affects no row for an organization that is not deleted, or whose time is over. */
const restore = statement<unknown, [organizationId: string]>(
  'organizations.restore',
  'UPDATE organizations SET deletes_at = NULL WHERE id = $1 AND deletes_at > now()',
);

const listOwners = statement<{ readonly email: string; readonly name: string }, [organizationId: string]>(
  'organizations.list_owners',
  `SELECT u.email, u.name FROM organization_members m JOIN users u ON u.id = m.user_id
   WHERE m.organization_id = $1 AND m.role = 'OWNER' AND m.joined_at IS NOT NULL ORDER BY u.email`,
);

/** Deletes organizations whose time is over, with their members, invitations and subscription. */
export const purgeOrganizations = deletingExpired('organizations', 'id', 'deletes_at', ['deletes_at <= now()']);
