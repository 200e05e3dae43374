/**
 * Getting past an expired access credential. Runs with the session's lock held, so at most one tab is in here.
 */
import { RefreshAccessDocument } from '../generated/graphql.ts';
import { hasCode } from './refusal.ts';
import type { Send } from './transport.ts';

export interface RenewalParts {
  readonly send: Send;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** A rotation by somebody outside the lock takes about one round trip to reach this browser's cookies. */
const settlingPauses = [150, 350, 1000];

/** What the server says while the cookies still hold a pair that somebody else has just rotated. */
const isStale = (error: unknown): boolean => hasCode(error, 'ACCESS_EXPIRED') || hasCode(error, 'UNAUTHENTICATED');

/**
 * Repeats `attempt` until it has an answer that is not about an expired access credential.
 *
 * It is repeated before anything is rotated: while this tab waited for the lock another one may have put a fresh pair
 * into the cookies. That makes one rotation for any number of tabs.
 */
export const attemptWithRenewal = async <T>(parts: RenewalParts, attempt: () => Promise<T>): Promise<T> => {
  try {
    return await attempt();
  } catch (error) {
    if (!hasCode(error, 'ACCESS_EXPIRED')) throw error;
  }
  try {
    await rotate(parts);
  } catch (error) {
    if (!hasCode(error, 'REFRESH_SUPERSEDED')) throw error;
    return attemptWithSettledCookies(parts, attempt);
  }
  return attempt();
};

/** Somebody else rotated this pair. Their cookies arrive by themselves; a rotation of our own is the last resort. */
const attemptWithSettledCookies = async <T>(parts: RenewalParts, attempt: () => Promise<T>): Promise<T> => {
  for (const pause of settlingPauses) {
    await parts.wait(pause);
    try {
      return await attempt();
    } catch (error) {
      if (!isStale(error)) throw error;
    }
  }
  await rotate(parts);
  return attempt();
};

const rotate = ({ send }: RenewalParts): Promise<unknown> => send(RefreshAccessDocument, {});
