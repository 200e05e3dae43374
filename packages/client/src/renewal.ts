/**
 * What a stale pair needs: finds out under the lock whether another tab has replaced it, rotates it if not, and says
 * whether the session has ended.
 */
import { isRefusal } from './refusal.ts';
import type { Wait } from './tabs.ts';
import type { Send, TypedDocument } from './types.ts';

interface RenewalParts<U> {
  readonly send: Send;
  readonly wait: Wait;
  /** Asks once who is signed in. */
  readonly ask: () => Promise<U>;
}

const hasExpired = (error: unknown): boolean => isRefusal(error, 'ACCESS_EXPIRED');

/** Codes returned while the cookies hold an expired, rotated or revoked pair, or none. */
const isStale = (error: unknown): boolean => isRefusal(error, 'ACCESS_EXPIRED', 'UNAUTHENTICATED');

/**
 * How often an operation is sent again: once for the refresh, and once for a pair that another origin has replaced
 * since.
 */
const maxRetries = 2;

/**
 * Runs the attempt, and again after `recover` when the pair was stale.
 * @param recover is told whether the pair had merely expired
 */
export const retried = async <T>(
  attempt: () => Promise<T>,
  recover: (wasExpired: boolean) => Promise<unknown>,
): Promise<T> => {
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isStale(error) || retries === maxRetries) throw error;
      await recover(hasExpired(error));
    }
  }
};

const refreshAccess: TypedDocument<
  unknown,
  Record<string, never>
> = 'mutation RefreshAccess{refreshAccessToken{accessTokenExpiresAt}}';

/**
 * Call it under the lock: no other tab of this origin is replacing the pair. One of another origin may be, whose new
 * cookies are on their way; the service tells that from the end of a session when the pair is presented for a rotation.
 * @param wasSignedIn whether there was a session a moment ago
 * @returns the user, when the pair is fresh already; undefined after a rotation
 * @throws Refusal UNAUTHENTICATED, REFRESH_REFUSED, ACCOUNT_SUSPENDED: the session has ended, or there was none
 * @throws Refusal of any other code: nothing is known
 */
export const renew = async <U>(parts: RenewalParts<U>, wasSignedIn: boolean): Promise<U | undefined> => {
  try {
    return await parts.ask();
  } catch (error) {
    if (hasExpired(error)) return rotate(parts);
    if (!isStale(error) || !wasSignedIn) throw error;
  }
  return settle(parts);
};

const rotate = async <U>(parts: RenewalParts<U>): Promise<U | undefined> => {
  try {
    await parts.send(refreshAccess);
    return undefined;
  } catch (refusal) {
    // A pair that a switch has replaced a moment ago is refused as well.
    if (!isRefusal(refusal, 'REFRESH_SUPERSEDED', 'REFRESH_REFUSED')) throw refusal;
    return settle(parts);
  }
};

/**
 * The pair was replaced elsewhere, and its cookies arrive within about one round trip; a rotation by this tab is the
 * last resort.
 */
const settle = async <U>({ send, wait, ask }: RenewalParts<U>): Promise<U | undefined> => {
  for (const delay of [150, 350]) {
    await wait(delay);
    try {
      return await ask();
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  }
  await send(refreshAccess);
  return undefined;
};
