/** What becomes of somebody whom the provider vouches for. Callback and exchange decide by this and nothing else. */
import type { Queryable } from '../../platform/database/database.ts';
import type { ExternalRefusalCode } from './external-refusal.ts';
import { findMatchingAccount, findOwner, type MatchingAccountRow, type PersonRow } from './identities-store.ts';
import type { KnownIdentity } from './known-identity.ts';

export type EntranceDecision =
  /** The identity is this person's. */
  | { readonly kind: 'sign_in'; readonly person: PersonRow }
  /** The address is this person's, and the provider says that it is the identity's too. */
  | { readonly kind: 'link'; readonly person: PersonRow; readonly isUnverified: boolean }
  | { readonly kind: 'create'; readonly email: string }
  | { readonly kind: 'refuse'; readonly code: ExternalRefusalCode };

/** Decides as things are now; who acts on it holds the rows that it depends on. */
export const decideEntrance = async (
  queryable: Pick<Queryable, 'maybeOne'>,
  identity: KnownIdentity,
): Promise<EntranceDecision> => {
  const { issuer, subject, email } = identity;
  const owner = await queryable.maybeOne(findOwner, [issuer, subject]);
  if (owner !== null) return { kind: 'sign_in', person: owner };
  if (email === null) return { kind: 'refuse', code: 'EMAIL_MISSING' };
  if (!identity.isEmailVerified) return { kind: 'refuse', code: 'EMAIL_UNVERIFIED' };
  const account = await queryable.maybeOne(findMatchingAccount, [email, issuer]);
  const decision = account === null || account.neverCame ? create(email) : decisionFor(account, identity);
  if (decision.kind !== 'refuse') return decision;
  // Without the identity's lock, which the callback does not hold, it may be this identity that was linked meanwhile.
  const now = await queryable.maybeOne(findOwner, [issuer, subject]);
  return now === null ? decision : { kind: 'sign_in', person: now };
};

const create = (email: string): EntranceDecision => ({ kind: 'create', email });

/**
 * Somebody new may have an address that was somebody else's: an account that knows the issuer's person for its own is
 * not given to another one, and an account whose address was proven here needs a provider that knows whose it is now.
 */
const decisionFor = (
  { userId, credentialsRevision, isUnverified, hasIdentityOfIssuer }: MatchingAccountRow,
  { isEmailAuthoritative }: KnownIdentity,
): EntranceDecision => {
  if (hasIdentityOfIssuer) return { kind: 'refuse', code: 'ACCOUNT_HAS_OTHER_IDENTITY' };
  if (!isUnverified && !isEmailAuthoritative) return { kind: 'refuse', code: 'ACCOUNT_EXISTS' };
  return { kind: 'link', person: { userId, credentialsRevision }, isUnverified };
};
