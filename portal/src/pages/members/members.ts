/** Members as data: the list query, the actions that role and scopes permit, and the requests that perform them. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import {
  ChangeMemberRoleDocument,
  FetchMembersDocument,
  type FetchMembersQuery,
  RemoveMemberDocument,
  type Role,
  SendInvitationAgainDocument,
  WithdrawInvitationDocument,
} from '../../generated/graphql.ts';
import { refreshOnForbidden } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';
import type { Person } from '../../session/session-store.ts';

export type Member = FetchMembersQuery['members']['nodes'][number];

const membersPerPage = 25;

const fromTheStart = '';

/** Every list of members, whatever it searches for. */
export const allMembers = { queryKey: ['members'] } as const;

export const membersQuery = (session: Session, search: string) =>
  infiniteQueryOptions({
    queryKey: [...allMembers.queryKey, search],
    queryFn: async ({ pageParam }) => {
      try {
        const { members } = await session.request(FetchMembersDocument, {
          first: membersPerPage,
          after: pageParam === fromTheStart ? null : pageParam,
          search: search === '' ? null : search,
        });
        return members;
      } catch (error) {
        await refreshOnForbidden(session, error);
        throw error;
      }
    },
    initialPageParam: fromTheStart,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : null),
    placeholderData: keepPreviousData,
  });

/** How a member is called: by name, or by address while there is none. */
export const nameOf = ({ name, email }: Member): string => name ?? email;

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

export type Deed =
  | { readonly kind: 'resend' | 'withdraw' | 'remove' | 'leave'; readonly member: Member }
  | { readonly kind: 'role'; readonly member: Member; readonly role: Role };

/** The question before a deed that takes something away or gives everything; none before a harmless one. */
export type Question = 'withdraw' | 'remove' | 'leave' | 'makeOwner' | 'unmakeOwner' | 'ownRole';

export const questionBefore = (deed: Deed, membership: Membership): Question | undefined => {
  if (deed.kind === 'resend') return undefined;
  if (deed.kind !== 'role') return deed.kind;
  if (deed.member.id === membership.id) return 'ownRole';
  if (deed.role === 'OWNER') return 'makeOwner';
  return deed.member.role === 'OWNER' ? 'unmakeOwner' : undefined;
};

/** Does it, and has the session ask again where the person's own membership is concerned. */
export const perform = async (session: Session, deed: Deed, membership: Membership): Promise<void> => {
  const memberId = deed.member.id;
  switch (deed.kind) {
    case 'resend':
      await session.request(SendInvitationAgainDocument, { memberId });
      return;
    case 'withdraw':
      await session.request(WithdrawInvitationDocument, { memberId });
      return;
    case 'remove':
      await session.request(RemoveMemberDocument, { memberId });
      return;
    case 'leave':
      await session.request(RemoveMemberDocument, { memberId });
      await session.noteLeaving();
      return;
    case 'role':
      await session.request(ChangeMemberRoleDocument, { memberId, role: deed.role });
      if (memberId === membership.id) await session.noteChange();
  }
};
