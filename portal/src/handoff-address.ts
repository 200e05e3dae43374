/**
 * `/signin?oauth_exchange=1`: the address by which the server says that a sign-in waits to be finished here. It holds no
 * secret, and stays until the sign-in has ended, so that a reload takes it up again.
 */
import type { HandoffMarker } from './session/handoff.ts';

const marker = 'oauth_exchange';

/** What is read and written of a window. */
interface AddressBar {
  readonly location: Pick<Location, 'pathname' | 'search'>;
  readonly history: Pick<History, 'state' | 'replaceState'>;
}

/** Anywhere but at /signin, where the server sends it, the marker means nothing. */
export const readHandoff = ({ location, history }: AddressBar): HandoffMarker | undefined => {
  const isMarked = () => location.pathname === '/signin' && new URLSearchParams(location.search).get(marker) === '1';
  if (!isMarked()) return undefined;
  return {
    remove: (refusal) => {
      // The person may have gone elsewhere meanwhile.
      if (isMarked()) history.replaceState(history.state, '', addressAfter(location, refusal));
    },
  };
};

/** A refusal becomes what the server itself says of one that it finds earlier: see pages/sign-in/sign-in-problem.tsx. */
const addressAfter = ({ pathname, search }: AddressBar['location'], refusal: string | undefined): string => {
  const parameters = new URLSearchParams(search);
  for (const name of [marker, 'error', 'id']) parameters.delete(name);
  if (refusal !== undefined) parameters.set('error', refusal);
  const text = parameters.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
};
