/**
 * A link that a session prepared counts for one attempt: its nonce waits in the helper session until an attempt takes it.
 * A kept copy of the link cookie names a nonce that is gone.
 */
import { randomBytes } from 'node:crypto';
import type { HelperSessions } from '../../platform/helper-sessions.ts';

/** From the preparation until the browser must have left for the provider. In seconds. */
export const preparedLinkSeconds = 120;

interface PreparedLinkDeps {
  readonly helperSessions: Pick<HelperSessions, 'write' | 'take'>;
}

const entryOf = (nonce: string): string => `prepared-link:${nonce}`;

/**
 * @param sessionId of the browser's helper session
 * @returns the nonce for the link cookie
 * @throws Refusal UNAVAILABLE
 */
export const keepPreparedLink = async ({ helperSessions }: PreparedLinkDeps, sessionId: string): Promise<string> => {
  const nonce = randomBytes(16).toString('base64url');
  await helperSessions.write(sessionId, entryOf(nonce), '', preparedLinkSeconds);
  return nonce;
};

/**
 * Whether the link may still begin; of several who ask with one nonce, the first may.
 * @throws Refusal UNAVAILABLE
 */
export const takePreparedLink = async (
  { helperSessions }: PreparedLinkDeps,
  sessionId: string,
  nonce: string,
): Promise<boolean> => (await helperSessions.take(sessionId, entryOf(nonce))) !== null;
