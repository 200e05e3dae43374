/** Operation of super admins: one organization, with its people and its invitations. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import type { MemberRow } from '../organizations/members-store.ts';
import { findOrganization, listInvited, listJoined, type OrganizationRow } from './organizations-store.ts';

export interface OrganizationDetails {
  readonly organization: OrganizationRow;
  /** The first hundred by address; the organization's counts say how many there are. */
  readonly members: readonly MemberRow[];
  /** Open and expired ones, the first hundred by address. */
  readonly invitations: readonly MemberRow[];
}

const mostPeople = 100;

/** @throws Refusal FORBIDDEN for who is no super admin with organizations:view; NOT_FOUND */
export const getOrganization = async (
  { database }: { readonly database: Queryable },
  actor: Actor,
  organizationId: string,
): Promise<OrganizationDetails> => {
  requireSuperAdmin(actor, ['organizations:view']);
  const organization = isId(organizationId) ? await database.maybeOne(findOrganization, [organizationId]) : null;
  if (organization === null) throw new Refusal('NOT_FOUND', 'There is no such organization.');
  const members = await database.many(listJoined, [organizationId, mostPeople]);
  const invitations = await database.many(listInvited, [organizationId, mostPeople]);
  return { organization, members, invitations };
};
