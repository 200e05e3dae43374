/** By what the person can sign in: how it is fetched and kept, and the way to the provider to add it. */
import { queryOptions } from '@tanstack/react-query';
import { FetchSignInWaysDocument, type SignInWaysFragment } from '../../generated/graphql.ts';
import type { Session } from '../../session/session.ts';
import { linkedPath } from '../sign-in/sign-in-search.ts';

export type SignInWays = SignInWaysFragment;

const fetchWays = async (session: Session): Promise<SignInWays> =>
  (await session.request(FetchSignInWaysDocument, {})).me;

export const waysQuery = (session: Session) =>
  queryOptions({ queryKey: ['sign-in-ways'], queryFn: () => fetchWays(session) });

/**
 * Leaves for the provider. A page load cannot renew an access credential that has run out, so a request goes before it
 * that can.
 */
export const leaveToConnect = async (session: Session): Promise<void> => {
  await fetchWays(session);
  window.location.assign(`/auth/google/prepare-link?redirect=${encodeURIComponent(linkedPath)}`);
};
