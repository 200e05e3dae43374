/**
 * Who may pay for an organization: its owners, whatever its subscription grants. A scope would not do, because it needs
 * the subscription that is about to be paid.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { membershipRequired } from '../access/authorize.ts';
import { findMembership } from '../organizations/organizations-store.ts';

/**
 * The caller's active organization, as it is now.
 * @throws Refusal MEMBERSHIP_REQUIRED without one; FORBIDDEN to anyone but its owners
 */
export const authorizePayer = async (
  database: Database,
  actor: Actor,
): Promise<{ readonly organizationId: string }> => {
  if (actor.membership === null) throw membershipRequired();
  const organizationId = actor.membership.organization.id;
  const membership = await database.maybeOne(findMembership, [actor.user.id, organizationId]);
  if (membership === null) throw membershipRequired();
  if (membership.role === 'OWNER') return { organizationId };
  throw new Refusal('FORBIDDEN', 'Only an owner of the organization can do this.');
};
