/** Each scope of an organization, and which of a person's role and plan grants it; `actor.ts` decides. */
import { activeMembership } from '../access/actor.ts';
import type { Application } from '../scopes/application.ts';
import type { MembershipOfPersonRow } from './directory-store.ts';

export interface MembershipScope {
  readonly name: string;
  /** In a session with a second factor; in others too unless the organization requires one. */
  readonly isHeld: boolean;
  readonly roleGrants: boolean;
  /** False for every scope while the subscription is not paid for. */
  readonly planGrants: boolean;
}

/** Every scope, in the order of the application; none for an invitation, which grants nothing yet. */
export const scopesOfMembership = (
  application: Application,
  row: MembershipOfPersonRow,
): readonly MembershipScope[] => {
  if (row.joinedAt === null) return [];
  const facts = { ...row, membershipId: row.memberId };
  const { role, organization, scopes } = activeMembership(application, facts, true);
  const held = new Set(scopes);
  const ofRole = application.roleScopes(role);
  const ofPlan = application.planScopes(organization.subscription);
  return application.scopes.map(({ name }) => ({
    name,
    isHeld: held.has(name),
    roleGrants: ofRole.has(name),
    planGrants: ofPlan.has(name),
  }));
};
