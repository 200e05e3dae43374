/** SQL of the tables `oauth_requests` (authorization requests) and `oauth_codes` (authorization codes). */
import { statement } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';

// Table `oauth_requests`: bound to the browser that started a request, which lives ten minutes and is decided once.

/** The time that a user has to sign in and decide. */
export const requestLifeSeconds = 600;

export const insertRequest = statement<
  unknown,
  [
    id: string,
    clientId: string,
    redirectUri: string,
    state: string | null,
    scopes: readonly string[] | null,
    codeChallenge: string,
    audience: string,
    browserHash: Buffer,
    lifeSeconds: number,
  ]
>(
  'oauth.insert_request',
  `INSERT INTO oauth_requests (id, client_id, redirect_uri, state, scopes, code_challenge, audience, browser_hash,
     expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + $9 * interval '1 second')`,
);

export interface RequestRow {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly state: string | null;
  /** Null requests every scope that the user holds. */
  readonly scopes: readonly string[] | null;
  readonly codeChallenge: string;
  /** Of the resource that it is for. */
  readonly audience: string;
  /** Whether the requesting browser started this authorization request. */
  readonly isOfBrowser: boolean;
  readonly isDecided: boolean;
  readonly isExpired: boolean;
  readonly isClientRevoked: boolean;
  /** The URL of the client's metadata document; null for a client that registered itself. */
  readonly metadataUrl: string | null;
  /** All that the client may use, not only the one of this request. */
  readonly redirectUris: readonly string[];
}

export const findRequest = statement<RequestRow, [id: string, browserHash: Buffer]>(
  'oauth.find_request',
  `SELECT r.id, r.client_id AS "clientId", c.name AS "clientName", r.redirect_uri AS "redirectUri", r.state, r.scopes,
     r.code_challenge AS "codeChallenge", r.audience, r.browser_hash = $2 AS "isOfBrowser",
     r.decided_at IS NOT NULL AS "isDecided", r.expires_at <= now() AS "isExpired",
     c.revoked_at IS NOT NULL AS "isClientRevoked", c.metadata_url AS "metadataUrl", c.redirect_uris AS "redirectUris"
   FROM oauth_requests r JOIN oauth_clients c ON c.id = r.client_id WHERE r.id = $1`,
);

/**
 * Decides a request once: every later decision gets no row. It clears `state`, which is the client's secret and is not
 * needed again; the answer takes it from the row read before.
 */
export const claimRequest = statement<{ readonly id: string }, [id: string, browserHash: Buffer]>(
  'oauth.claim_request',
  `UPDATE oauth_requests SET decided_at = now(), state = NULL
   WHERE id = $1 AND browser_hash = $2 AND decided_at IS NULL AND expires_at > now()
   RETURNING id`,
);

/** Expired requests are kept for a day, so that an expired request can be distinguished from an unknown one. */
export const purgeRequests = deletingExpired('oauth_requests', 'id', 'expires_at', [
  `expires_at < now() - interval '1 day'`,
]);

// Table `oauth_codes`: authorization codes by hash, each valid for one redemption.

/** Inserts a code bound to the user's current credentials_revision. */
export const insertCode = statement<
  unknown,
  [
    codeHash: Buffer,
    clientId: string,
    redirectUri: string,
    codeChallenge: string,
    userId: string,
    scopes: readonly string[],
    ttlSeconds: number,
    audience: string,
    organizationId: string | null,
    membershipId: string | null,
  ]
>(
  'oauth.insert_code',
  `INSERT INTO oauth_codes (code_hash, client_id, redirect_uri, code_challenge, user_id, credentials_revision, scopes,
     expires_at, audience, organization_id, membership_id)
   SELECT $1, $2, $3, $4, u.id, u.credentials_revision, $6, now() + $7 * interval '1 second', $8, $9, $10
   FROM users u WHERE u.id = $5`,
);

interface ConsumedCodeRow {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly audience: string;
  readonly redirectUri: string;
  /** The membership of a grant for an organization; null for Platform MCP. */
  readonly organizationId: string | null;
  readonly membershipId: string | null;
}

/** A presented code with the values that must match it; null where no redirect URI is given. */
export type PresentedCode = readonly [
  codeHash: Buffer,
  clientId: string,
  redirectUris: readonly string[] | null,
  codeChallenge: string,
  audiences: readonly string[],
];

