/** Operation: a browser comes back from the outside provider, which is asked who the person is. */
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import type { IdentityProvider, ProvidedIdentity } from '../../platform/identity-provider.ts';
import { askProvider, entryOf, type LinkTarget, parseAttempt } from './attempt.ts';
import { ExternalRefusal } from './external-refusal.ts';

export interface FinishAttemptDeps {
  readonly helperSessions: HelperSessions;
  readonly provider: IdentityProvider;
}

export interface FinishAttemptInput {
  /** Of the browser's helper session. */
  readonly sessionId: string;
  /** As the way back names it; null when it does not, or not once. */
  readonly state: string | null;
  /** The whole query of the way back, without the question mark. */
  readonly query: string;
  /** The same that the attempt began with. */
  readonly redirectUri: string;
}

export interface FinishedAttempt {
  readonly identity: ProvidedIdentity;
  /** Null: the person signs in. */
  readonly link: LinkTarget | null;
}

/**
 * An attempt is over once its browser came back, whatever comes of it: of several who come back with it, one is heard.
 * @throws ExternalRefusal ATTEMPT_OVER, PROVIDER_CANCELLED, PROVIDER_UNAVAILABLE, PROVIDER_REFUSED; Refusal UNAVAILABLE
 */
export const finishAttempt = async (
  { helperSessions, provider }: FinishAttemptDeps,
  { sessionId, state, query, redirectUri }: FinishAttemptInput,
): Promise<FinishedAttempt> => {
  if (state === null) throw new ExternalRefusal('ATTEMPT_OVER', 'no_state');
  const text = await helperSessions.take(sessionId, entryOf(state));
  if (text === null) throw new ExternalRefusal('ATTEMPT_OVER', 'state_unknown');
  const attempt = parseAttempt(state, text);
  const identity = await askProvider(() => provider.identify(query, attempt, redirectUri));
  return { identity, link: attempt.link };
};
