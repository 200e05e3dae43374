/** Operation: a browser leaves for the outside provider, with secrets that only its way back can use. */
import { randomBytes } from 'node:crypto';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import type { IdentityProvider } from '../../platform/identity-provider.ts';
import { type Attempt, askProvider, attemptLifeSeconds, attemptText, entryOf, type LinkTarget } from './attempt.ts';

export interface BeginAttemptDeps {
  readonly helperSessions: HelperSessions;
  readonly provider: IdentityProvider;
}

export interface BeginAttemptInput {
  /** Of the browser's helper session. */
  readonly sessionId: string;
  /** Null: the person signs in. */
  readonly link: LinkTarget | null;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
}

export interface BegunAttempt {
  readonly state: string;
  /** At the provider. */
  readonly url: string;
}

/**
 * Keeps nothing when the provider cannot be asked.
 * @throws Refusal UNAVAILABLE; ExternalRefusal PROVIDER_UNAVAILABLE, PROVIDER_REFUSED
 */
export const beginAttempt = async (
  { helperSessions, provider }: BeginAttemptDeps,
  { sessionId, link, redirectUri }: BeginAttemptInput,
): Promise<BegunAttempt> => {
  const attempt: Attempt = { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret(), link };
  const url = await askProvider(() => provider.authorizationUrl(attempt, redirectUri, link !== null));
  await helperSessions.write(sessionId, entryOf(attempt.state), attemptText(attempt), attemptLifeSeconds);
  return { state: attempt.state, url };
};

/** As a code verifier has to look (RFC 7636, section 4.1). */
const newSecret = (): string => randomBytes(32).toString('base64url');