/** Holds the user who consented: a sign-out everywhere is seen by the redemption, or ends its session. */
export const sharePersonOfCode = statement<{ readonly id: string }, [codeHash: Buffer]>(
  'oauth.share_person_of_code',
  'SELECT id FROM users WHERE id = (SELECT user_id FROM oauth_codes WHERE code_hash = $1) FOR SHARE',
);

/** A redirect URI may be left out, because the challenge binds the code (OAuth 2.1, section 4.1.3). */
const isOfRedirect = `COALESCE(c.redirect_uri = ANY ($3::text[]), true)`;

const redeemed = `code_hash = $1 AND client_id = $2 AND ${isOfRedirect} AND code_challenge = $4`;

/** Whether the user of a code `c` is still a member of the organization that it is for. */
const isMemberOfCode = `EXISTS (SELECT 1 FROM organization_members m JOIN organizations o ON o.id = m.organization_id
     WHERE m.id = c.membership_id AND m.user_id = c.user_id AND m.joined_at IS NOT NULL AND o.deletes_at IS NULL)`;

/**
 * Consumes a code, for one redemption. Its user must not have signed out everywhere, and still be a super admin with a
 * consented scope, or a member of the organization. The caller holds the user's row.
 */
export const consumeCode = statement<ConsumedCodeRow, PresentedCode>(
  'oauth.consume_code',
  `UPDATE oauth_codes c SET consumed_at = now() FROM users u
   WHERE ${redeemed} AND c.audience = ANY ($5::text[]) AND c.consumed_at IS NULL AND c.expires_at > now()
     AND u.id = c.user_id AND u.credentials_revision = c.credentials_revision
     AND CASE WHEN c.membership_id IS NULL THEN u.is_super_admin AND c.scopes && u.platform_scopes
       ELSE ${isMemberOfCode} END
   RETURNING c.user_id AS "userId", c.scopes, c.audience, c.redirect_uri AS "redirectUri",
     c.organization_id AS "organizationId", c.membership_id AS "membershipId"`,
);

/** Records the session family that the code became, so that a replay ends it. */
export const nameFamilyOfCode = statement<unknown, [codeHash: Buffer, sessionFamilyId: string]>(
  'oauth.name_family_of_code',
  'UPDATE oauth_codes SET session_family_id = $2 WHERE code_hash = $1',
);

/** The state of a presented code. */
export interface PresentedCodeRow {
  readonly isOfClient: boolean;
  readonly isRedirectUri: boolean;
  readonly isVerified: boolean;
  readonly isConsumed: boolean;
  readonly isExpired: boolean;
  /** Whether the user signed out everywhere since. */
  readonly isRevoked: boolean;
  readonly audience: string;
  /** Whether the resource is served now. */
  readonly isServed: boolean;
  readonly isOfOrganization: boolean;
  readonly isSuperAdmin: boolean;
  /** Whether the user still belongs to the organization; false for Platform MCP. */
  readonly isMember: boolean;
  /** The user's address, for the connection record. */
  readonly email: string;
  /** Whether the user still holds one of the consented scopes of Platform MCP. */
  readonly isHeld: boolean;
  /** Null until the code is redeemed. */
  readonly sessionFamilyId: string | null;
}

export const findCode = statement<PresentedCodeRow, PresentedCode>(
  'oauth.find_code',
  `SELECT c.client_id = $2 AS "isOfClient", ${isOfRedirect} AS "isRedirectUri",
     c.code_challenge = $4 AS "isVerified", c.consumed_at IS NOT NULL AS "isConsumed",
     c.expires_at <= now() AS "isExpired", u.credentials_revision <> c.credentials_revision AS "isRevoked",
     c.audience, c.audience = ANY ($5::text[]) AS "isServed", c.membership_id IS NOT NULL AS "isOfOrganization",
     ${isMemberOfCode} AS "isMember",
     u.is_super_admin AS "isSuperAdmin", u.email, c.scopes && u.platform_scopes AS "isHeld",
     c.session_family_id AS "sessionFamilyId"
   FROM oauth_codes c JOIN users u ON u.id = c.user_id WHERE c.code_hash = $1`,
);

/** Codes are kept for as long as the resulting session may live, so that a replay ends it. */
export const purgeCodes = deletingExpired('oauth_codes', 'code_hash', 'expires_at', [
  `expires_at < now() - interval '31 days'`,
]);
