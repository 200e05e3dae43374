/** Operation: what a browser decided about analytics. It says nothing of who uses it. */
import type { HelperSessions } from '../../platform/helper-sessions.ts';

/** Helper state of one browser. */
export interface Visitor {
  /** Null until the visitor has decided. */
  readonly analyticsConsent: boolean | null;
  /** Null unless the visitor consented. */
  readonly anonymousId: string | null;
}

/**
 * What the helper session remembers. The decision is which of the two is there, so that no half of a change can be left
 * behind; the id comes first, because who consents after a refusal leaves that one to its end.
 */
export const visitorEntries = { anonymousId: 'anonymous_id', refused: 'analytics_refused' } as const;

/**
 * @param sessionId of the helper session, raw; null for a browser without one, which has decided nothing
 * @throws Refusal UNAVAILABLE when the store does not answer
 */
export const findVisitor = async (
  { helperSessions }: { readonly helperSessions: Pick<HelperSessions, 'read'> },
  sessionId: string | null,
): Promise<Visitor> => {
  if (sessionId === null) return undecided;
  const anonymousId = await helperSessions.read(sessionId, visitorEntries.anonymousId);
  if (anonymousId !== null) return { analyticsConsent: true, anonymousId };
  const hasRefused = (await helperSessions.read(sessionId, visitorEntries.refused)) !== null;
  return hasRefused ? refused : undecided;
};

const undecided: Visitor = { analyticsConsent: null, anonymousId: null };
export const refused: Visitor = { analyticsConsent: false, anonymousId: null };
