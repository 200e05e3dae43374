/**
 * SQL of the actor of an access credential: the columns that it is built from. Authentication reads them by the
 * token's hash; statements that issue a pair return them with it, so that nothing is read after the commit.
 */
import { type Queryable, statement } from '../../platform/database/database.ts';
import { type MembershipRow, membershipsOfUser } from '../organizations/organizations-store.ts';
import type { Role, SubscriptionStatus } from '../scopes/scopes.ts';
import { hashesOfTokens } from './token.ts';

/** The columns that may change between two requests, read from durable storage on every request. */
export interface RecheckRow {
  /** SHA-256 in hex. */
  readonly tokenHash: string;
  readonly revoked: boolean;
  readonly expired: boolean;
  /** Whether its pair replaced another one and was never used (`access/first-uses.ts`); never of a machine's. */
  readonly isUnused: boolean;
  readonly hasSecondFactor: boolean;
  /** Versions of the rows that the actor was built from; null where there is no such row. */
  readonly userVersion: number | null;
  readonly membershipVersion: number | null;
  readonly organizationVersion: number | null;
}

/** A credential as it was issued, and the client that it was issued to. */
export interface IssuedCredential {
  readonly sessionFamilyId: string;
  readonly audience: string;
  readonly authMethod: string;
  /** A second factor was used in the session; for a client's credential: the user has one now. */
  readonly hasSecondFactor: boolean;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly scopes: readonly string[];
  /** Those that the person granted to a client for an organization, which may have asked for fewer; else `scopes`. */
  readonly grantedScopes: readonly string[];
  /** The OAuth client and its registered name; null for every other credential. */
  readonly clientId: string | null;
  readonly clientName: string | null;
  /** The bound organization does not accept the client: no scopes (contract/organization-mcp.md#refused-client). */
  readonly isClientRefused: boolean;
  /** The client_id of a client with a metadata document: its URL. Null for a client that registered itself. */
  readonly clientMetadataUrl: string | null;
}

/** The credential, its user and their active membership. */
export interface ActorRow extends RecheckRow, IssuedCredential {
  readonly credentialId: string;
  /** Whether it is a client's grant for one organization, whose membership it is bound to. */
  readonly isBound: boolean;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  /** As it is stored: a language that this release does not have is possible. */
  readonly language: string | null;
  readonly emailValidatedAt: Date | null;
  readonly isSuperAdmin: boolean;
  readonly platformScopes: readonly string[];
  readonly hasPassword: boolean;
  readonly hasExternalIdentity: boolean;
  /** An identity was linked by its address to an account whose password the user may not have set. */
  readonly isPasswordInQuestion: boolean;
  readonly membershipId: string | null;
  readonly role: Role | null;
  readonly organizationId: string | null;
  readonly organizationName: string | null;
  readonly requireSecondFactor: boolean | null;
  readonly subscriptionStatus: SubscriptionStatus | null;
  readonly product: string | null;
  readonly currentPeriodEndsAt: Date | null;
}

/** Values of a row as JSON represents them. */
type InJson<Row> = { readonly [Key in keyof Row]: Date extends Row[Key] ? Exclude<Row[Key], Date> | string : Row[Key] };

/** An external identity as its own user sees it. */
export interface OwnIdentityRow {
  /** The user's address at the provider when the identity was linked; null when the provider gave no valid address. */
  readonly email: string | null;
  readonly linkedAt: Date;
}

/** The user's memberships and external identity, in JSON. */
interface ActorListsRow {
  readonly memberships: readonly InJson<MembershipRow>[];
  readonly externalIdentity: InJson<OwnIdentityRow> | null;
}

/** The actor of a newly issued access credential. */
export interface IssuedActorRow extends ActorRow {
  /** Null unless the lists were requested. */
  readonly lists: ActorListsRow | null;
}

/** What an answer has beside the tokens: nothing, the user with their active membership, or the lists as well. */
export type ActorDetail = 'none' | 'actor' | 'lists';

