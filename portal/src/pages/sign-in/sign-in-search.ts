/** What stands in the address of /signin: where to go then, and what the server says of a sign-in by the provider. */
import { internalPath } from '../../internal-path.ts';

export interface SignInSearch {
  readonly redirect?: string | undefined;
  /** Why a sign-in or a link by the provider ended, as a code. */
  readonly error?: string | undefined;
  /** Under this id the server's log has it. */
  readonly id?: string | undefined;
}

/** Comes back from the provider once the account is linked. Whoever is sent to /signin instead has linked nothing. */
export const linkedPath = '/?external=linked';

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Anybody can write an address: of what is none of ours, nothing is shown. */
export const readSignIn = ({ redirect, error, id }: Record<string, unknown>): SignInSearch => ({
  redirect: redirect === linkedPath ? undefined : internalPath(redirect),
  error: typeof error === 'string' && error !== '' ? error : undefined,
  id: typeof id === 'string' && uuid.test(id) ? id : undefined,
});
