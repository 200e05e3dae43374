/** The organizations that a person belongs to, each with what they may do there. */
import type { Queryable } from '../../platform/database/database.ts';
import { listMembershipsOfUser } from '../organizations/organizations-store.ts';
import { type ActiveMembership, type Actor, activeMembership } from './actor.ts';

/** Oldest membership first. Invitations that are not accepted are none. */
export const listOwnMemberships = async (
  { database }: { readonly database: Queryable },
  actor: Actor,
): Promise<ActiveMembership[]> => (await database.many(listMembershipsOfUser, [actor.user.id])).map(activeMembership);