/** SQL: `hasSecondFactor` of a credential `c` of a session. */
export const sessionHasSecondFactor = `CASE WHEN c.client_id IS NULL THEN c.second_factor_at IS NOT NULL
    ELSE EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = c.user_id)
      OR EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = c.user_id) END`;

/** SQL: whether `c` is a client's grant for one organization, bound to its row's membership; others follow the user. */
export const isBound = 'c.redirect_host IS NOT NULL';

/** SQL: whether the client of `c` is revoked, so that nothing accepts it. Reads that client alone, in any plan. */
const isOfRevokedClient = `CASE WHEN c.client_id IS NULL THEN false ELSE (
    SELECT k.revoked_at IS NOT NULL FROM oauth_clients k WHERE k.id = c.client_id) END`;

const recheckColumns = `encode(c.token_hash, 'hex') AS "tokenHash",
  c.revoked_at IS NOT NULL OR c.credentials_revision <> u.credentials_revision OR u.suspended_at IS NOT NULL
    OR (${isBound} AND m.id IS NULL) OR ${isOfRevokedClient} AS revoked,
  c.expires_at <= now() AS expired, c.unused_after IS NOT NULL AS "isUnused",
  ${sessionHasSecondFactor} AS "hasSecondFactor",
  u.version AS "userVersion", m.version AS "membershipVersion", o.version AS "organizationVersion"`;

/**
 * @param credentials the table, or another relation with all its columns
 * @param users likewise; a statement that updates the user reads the new row from its own CTE
 */
const recheckJoins = (credentials: string, users = 'users'): string => `FROM ${credentials} c
  JOIN ${users} u ON u.id = c.user_id
  LEFT JOIN organization_members m
    ON m.id = CASE WHEN ${isBound} THEN c.membership_id ELSE u.current_membership END
      AND m.user_id = u.id AND m.joined_at IS NOT NULL
  LEFT JOIN organizations o ON o.id = m.organization_id AND o.deletes_at IS NULL`;

/** SQL: whether the policy of an organization `o` accepts the client `k`. @param redirectHost SQL */
export const acceptsClient = (redirectHost: string): string =>
  `o.mcp_clients = 'ANY' OR (o.mcp_clients = 'LISTED'
    AND (coalesce(k.metadata_url, k.id::text) = ANY (o.mcp_client_ids) OR ${redirectHost} = ANY (o.mcp_redirect_hosts)))`;

/**
 * SQL: the scopes of a bound grant, from the first refresh credential of its family, which has the family's id; that of
 * any other credential, and of one that this statement inserts together with its family, are its own.
 */
const grantedScopes = `CASE WHEN ${isBound}
  THEN coalesce((SELECT f.scopes FROM credentials f WHERE f.id = c.session_family_id), c.scopes) ELSE c.scopes END`;

/** SQL: whether the organization that a client's grant is bound to does not accept the client. */
const isClientRefused = `${isBound} AND o.id IS NOT NULL AND NOT (${acceptsClient('c.redirect_host')})`;

const actorColumns = `${recheckColumns}, c.id AS "credentialId", c.session_family_id AS "sessionFamilyId",
  c.audience, c.auth_method AS "authMethod", c.scopes, ${grantedScopes} AS "grantedScopes",
  c.client_id AS "clientId", k.name AS "clientName",
  k.metadata_url AS "clientMetadataUrl", ${isBound} AS "isBound", ${isClientRefused} AS "isClientRefused",
  c.issued_at AS "issuedAt", c.expires_at AS "expiresAt", u.id AS "userId", u.email, u.name, u.language,
  u.email_validated_at AS "emailValidatedAt", u.is_super_admin AS "isSuperAdmin",
  u.platform_scopes AS "platformScopes", u.password_hash IS NOT NULL AS "hasPassword",
  EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id) AS "hasExternalIdentity",
  u.password_hash IS NOT NULL AND EXISTS (
    SELECT 1 FROM external_identities i WHERE i.user_id = u.id AND i.password_in_question) AS "isPasswordInQuestion",
  m.id AS "membershipId", m.role, o.id AS "organizationId", o.name AS "organizationName",
  o.require_second_factor AS "requireSecondFactor",
  s.status AS "subscriptionStatus", s.product, s.current_period_ends_at AS "currentPeriodEndsAt"`;

