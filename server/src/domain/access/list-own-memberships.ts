/** The organizations that a person belongs to, each with what they may do there. */
import type { Queryable } from '../../platform/database/database.ts';
import { listMembershipsOfUser, type MembershipRow } from '../organizations/organizations-store.ts';
import { effectiveScopes } from '../scopes/scopes.ts';
import type { ActiveMembership, Actor } from './actor.ts';

/** Oldest membership first. Invitations that are not accepted are none. */
export const listOwnMemberships = async (
  { database }: { readonly database: Queryable },
  actor: Actor,
): Promise<ActiveMembership[]> => (await database.many(listMembershipsOfUser, [actor.user.id])).map(membershipOf);

const membershipOf = (row: MembershipRow): ActiveMembership => {
  const { product, currentPeriodEndsAt } = row;
  const subscription = { status: row.subscriptionStatus, product, currentPeriodEndsAt };
  return {
    id: row.id,
    role: row.role,
    organization: { id: row.organizationId, name: row.organizationName, subscription },
    scopes: effectiveScopes(row.role, subscription),
  };
};
