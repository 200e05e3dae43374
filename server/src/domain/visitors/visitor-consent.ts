/**
 * A visitor's consent to analytics: read it and record it, for browsers without a signed-in person.
 */

import { randomUUID } from 'node:crypto';
import { type HelperSessions, helperSessionSeconds } from '../../platform/helper-sessions.ts';

// Operation: what a browser decided about analytics. It says nothing of who uses it.

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

// Operation: a visitor decides whether analytics may know their browser again.

export interface RecordConsentDeps {
  readonly helperSessions: Pick<HelperSessions, 'write' | 'keep' | 'take'>;
}

export interface Decision {
  readonly analytics: boolean;
  /** Of the helper session, raw. */
  readonly sessionId: string;
}

/**
 * Remembers the decision for thirty days. The anonymous id is random and there only with consent: the same one for as
 * long as consent lasts, another one after a refusal.
 * @throws Refusal UNAVAILABLE when the store does not answer
 */
export const recordConsent = (deps: RecordConsentDeps, decision: Decision): Promise<Visitor> =>
  decision.analytics ? consent(deps, decision) : refuse(deps, decision);

const consent = async ({ helperSessions }: RecordConsentDeps, { sessionId }: Decision): Promise<Visitor> => {
  const name = visitorEntries.anonymousId;
  const anonymousId = await helperSessions.keep(sessionId, name, randomUUID(), helperSessionSeconds);
  return { analyticsConsent: true, anonymousId };
};

/** The id goes first: should the second step fail, the visitor is asked again, and nothing knows them. */
const refuse = async ({ helperSessions }: RecordConsentDeps, { sessionId }: Decision): Promise<Visitor> => {
  await helperSessions.take(sessionId, visitorEntries.anonymousId);
  await helperSessions.write(sessionId, visitorEntries.refused, 'true', helperSessionSeconds);
  return refused;
};