/** Takes the relations of {@link recheckJoins}. */
export const actorJoins = (credentials: string, users?: string): string => `${recheckJoins(credentials, users)}
  LEFT JOIN subscriptions s ON s.organization_id = o.id
  LEFT JOIN oauth_clients k ON k.id = c.client_id`;

// SQL of authentication: the actor of a token hash, and the re-check of every request.

const byHash = `WHERE c.token_hash = ANY ($1::bytea[]) AND c.kind = 'user_session'`;

/** @param hashes an array literal of hex bytea, so that requests in one tick of the event loop share one statement */
export const recheckCredentials = statement<RecheckRow, [hashes: string]>(
  'access.recheck_credentials',
  `SELECT ${recheckColumns} ${recheckJoins('credentials')} ${byHash}`,
);

/** As {@link recheckCredentials}. */
export const loadActors = statement<ActorRow, [hashes: string]>(
  'access.load_actors',
  `SELECT ${actorColumns} ${actorJoins('credentials')} ${byHash}`,
);

/** The present worth of a client's grant for an organization. */
export const findGrant = statement<
  {
    /** The membership that it is bound to; null once that has ended. */
    readonly membershipId: string | null;
    /** The organization that it was issued for, deleted or not. */
    readonly organizationId: string;
    readonly isClientRefused: boolean;
  },
  [credentialId: string]
>(
  'credentials.find_grant',
  `SELECT m.id AS "membershipId", c.organization_id AS "organizationId", ${isClientRefused} AS "isClientRefused"
   ${actorJoins('credentials')} WHERE c.id = $1 AND ${isBound}`,
);

/** The identity that was linked last: an issuer that is no longer configured may have left another one. */
export const identityOfUser = (userId: string): string =>
  `SELECT email, linked_at AS "linkedAt" FROM external_identities WHERE user_id = ${userId}
   ORDER BY linked_at DESC, issuer LIMIT 1`;

/** The columns of IssuedActorRow, over {@link actorJoins}. @param hasLists SQL; false reads nothing for the lists */
export const issuedActorColumns = (hasLists: string): string => `${actorColumns},
  CASE WHEN ${hasLists} THEN json_build_object(
    'memberships', (SELECT coalesce(json_agg(l), '[]') FROM (${membershipsOfUser('u.id')}) l),
    'externalIdentity', (SELECT row_to_json(l) FROM (${identityOfUser('u.id')}) l)) END AS lists`;

// Signed-in sessions by presented token, also when the access token has expired.

/**
 * The live sessions of tokens, also of expired access tokens: the refresh token keeps the user signed in.
 * @param tokens raw, as presented; other texts are skipped
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

/** A live family that was not issued to an OAuth client. */
interface SignedInRow {
  readonly userId: string;
  readonly sessionFamilyId: string;
}

/** The live families among those that `start` selects and their successors after a switch of organization. */
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

/** Families by tokens of any kind and age: a token that a rotation replaced still identifies the browser's user. */
const listSignedIn = statement<SignedInRow, [tokenHashes: readonly string[], audiences: readonly string[]]>(
  'credentials.list_signed_in',
  `${liveFamilies('SELECT session_family_id FROM credentials WHERE token_hash = ANY ($1::bytea[])')}
   WHERE r.audience = ANY ($2)`,
);

/** A user's session, followed through switches of organization; no row once it has ended. */
export const findSessionOfPerson = statement<SignedInRow, [sessionFamilyId: string, userId: string]>(
  'credentials.find_session_of_person',
  `${liveFamilies('SELECT $1::uuid')} WHERE r.user_id = $2`,
);
