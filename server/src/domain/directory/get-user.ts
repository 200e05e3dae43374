/** Operation of super admins: one person, with what they belong to and how many sessions they have. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import {
  type CountsOfPersonRow,
  countOfPerson,
  findPerson,
  listMembershipsOfPerson,
  type MembershipOfPersonRow,
  type PersonRow,
} from './people-store.ts';

export interface UserDetails extends CountsOfPersonRow {
  readonly user: PersonRow;
  /** The first hundred; `membershipCount` says how many there are. */
  readonly memberships: readonly MembershipOfPersonRow[];
}

const mostMemberships = 100;

/** @throws Refusal FORBIDDEN for who is no super admin with users:view; NOT_FOUND */
export const getUser = async (
  { database }: { readonly database: Queryable },
  actor: Actor,
  userId: string,
): Promise<UserDetails> => {
  requireSuperAdmin(actor, ['users:view']);
  const user = isId(userId) ? await database.maybeOne(findPerson, [userId]) : null;
  const counts = user === null ? null : await database.maybeOne(countOfPerson, [userId]);
  if (user === null || counts === null) throw new Refusal('NOT_FOUND', 'There is no such person.');
  const memberships = await database.many(listMembershipsOfPerson, [userId, mostMemberships]);
  return { user, memberships, ...counts };
};
