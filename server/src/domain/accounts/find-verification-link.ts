/**
 * What the portal's page of a verification link may know before it does anything. The address is for the browser that
 * signed up and no other: only there does one click confirm it, because the password that it activates was chosen there.
 */
import { sha256 } from '../../kernel/secrets.ts';
import type { Database } from '../../platform/database/database.ts';
import { isExpiredValidationToken } from '../users/users-store.ts';
import { findUnconfirmed, type UnconfirmedRow } from './unconfirmed-sign-ups-store.ts';
import { isWellFormedValidationToken } from './validation-token.ts';

export type VerificationLinkStatus = 'OPEN' | 'EXPIRED' | 'INVALID';

export interface VerificationLink {
  readonly status: VerificationLinkStatus;
  /** Null but in the browser that signed up. */
  readonly email: string | null;
}

/** A sign-up as the cookie of the browser remembers it. */
export interface RememberedSignUp {
  /** Normalized. */
  readonly email: string;
  /** Random, of this browser and address. */
  readonly browserId: string;
}

/**
 * Changes nothing.
 * @param token raw; any text that cannot be a token is INVALID without a look-up
 * @param remembered the sign-ups of the browser that asks
 * @returns EXPIRED also for a token that was replaced within the hour, as validateEmail answers
 */
export const findVerificationLink = async (
  { database }: { readonly database: Database },
  token: string,
  remembered: readonly RememberedSignUp[],
): Promise<VerificationLink> => {
  if (!isWellFormedValidationToken(token)) return { status: 'INVALID', email: null };
  const account = await database.maybeOne(findUnconfirmed, [sha256(token)]);
  if (account !== null) {
    return { status: account.isOpen ? 'OPEN' : 'EXPIRED', email: isOwn(account, remembered) ? account.email : null };
  }
  const { expired } = await database.one(isExpiredValidationToken, [sha256(token)]);
  return { status: expired ? 'EXPIRED' : 'INVALID', email: null };
};

const isOwn = ({ email, browserHash }: UnconfirmedRow, remembered: readonly RememberedSignUp[]): boolean =>
  browserHash !== null &&
  remembered.some((signUp) => signUp.email === email && sha256(signUp.browserId).equals(browserHash));
