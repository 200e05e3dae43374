/**
 * Owns: a browser's consent to analytics and its anonymous id, without sign-in.
 * Promises: No id is stored without consent.
 *
 * A visitor's consent to analytics: read it and record it for a browser, without identifying a user.
 */
import { randomUUID } from 'node:crypto';
import { type HelperSessions, helperSessionSeconds } from '../../platform/helper-sessions.ts';
import type { Deps } from '../access/deps.ts';

/** Helper state of one browser. */
export interface Visitor {
  /** Null until the visitor has decided. */
  readonly analyticsConsent: boolean | null;
  /** Null unless the visitor consented. */
  readonly anonymousId: string | null;
}

/**
 * Entries of the helper session. The presence of one of them is the decision, so that no partial change can remain. The
 * id is read first, because consent after a refusal leaves the refusal entry until it expires.
 */
const visitorEntries = { anonymousId: 'anonymous_id', refused: 'analytics_refused' } as const;

/** @param sessionId of the helper session, raw @throws Refusal UNAVAILABLE: the store does not answer */
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
const refused: Visitor = { analyticsConsent: false, anonymousId: null };

// Recording of a decision on whether analytics may recognise the browser.

interface Decision {
  readonly analytics: boolean;
  /** Id of the helper session, raw. */
  readonly sessionId: string;
}

/**
 * Stores the decision for thirty days. The random anonymous id exists only with consent.
 * @throws Refusal UNAVAILABLE: the store does not answer
 */
export const recordConsent = (deps: Deps<'helperSessions'>, decision: Decision): Promise<Visitor> =>
  decision.analytics ? consent(deps, decision) : refuse(deps, decision);

const consent = async ({ helperSessions }: Deps<'helperSessions'>, { sessionId }: Decision): Promise<Visitor> => {
  const name = visitorEntries.anonymousId;
  const anonymousId = await helperSessions.keep(sessionId, name, randomUUID(), helperSessionSeconds);
  return { analyticsConsent: true, anonymousId };
};

/** Removes the id first: if the second step fails, the visitor is asked again and cannot be recognised. */
const refuse = async ({ helperSessions }: Deps<'helperSessions'>, { sessionId }: Decision): Promise<Visitor> => {
  await helperSessions.take(sessionId, visitorEntries.anonymousId);
  await helperSessions.write(sessionId, visitorEntries.refused, 'true', helperSessionSeconds);
  return refused;
};
