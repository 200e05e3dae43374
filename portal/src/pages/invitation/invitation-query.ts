/** The invitation behind a link: its query, and the stage that decides what the page shows. */
import { queryOptions } from '@tanstack/react-query';
import {
  CompleteInvitedProfileDocument,
  type CompleteInvitedProfileInput,
  FetchInvitationDocument,
  type FetchInvitationQuery,
} from '../../generated/graphql.ts';
import { hasCode } from '../../session/refusal.ts';
import type { Session } from '../../session/session.ts';

export type Invitation = NonNullable<FetchInvitationQuery['invitation']>;

/** @param personId the signed-in person, because the answer depends on them */
export const invitationQuery = (session: Session, token: string, personId: string | undefined) =>
  queryOptions({
    queryKey: ['invitation', token, personId],
    queryFn: async () => {
      const state = await session.open();
      if (state.status === 'loading') throw state.error ?? new Error('The session is not settled.');
      return fetchInvitation(session, token, state.status === 'signedIn');
    },
  });

/** Creates the account of an invited person, accepts the invitation, and signs in. */
export const completeInvitedProfile = (session: Session, input: CompleteInvitedProfileInput): Promise<unknown> =>
  session.begin(
    (send) => send(CompleteInvitedProfileDocument, { input }),
    (answer) => answer.completeInvitedProfile.user,
  );

const fetchInvitation = async (session: Session, token: string, isSignedIn: boolean): Promise<Invitation | null> => {
  try {
    const { invitation } = await session.request(FetchInvitationDocument, { token, isSignedIn });
    return invitation;
  } catch (error) {
    // A truncated link is treated like an unknown one.
    if (hasCode(error, 'BAD_USER_INPUT')) return null;
    throw error;
  }
};

type InvitationState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'expired' | 'accepted' | 'sign-in' | 'accept' | 'other-account'; readonly invitation: Invitation }
  | { readonly kind: 'complete-profile'; readonly invitation: Invitation; readonly vToken: string };

/**
 * The stage of the page.
 * @param problem error of the last attempt to accept
 */
export const invitationState = (invitation: Invitation | null, problem: unknown): InvitationState => {
  if (invitation === null) return { kind: 'unknown' };
  const { status, isYours, vToken } = invitation;
  if (status === 'ACCEPTED') return { kind: 'accepted', invitation };
  if (status === 'EXPIRED') return { kind: 'expired', invitation };
  if (isYours === false || (isYours === true && hasCode(problem, 'ACCOUNT_MISMATCH'))) {
    return { kind: 'other-account', invitation };
  }
  if (isYours === true) return { kind: 'accept', invitation };
  return vToken === null ? { kind: 'sign-in', invitation } : { kind: 'complete-profile', invitation, vToken };
};
