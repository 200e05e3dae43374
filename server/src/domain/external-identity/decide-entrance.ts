/** What becomes of somebody whom the provider vouches for. Callback and exchange decide by this and nothing else. */
import type { Queryable } from '../../platform/database/database.ts';
import type { ExternalRefusalCode } from './external-refusal.ts';
import { findMatchingAccount, findOwner, type MatchingAccountRow } from './identities-store.ts';
import type { KnownIdentity } from './known-identity.ts';

export type EntranceDecision =
  /** The identity is this person's. */
  | { readonly kind: 'sign_in'; readonly userId: string }
  /** The address is this person's, and the provider says that it is the identity's too. */
  | { readonly kind: 'link'; readonly userId: string; readonly isUnverified: boolean }
  | { readonly kind: 'create'; readonly email: string }
  | { readonly kind: 'refuse'; readonly code: ExternalRefusalCode };

/** Decides as things are now; who acts on it holds the rows that it depends on. */
export const decideEntrance = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  identity: KnownIdentity,
): Promise<EntranceDecision> => {
  const { issuer, subject, email } = identity;
  const owner = await queryable.maybeOne(findOwner, [issuer, subject]);
  if (owner !== null) return { kind: 'sign_in', userId: owner.userId };
  if (email === null) return { kind: 'refuse', code: 'EMAIL_MISSING' };
  if (!identity.isEmailVerified) return { kind: 'refuse', code: 'EMAIL_UNVERIFIED' };
  const decision = decisionFor(email, await queryable.maybeOne(findMatchingAccount, [email, issuer]));
  if (decision.kind !== 'refuse') return decision;
  // Without the identity's lock, which the callback does not hold, it may be this identity that was linked meanwhile.
  const now = await queryable.maybeOne(findOwner, [issuer, subject]);
  return now === null ? decision : { kind: 'sign_in', userId: now.userId };
};

/**
 * Somebody new may have an address that was somebody else's: an account that knows the issuer's person for its own is
 * not given to another one.
 */
const decisionFor = (email: string, account: MatchingAccountRow | null): EntranceDecision => {
  if (account === null || account.neverCame) return { kind: 'create', email };
  const { userId, isUnverified } = account;
  return account.hasIdentityOfIssuer
    ? { kind: 'refuse', code: 'ACCOUNT_HAS_OTHER_IDENTITY' }
    : { kind: 'link', userId, isUnverified };
};
