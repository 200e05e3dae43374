/** Operation: a visitor decides whether analytics may know their browser again. */
import { randomUUID } from 'node:crypto';
import { type HelperSessions, helperSessionSeconds } from '../../platform/helper-sessions.ts';
import { refused, type Visitor, visitorEntries } from './find-visitor.ts';

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
