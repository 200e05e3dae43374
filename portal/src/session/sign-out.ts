/** Ends of the session that the person asks for, and how the portal tells them from others. */
import { SignOutEverywhereDocument } from '../generated/graphql.ts';
import type { Session, SessionState } from './session.ts';

const deliberateEnds = ['signedOut', 'signedOutEverywhere', 'leftOrganization', 'accountDeleted'] as const;
type DeliberateEnd = (typeof deliberateEnds)[number];

/** How the person ended the session in this tab; undefined for any other state. */
export const deliberateEndOf = (state: SessionState): DeliberateEnd | undefined =>
  state.status === 'signedOut' ? deliberateEnds.find((end) => end === state.reason) : undefined;

export const signOutEverywhere = ({ request, end }: Pick<Session, 'request' | 'end'>): Promise<void> =>
  end(() => request(SignOutEverywhereDocument), 'signedOutEverywhere');

/** After leaving an organization: the session may have ended with it, which is expected. */
export const refetchAfterLeaving = async ({
  refetchEverywhere,
  end,
  state,
}: Pick<Session, 'refetchEverywhere' | 'end' | 'state'>): Promise<SessionState> => {
  const { status } = await refetchEverywhere();
  if (status === 'signedOut') await end(() => Promise.resolve(), 'leftOrganization');
  return state();
};

/** After the person deleted their account: no session is left to end at the server. */
export const endAfterDeletion = ({ end }: Pick<Session, 'end'>): Promise<void> =>
  end(() => Promise.resolve(), 'accountDeleted');
