/**
 * What the person may do to a row of the member list, so that the page offers nothing else. The server decides anew for
 * every request.
 */
import type { Role } from '../../generated/graphql.ts';
import type { Person } from '../../session/session-store.ts';
import type { Member } from './members-query.ts';

export type Membership = NonNullable<Person['currentMembership']>;

const allRoles: readonly Role[] = ['MEMBER', 'ADMIN', 'OWNER'];

/** Roles that somebody of this role gives to others: only owners make owners. */
export const rolesToGive = ({ role }: Pick<Membership, 'role'>): readonly Role[] =>
  role === 'OWNER' ? allRoles : allRoles.filter((given) => given !== 'OWNER');

export const isInvited = ({ joinedAt }: Pick<Member, 'joinedAt'>): boolean => joinedAt === null;

/** Owners are out of reach for everybody else. */
const manages = ({ role }: Membership, member: Member): boolean =>
  role === 'OWNER' || (role === 'ADMIN' && member.role !== 'OWNER');

export interface Rights {
  readonly invitation: boolean;
  readonly role: boolean;
  readonly remove: boolean;
  readonly leave: boolean;
}

export const rightsOver = (member: Member, membership: Membership): Rights => {
  const isOwnRow = member.id === membership.id;
  const may = (scope: string): boolean => membership.scopes.includes(scope) && manages(membership, member);
  return {
    invitation: isInvited(member) && may('MEMBERS_INVITE'),
    role: may('MEMBERS_UPDATE'),
    remove: !isInvited(member) && !isOwnRow && may('MEMBERS_REMOVE'),
    leave: isOwnRow,
  };
};
