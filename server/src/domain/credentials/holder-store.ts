/**
 * SQL of the holder of an access credential: the columns that an actor is built from. Authentication reads them by the
 * token's hash; statements that issue a pair return them with it, so that nothing is read after the commit.
 */

import type { Queryable } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import { type MembershipRow, membershipsOfUser } from '../organizations/organizations-store.ts';
import type { Role, SubscriptionStatus } from '../scopes/scopes.ts';
import { hashesOfTokens } from './token.ts';

// SQL of who holds an access credential: the columns that an actor is built from. Authentication reads them by the hash of
// a token, and the statements that mint a pair answer them with it, so that nothing has to be read after the commit.

/** What may change from one request to the next, read from durable storage every time. */
export interface RecheckRow {
  /** SHA-256 in hex. */
  readonly tokenHash: string;
  readonly revoked: boolean;
  readonly expired: boolean;
  /** Versions of the rows that the actor was built from; null where there is no such row. */
  readonly userVersion: number;
  readonly membershipVersion: number | null;
  readonly organizationVersion: number | null;
}

/** The credential, the person and their active membership. */
export interface HolderRow extends RecheckRow {
  readonly credentialId: string;
  readonly sessionFamilyId: string;
  readonly audience: string;
  readonly authMethod: string;
  readonly scopes: readonly string[];
  readonly clientId: string | null;
  readonly clientName: string | null;
  readonly expiresAt: Date;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly emailValidatedAt: Date | null;
  readonly isSuperAdmin: boolean;
  readonly platformScopes: readonly string[];
  readonly hasPassword: boolean;
  readonly hasExternalIdentity: boolean;
  /** An identity was linked by its address to an account with a password that the person may not have set. */
  readonly isPasswordInQuestion: boolean;
  readonly membershipId: string | null;
  readonly role: Role | null;
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
}

/** Values of a row as they stand in JSON. */
type InJson<Row> = { readonly [Key in keyof Row]: Date extends Row[Key] ? Exclude<Row[Key], Date> | string : Row[Key] };

/** An external identity in the words of its person. */
export interface OwnIdentityRow {
  /** The provider's address for the person when it was linked; null when it had none that is an address. */
  readonly email: string | null;
  readonly linkedAt: Date;
}

/** What a person has several of, in JSON. */
interface HolderListsRow {
  readonly memberships: readonly InJson<MembershipRow>[];
  readonly externalIdentity: InJson<OwnIdentityRow> | null;
}

/** The holder of an access credential that was just minted. */
export interface MintedHolderRow extends HolderRow {
  /** Null unless they were asked for. */
  readonly lists: HolderListsRow | null;
}

/**
 * How much an answer says of the person beside the tokens: nothing, the person with their active membership, or their
 * lists too.
 */
export type HolderDetail = 'none' | 'holder' | 'lists';

export const recheckColumns = `encode(c.token_hash, 'hex') AS "tokenHash",
  c.revoked_at IS NOT NULL OR c.credentials_revision <> u.credentials_revision AS revoked,
  c.expires_at <= now() AS expired,
  u.version AS "userVersion", m.version AS "membershipVersion", o.version AS "organizationVersion"`;

/** @param credentials the table, or whatever has all its columns */
export const recheckJoins = (credentials: string): string => `FROM ${credentials} c
  JOIN users u ON u.id = c.user_id
  LEFT JOIN organization_members m ON m.id = u.current_membership AND m.user_id = u.id AND m.joined_at IS NOT NULL
  LEFT JOIN organizations o ON o.id = m.organization_id`;

