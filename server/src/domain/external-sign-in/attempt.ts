/**
 * A sign-in or link attempt at the external provider: kept for the browser from the redirect to the callback, each attempt
 * in an entry of its own, so that tabs do not collide. Also the closed list of reasons for which an attempt fails.
 */

import { randomBytes } from 'node:crypto';
import { isRecord } from '../../kernel/records.ts';
import { sha256 } from '../../kernel/secrets.ts';
import type { HelperSessions } from '../../platform/helper-sessions.ts';
import {
  type IdentityProvider,
  type ProvidedIdentity,
  type ProviderAttempt,
  ProviderFailure,
  type ProviderFailureReason,
} from '../../platform/oidc/identity-provider.ts';
import { emailReason, fittingName, isPrintable, normalizeEmail } from '../users/text-rules.ts';

// A person's attempt to come in, or to be linked, by the outside provider: what is kept for their browser between leaving
// for the provider and coming back, each attempt in an entry of its own, so that several tabs do not meet.

/** Long enough to find a password and a second factor. In seconds. */
export const attemptLifeSeconds = 600;

/** Whom to link, and the session that asked for it. */
export interface LinkTarget {
  readonly userId: string;
  readonly sessionFamilyId: string;
}

export interface Attempt extends ProviderAttempt {
  /** Null: the person signs in. */
  readonly link: LinkTarget | null;
}

/** The state itself is a secret, and a name is none. */
export const entryOf = (state: string): string => `external:${sha256(state).toString('hex')}`;

export const attemptText = ({ nonce, codeVerifier, link }: Attempt): string =>
  JSON.stringify({ nonce, codeVerifier, link });

/** @throws Error on what `attemptText` did not write: entries are sealed, so nobody else can have */
export const parseAttempt = (state: string, text: string): Attempt => {
  const entry: unknown = JSON.parse(text);
  if (!isRecord(entry)) throw new Error('An attempt is no object');
  const { nonce, codeVerifier, link } = entry;
  if (typeof nonce !== 'string' || typeof codeVerifier !== 'string') throw new Error('An attempt has no secrets');
  return { state, nonce, codeVerifier, link: link === null ? null : linkOf(link) };
};

const linkOf = (link: unknown): LinkTarget => {
  if (isRecord(link)) {
    const { userId, sessionFamilyId } = link;
    if (typeof userId === 'string' && typeof sessionFamilyId === 'string') return { userId, sessionFamilyId };
  }
  throw new Error('An attempt links nobody');
};

const codes: Readonly<Record<ProviderFailureReason, ExternalRefusalCode>> = {
  cancelled: 'PROVIDER_CANCELLED',
  unavailable: 'PROVIDER_UNAVAILABLE',
  refused: 'PROVIDER_REFUSED',
};

/** @throws ExternalRefusal PROVIDER_CANCELLED, PROVIDER_UNAVAILABLE, PROVIDER_REFUSED in place of a ProviderFailure */
export const askProvider = async <T>(question: () => Promise<T>): Promise<T> => {
  try {
    return await question();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    throw new ExternalRefusal(codes[error.reason], error.detail, { cause: error });
  }
};

// Operation: a browser leaves for the outside provider, with secrets that only its way back can use.

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

// Operation: a browser comes back from the outside provider, which is asked who the person is.

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

// What the provider said of somebody, as far as accounts can use it.

export interface KnownIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Normalized; null without one that could be the address of an account. */
  readonly email: string | null;
  readonly isEmailVerified: boolean;
  /** See `ProvidedIdentity`. */
  readonly isEmailAuthoritative: boolean;
  /** As a name may be; empty without an address. */
  readonly name: string;
}

/** Whether a value that was read back, such as from sealed JSON, has the form of one. */
export const isKnownIdentity = (value: unknown): value is KnownIdentity =>
  isRecord(value) &&
  [value['issuer'], value['subject'], value['name']].every((text) => typeof text === 'string') &&
  (value['email'] === null || typeof value['email'] === 'string') &&
  [value['isEmailVerified'], value['isEmailAuthoritative']].every((flag) => typeof flag === 'boolean');

/** OpenID Connect Core 1.0, section 2: a subject has at most 255 ASCII characters. */
const maxSubjectLength = 255;

/** @throws ExternalRefusal PROVIDER_REFUSED for a subject that cannot be one */
export const knownIdentityOf = (provided: ProvidedIdentity): KnownIdentity => {
  const { issuer, subject, email, isEmailVerified, isEmailAuthoritative, name } = provided;
  if (subject === '' || subject.length > maxSubjectLength || !isPrintable(subject)) {
    throw new ExternalRefusal('PROVIDER_REFUSED', 'subject');
  }
  const address = normalizeEmail(email ?? '');
  const isUsable = isAscii(email ?? '') && emailReason(address) === null;
  return {
    issuer,
    subject,
    email: isUsable ? address : null,
    isEmailVerified: isUsable && isEmailVerified,
    isEmailAuthoritative: isUsable && isEmailAuthoritative,
    name: fittingName(name ?? '') ?? nameOfAddress(isUsable ? address : ''),
  };
};

/** In small letters the Kelvin sign is our k: another mailbox would become that of the account with the k. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** Whoever has no name is called like their mailbox. A dot is left out where it would make a link of it. */
const nameOfAddress = (address: string): string => {
  const [local = ''] = address.split('@');
  return fittingName(local) ?? fittingName(local.replaceAll('.', ' ')) ?? '';
};

// The closed list of reasons for which a sign-in or a link by the outside provider ends before the portal has anything to
// exchange. The browser routes put the code into `/signin?error=CODE`; the portal has a sentence for each.

export const externalRefusalCodes = [
  /** The person said no at the provider. */
  'PROVIDER_CANCELLED',
  /** The provider does not answer, or not in time. */
  'PROVIDER_UNAVAILABLE',
  /** The provider answered what cannot be accepted: its fault, or somebody tampered with the way back. */
  'PROVIDER_REFUSED',
  /** The way back does not belong to an attempt of this browser that is still under way: replayed, forged, too late. */
  'ATTEMPT_OVER',
  /** The provider names no address that can be used for a new account. */
  'EMAIL_MISSING',
  /** The provider does not vouch for the address. */
  'EMAIL_UNVERIFIED',
  /** The account with this address is linked to another identity of the provider. */
  'ACCOUNT_HAS_OTHER_IDENTITY',
  /** There is an account with this address, and the provider does not know whose the address is now. */
  'ACCOUNT_EXISTS',
  /** Link: the identity belongs to another account. */
  'IDENTITY_TAKEN',
  /** Link: the session that prepared it has ended, or somebody else is signed in by now. */
  'LINK_SESSION_OVER',
  /** Link: the person was asked first, and said no. */
  'LINK_DECLINED',
  'RATE_LIMITED',
  /** The service itself does not get at what it needs. */
  'UNAVAILABLE',
] as const;

export type ExternalRefusalCode = (typeof externalRefusalCodes)[number];

export class ExternalRefusal extends Error {
  override readonly name = 'ExternalRefusal';
  readonly code: ExternalRefusalCode;
  /** For the log alone; never a value that came from outside. */
  readonly detail: string | null;

  constructor(code: ExternalRefusalCode, detail: string | null = null, options?: ErrorOptions) {
    super(`An external sign-in was refused: ${code}`, options);
    this.code = code;
    this.detail = detail;
  }
}
