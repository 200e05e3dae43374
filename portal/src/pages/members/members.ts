/** Members as data: the list query, the actions that role and scopes permit, and the requests that perform them. */
import { queryOptions } from '@tanstack/react-query';
import {
  ChangeMemberRoleDocument,
  FetchMembersDocument,
  type FetchMembersQuery,
  FetchSeatsDocument,
  type MemberStatus,
  RemoveMemberDocument,
  type Role,
  SendInvitationAgainDocument,
  WithdrawInvitationDocument,
} from '../../generated/graphql.ts';
import { pagedQuery } from '../../lists/paged-list.ts';
import type { Person, Session } from '../../session/session.ts';
import { refetchAfterLeaving } from '../../session/sign-out.ts';

export type Member = FetchMembersQuery['members']['nodes'][number];

/** All queries of members, with any search. */
export const allMembers = { queryKey: ['members'] } as const;

export const memberStatuses = ['JOINED', 'INVITED', 'EXPIRED'] as const satisfies readonly MemberStatus[];

/** The parameters of the URL. */
export interface MemberView {
  readonly search?: string | undefined;
  readonly role?: string | undefined;
  readonly status?: string | undefined;
}

/** The filter of the list, where the role and the status of the URL exist. */
interface MemberFilter {
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly status?: MemberStatus | undefined;
}

export const membersQuery = (session: Session, { search, role, status }: MemberFilter) =>
  pagedQuery(session, [...allMembers.queryKey, 'list', { search, role, status }], async (after) => {
    const filter = { search: search ?? null, role: role ?? null, status: status ?? null };
    return (await session.request(FetchMembersDocument, { first: 25, after, ...filter })).members;
  });

export const seatsQuery = (session: Session) =>
  queryOptions({
    queryKey: [...allMembers.queryKey, 'seats'],
    queryFn: async () => (await session.request(FetchSeatsDocument, {})).seats,
  });

/** The name, or the e-mail address while there is none. */
export const displayName = ({ name, email }: Member): string => name ?? email;

export type Membership = NonNullable<Person['currentMembership']>;

export const isInvited = ({ joinedAt }: Pick<Member, 'joinedAt'>): boolean => joinedAt === null;

export interface MemberPermissions {
  readonly invitation: boolean;
  readonly role: boolean;
  readonly remove: boolean;
  readonly leave: boolean;
}

/** @param assignable roles that the person may give; members of any other are not theirs to manage */
export const permissionsFor = (
  member: Member,
  membership: Membership,
  assignable: readonly Role[],
): MemberPermissions => {
  const isSelf = member.id === membership.id;
  const permits = (scope: string): boolean => membership.scopes.includes(scope) && assignable.includes(member.role);
  return {
    invitation: isInvited(member) && permits('MEMBERS_INVITE'),
    role: permits('MEMBERS_UPDATE'),
    remove: !isInvited(member) && !isSelf && permits('MEMBERS_REMOVE'),
    leave: isSelf,
  };
};

export type MemberAction =
  | { readonly kind: 'resend' | 'withdraw' | 'remove' | 'leave'; readonly member: Member }
  | { readonly kind: 'role'; readonly member: Member; readonly role: Role };

/** The confirmation before an action that removes access or grants ownership; other actions have none. */
export type Confirmation = 'withdraw' | 'remove' | 'leave' | 'makeOwner' | 'unmakeOwner' | 'ownRole';

export const confirmationFor = (action: MemberAction, membership: Membership): Confirmation | undefined => {
  if (action.kind === 'resend') return undefined;
  if (action.kind !== 'role') return action.kind;
  if (action.member.id === membership.id) return 'ownRole';
  if (action.role === 'OWNER') return 'makeOwner';
  return action.member.role === 'OWNER' ? 'unmakeOwner' : undefined;
};

/** Sends the request, and refreshes the person when their own membership has changed. */
export const performAction = async (session: Session, action: MemberAction, membership: Membership): Promise<void> => {
  const memberId = action.member.id;
  switch (action.kind) {
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
      await refetchAfterLeaving(session);
      return;
    case 'role':
      await session.request(ChangeMemberRoleDocument, { memberId, role: action.role });
      if (memberId === membership.id) await session.refetchEverywhere();
  }
};
