/** An attempt to sign in or link at the external provider, an entry for each, from the redirect to the callback. */
import { z } from 'zod';
import { externalRefusal } from '../../kernel/errors.ts';
import { isPrintable, withoutInvisibleSigns } from '../../kernel/printable.ts';
import { randomSecret, sha256 } from '../../kernel/secrets.ts';
import { databaseNow } from '../../platform/database/database.ts';
import type { ProvidedIdentity, ProviderAttempt, ProviderPurpose } from '../../platform/oidc/identity-provider.ts';
import type { Deps } from '../access/deps.ts';
import { emailReason, fittingName, normalizeEmail } from '../users/text-rules.ts';

/** In seconds: enough to find a password and a second factor. */
export const attemptLifeSeconds = 600;

export const linkTarget = z.object({ userId: z.string(), sessionFamilyId: z.string() }).readonly();
export type LinkTarget = z.infer<typeof linkTarget>;

/** The part of an attempt that a helper session stores; `link` is null for a sign-in. */
const storedAttempt = z.object({
  nonce: z.string(),
  codeVerifier: z.string(),
  link: linkTarget.nullable(),
  /** The instant since when the person must have authenticated, in seconds since 1970; null where any will do. */
  authenticatedSince: z.number().nullable().default(null),
});

export type Attempt = ProviderAttempt & Readonly<z.infer<typeof storedAttempt>>;

/** The entry name contains a hash: the state is a secret, and entry names are not. */
const entryOf = (state: string): string => `external:${sha256(state).toString('hex')}`;

// Start of an attempt: the redirect to the provider, with secrets that only this attempt's callback can use.

export type AttemptDeps = Deps<'database' | 'helperSessions' | 'provider'>;

interface BeginAttemptInput {
  /** Id of the browser's helper session. */
  readonly sessionId: string;
  /** Null for a sign-in. */
  readonly link: LinkTarget | null;
  /** Whether the person must authenticate anew at the provider. */
  readonly reauthenticates: boolean;
  /** The provider's redirect target. */
  readonly redirectUri: string;
}

interface BegunAttempt {
  readonly state: string;
  /** Authorization URL at the provider. */
  readonly url: string;
}

/** Stores nothing on failure. @throws Refusal UNAVAILABLE: helper sessions; PROVIDER_UNAVAILABLE, PROVIDER_REFUSED */
export const beginAttempt = async (
  { database, helperSessions, provider }: AttemptDeps,
  { sessionId, link, reauthenticates, redirectUri }: BeginAttemptInput,
): Promise<BegunAttempt> => {
  const secrets = { state: randomSecret(), nonce: randomSecret(), codeVerifier: randomSecret() };
  const authenticatedSince = reauthenticates ? (await databaseNow(database)).getTime() / 1000 : null;
  const attempt: Attempt = { ...secrets, link, authenticatedSince };
  const url = await provider.authorizationUrl(attempt, redirectUri, purposeOf(attempt));
  await helperSessions.write(
    sessionId,
    entryOf(attempt.state),
    JSON.stringify(storedAttempt.parse(attempt)),
    attemptLifeSeconds,
  );
  return { state: attempt.state, url };
};

const purposeOf = ({ link, authenticatedSince }: Attempt): ProviderPurpose => {
  if (link !== null) return 'link';
  return authenticatedSince === null ? 'sign_in' : 'reauthenticate';
};

// Callback of an attempt: the provider is asked for the user's identity.

export interface AttemptKey {
  /** Id of the browser's helper session. */
  readonly sessionId: string;
  readonly state: string;
}

/**
 * Takes an attempt for one of several callbacks.
 * @param claim runs before, only while there is an attempt
 * @throws Refusal UNAVAILABLE: helper sessions are unavailable
 */
