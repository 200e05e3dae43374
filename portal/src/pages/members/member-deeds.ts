/** What can be done to a row of the member list, and which of it is asked about first. */
import {
  ChangeMemberRoleDocument,
  RemoveMemberDocument,
  type Role,
  SendInvitationAgainDocument,
  WithdrawInvitationDocument,
} from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import type { Membership } from './member-rights.ts';
import type { Member } from './members-query.ts';

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