export const holderColumns = `${recheckColumns}, c.id AS "credentialId", c.session_family_id AS "sessionFamilyId",
  c.audience, c.auth_method AS "authMethod", c.scopes, c.client_id AS "clientId", k.name AS "clientName",
  c.expires_at AS "expiresAt", u.id AS "userId", u.email, u.name,
  u.email_validated_at AS "emailValidatedAt", u.is_super_admin AS "isSuperAdmin",
  u.platform_scopes AS "platformScopes", u.password_hash IS NOT NULL AS "hasPassword",
  EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id) AS "hasExternalIdentity",
  u.password_hash IS NOT NULL AND EXISTS (
    SELECT 1 FROM external_identities i WHERE i.user_id = u.id AND i.password_in_question) AS "isPasswordInQuestion",
  m.id AS "membershipId", m.role, o.id AS "organizationId", o.name AS "organizationName",
  s.status AS "subscriptionStatus", s.product, s.current_period_ends_at AS "currentPeriodEndsAt"`;

/** @param credentials as of {@link recheckJoins} */
export const holderJoins = (credentials: string): string => `${recheckJoins(credentials)}
  LEFT JOIN subscriptions s ON s.organization_id = o.id
  LEFT JOIN oauth_clients k ON k.id = c.client_id`;

/** The one that was linked last: an issuer that is not configured any more may have left another. */
export const identityOfUser = (userId: string): string =>
  `SELECT email, linked_at AS "linkedAt" FROM external_identities WHERE user_id = ${userId}
   ORDER BY linked_at DESC, issuer LIMIT 1`;

/**
 * The columns of MintedHolderRow, over {@link holderJoins}.
 * @param hasLists a boolean in SQL; where it is false nothing is read for the lists
 */
export const mintedHolderColumns = (hasLists: string): string => `${holderColumns},
  CASE WHEN ${hasLists} THEN json_build_object(
    'memberships', (SELECT coalesce(json_agg(l), '[]') FROM (${membershipsOfUser('u.id')}) l),
    'externalIdentity', (SELECT row_to_json(l) FROM (${identityOfUser('u.id')}) l)) END AS lists`;

// Who is signed in where a request comes from: a question to those who bring a person in, or something to a person.

/**
 * The live sessions that tokens belong to. An access token that has expired counts like one that has not: the refresh
 * token beside it keeps the person signed in.
 * @param tokens raw, as they were presented; what is no token is passed over
 * @param audiences of the sessions that count
 */
export const listPresentedSessions = async (
  queryable: Pick<Queryable, 'many'>,
  tokens: readonly string[],
  audiences: readonly string[],
): Promise<readonly SignedInRow[]> => {
  const hashes = hashesOfTokens(tokens);
  return hashes.length === 0 ? [] : queryable.many(listSignedIn, [hashes, audiences]);
};

// SQL that tells from tokens who is signed in with them, although the tokens themselves may have run out.

/** A family that can still be used, of whom the surfaces of people accept. */
export interface SignedInRow {
  readonly userId: string;
  readonly sessionFamilyId: string;
}

/** The families that `start` names, and those that took their place when their person switched organizations. */
const liveFamilies = (start: string): string =>
  `WITH RECURSIVE families (id) AS (
     ${start}
     UNION
     SELECT c.session_family_id FROM families f
     JOIN credentials c ON c.succeeds_family_id = f.id AND c.kind = 'user_refresh')
   SELECT r.user_id AS "userId", r.session_family_id AS "sessionFamilyId"
   FROM families f
   JOIN credentials r ON r.session_family_id = f.id AND r.kind = 'user_refresh' AND r.revoked_at IS NULL
     AND r.expires_at > now() AND r.client_id IS NULL
   JOIN users u ON u.id = r.user_id AND u.credentials_revision = r.credentials_revision`;

/** By tokens of any kind and age. A token that was replaced by a rotation still says whose browser it is. */
export const listSignedIn = statement<SignedInRow, [tokenHashes: readonly string[], audiences: readonly string[]]>(
  'credentials.list_signed_in',
  `${liveFamilies('SELECT session_family_id FROM credentials WHERE token_hash = ANY ($1::bytea[])')}
   WHERE r.audience = ANY ($2)`,
);

/** A person's session, wherever it has switched to since; no row once it has ended. */
export const findSessionOfPerson = statement<SignedInRow, [sessionFamilyId: string, userId: string]>(
  'credentials.find_session_of_person',
  `${liveFamilies('SELECT $1::uuid')} WHERE r.user_id = $2`,
);
