/** Operation: a visitor decides whether analytics may know their browser again. */
import { randomUUID } from 'node:crypto';
import { networkOf } from '../../kernel/network.ts';
import type { Database } from '../../platform/database/database.ts';
import { type HelperSessions, helperSessionSeconds } from '../../platform/helper-sessions.ts';
import type { RateLimit, RateLimits } from '../../platform/rate-limits.ts';
import { refused, type Visitor, visitorEntries } from './find-visitor.ts';

export interface RecordConsentDeps {
  readonly database: Pick<Database, 'one'>;
  readonly helperSessions: Pick<HelperSessions, 'write' | 'keep' | 'take'>;
  readonly limits: RateLimits;
}

export interface Decision {
  readonly analytics: boolean;
  /** Of the helper session, raw. */
  readonly sessionId: string;
  /** Whether that session begins with this decision. */
  readonly isNewSession: boolean;
  /** Of the caller, whose network's new sessions are counted. */
  readonly ip: string;
}

/** Anybody may begin a session, and each is kept for thirty days. Generous: a whole company may stand behind one address. */
const newSessionLimit: RateLimit = { name: 'visitor_session', perHour: 300, burst: 300 };

/**
 * Remembers the decision for thirty days. The anonymous id is random and there only with consent: the same one for as
 * long as consent lasts, another one after a refusal.
 * @throws Refusal RATE_LIMITED, UNAVAILABLE when the store does not answer
 */
export const recordConsent = async (deps: RecordConsentDeps, decision: Decision): Promise<Visitor> => {
  if (decision.isNewSession) await deps.limits.take(deps.database, newSessionLimit, networkOf(decision.ip));
  return decision.analytics ? consent(deps, decision) : refuse(deps, decision);
};

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