export const takeAttempt = async (
  { helperSessions }: Pick<AttemptDeps, 'helperSessions'>,
  { sessionId, state }: AttemptKey,
  claim: () => Promise<unknown>,
): Promise<Attempt | null> => {
  const entry = entryOf(state);
  if ((await helperSessions.read(sessionId, entry)) === null) return null;
  await claim();
  const text = await helperSessions.take(sessionId, entry);
  return text === null ? null : { state, ...storedAttempt.parse(JSON.parse(text)) };
};

interface ProviderAnswer {
  /** The callback's whole query, without the question mark. */
  readonly query: string;
  /** The redirect URI that the attempt started with. */
  readonly redirectUri: string;
}

/** Asks the provider who the person is. @throws Refusal as listed at `externalRefusalCodes` for the provider */
export const identifyPerson = async (
  { provider }: Pick<AttemptDeps, 'provider'>,
  attempt: Attempt,
  { query, redirectUri }: ProviderAnswer,
): Promise<ProvidedIdentity> => {
  const identity = await provider.identify(query, attempt, redirectUri);
  requireAuthenticatedSince(attempt, identity);
  return identity;
};

/** Seconds by which the clocks of the provider and of the database may differ. */
const clockTolerance = 30;

/** @throws Refusal PROVIDER_REFUSED: the provider did not ask the person, although the attempt required it */
const requireAuthenticatedSince = (
  { authenticatedSince }: Attempt,
  { authenticatedAt }: Pick<ProvidedIdentity, 'authenticatedAt'>,
): void => {
  if (authenticatedSince === null) return;
  if (authenticatedAt === null) throw externalRefusal('PROVIDER_REFUSED', 'auth_time_missing');
  if (authenticatedAt < authenticatedSince - clockTolerance)
    throw externalRefusal('PROVIDER_REFUSED', 'auth_time_too_old');
};

// The provider's claims about a user, normalized for accounts.

export const knownIdentity = z
  .object({
    issuer: z.string(),
    subject: z.string(),
    /** Normalized; null when no claim is a valid account address. */
    email: z.string().nullable(),
    isEmailVerified: z.boolean(),
    /** See `ProvidedIdentity`. */
    isEmailAuthoritative: z.boolean(),
    /** Conforms to the name rules; empty without an address. */
    name: z.string(),
    /** See `ProvidedIdentity`. */
    authenticatedAt: z.number().nullable().default(null),
  })
  .readonly();
export type KnownIdentity = z.infer<typeof knownIdentity>;

/** A subject has at most 255 ASCII characters (OpenID Connect Core 1.0, section 2). */
const maxSubjectLength = 255;

/** @throws Refusal PROVIDER_REFUSED: the subject is not valid */
export const knownIdentityOf = (provided: ProvidedIdentity): KnownIdentity => {
  const { issuer, subject, email, isEmailVerified, isEmailAuthoritative, name, authenticatedAt } = provided;
  if (subject === '' || subject.length > maxSubjectLength || !isPrintable(subject)) {
    throw externalRefusal('PROVIDER_REFUSED', 'subject');
  }
  const claimed = email ?? '';
  const plain = withoutInvisibleSigns(claimed);
  const address = normalizeEmail(claimed);
  const isUsable = isAscii(plain) && emailReason(address) === null;
  return {
    issuer,
    subject,
    email: isUsable ? address : null,
    isEmailVerified: isUsable && isEmailVerified,
    // The provider speaks for the address that it wrote: as another text, it may be that of another account there.
    isEmailAuthoritative: isUsable && plain === claimed && isEmailAuthoritative,
    name: fittingName(name ?? '') ?? nameOfAddress(isUsable ? address : ''),
    authenticatedAt,
  };
};

/** Lower-casing maps the Kelvin sign to k: another mailbox would match the account with the k. */
const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** A user without a name is named after their mailbox, without dots where these would make the name a link. */
const nameOfAddress = (address: string): string => {
  const [local = ''] = address.split('@');
  return fittingName(local) ?? fittingName(local.replaceAll('.', ' ')) ?? '';
};
