/**
 * A person's attempt to come in, or to be linked, by the outside provider: what is kept for their browser between leaving
 * for the provider and coming back, each attempt in an entry of its own, so that several tabs do not meet.
 */
import { isRecord } from '../../kernel/records.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { type ProviderAttempt, ProviderFailure, type ProviderFailureReason } from '../../platform/identity-provider.ts';
import { ExternalRefusal, type ExternalRefusalCode } from './external-refusal.ts';

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
