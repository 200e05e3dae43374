/** Operation: a browser leaves for the outside provider, with secrets that only its way back can use. */
import { randomBytes } from 'node:crypto';
import { networkOf } from '../../kernel/network.ts';
import type { Database } from '../../platform/database/database.ts';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import type { IdentityProvider } from '../../platform/identity-provider.ts';
import type { RateLimit, RateLimits } from '../../platform/rate-limits.ts';
import { type Attempt, askProvider, attemptLifeSeconds, attemptText, entryOf, type LinkTarget } from './attempt.ts';

export interface BeginAttemptDeps {
  readonly database: Database;
  readonly helperSessions: HelperSessions;
  readonly limits: RateLimits;
  readonly provider: IdentityProvider;
}

export interface BeginAttemptInput {
  /** Of the browser's helper session. */
  readonly sessionId: string;
  /** Null: the person signs in. */
  readonly link: LinkTarget | null;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  /** Of the caller; the attempts of its network are counted. */
  readonly ip: string;
}

export interface BegunAttempt {
  readonly state: string;
  /** At the provider. */
  readonly url: string;
}

/** Room for an office behind one address. */
const beginLimit: RateLimit = { name: 'external_sign_in', perHour: 3600, burst: 1000 };

/**
 * Keeps nothing when the provider cannot be asked.
 * @throws Refusal RATE_LIMITED, UNAVAILABLE; ExternalRefusal PROVIDER_UNAVAILABLE, PROVIDER_REFUSED
 */
export const beginAttempt = async (
  { database, helperSessions, limits, provider }: BeginAttemptDeps,
  { sessionId, link, redirectUri, ip }: BeginAttemptInput,
): Promise<BegunAttempt> => {
  await limits.take(database, beginLimit, networkOf(ip));
  const attempt: Attempt = { state: newSecret(), nonce: newSecret(), codeVerifier: newSecret(), link };
  const url = await askProvider(() => provider.authorizationUrl(attempt, redirectUri, link !== null));
  await helperSessions.write(sessionId, entryOf(attempt.state), attemptText(attempt), attemptLifeSeconds);
  return { state: attempt.state, url };
};

/** As a code verifier has to look (RFC 7636, section 4.1). */
const newSecret = (): string => randomBytes(32).toString('base64url');
