/**
 * SQL of authorization requests and authorization codes.
 */
import { statement } from '../../platform/database/statement.ts';
import { rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';

// SQL of the table `oauth_requests`: what a client asks a person for, from authorize to the person's answer. A request is
// bound to the browser that began it, lives ten minutes, and is decided once.

/** How long a person may take to sign in and to decide. */
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
    browserHash: Buffer,
    lifeSeconds: number,
  ]
>(
  'oauth.insert_request',
  `INSERT INTO oauth_requests (id, client_id, redirect_uri, state, scopes, code_challenge, browser_hash, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, now() + $8 * interval '1 second')`,
);

export interface RequestRow {
  readonly id: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly state: string | null;
  /** Null asks for everything that the person holds. */
  readonly scopes: readonly string[] | null;
  readonly codeChallenge: string;
  /** Whether the browser that asks began the request. */
  readonly isOfBrowser: boolean;
  readonly isDecided: boolean;
  readonly isExpired: boolean;
  readonly isClientRevoked: boolean;
}

export const findRequest = statement<RequestRow, [id: string, browserHash: Buffer]>(
  'oauth.find_request',
  `SELECT r.id, r.client_id AS "clientId", c.name AS "clientName", r.redirect_uri AS "redirectUri", r.state, r.scopes,
     r.code_challenge AS "codeChallenge", r.browser_hash = $2 AS "isOfBrowser", r.decided_at IS NOT NULL AS "isDecided",
     r.expires_at <= now() AS "isExpired", c.revoked_at IS NOT NULL AS "isClientRevoked"
   FROM oauth_requests r JOIN oauth_clients c ON c.id = r.client_id WHERE r.id = $1`,
);

/**
 * The one statement that decides which answer counts: no row for every later one. The answer takes the state along from
 * the row that was read before; it is the client's secret, and nobody needs it here again.
 */
export const claimRequest = statement<{ readonly id: string }, [id: string, browserHash: Buffer]>(
  'oauth.claim_request',
  `UPDATE oauth_requests SET decided_at = now(), state = NULL
   WHERE id = $1 AND browser_hash = $2 AND decided_at IS NULL AND expires_at > now()
   RETURNING id`,
);

/** For a day a request that is over is told from one that never was. */
export const purgeRequests = statement(
  'oauth.purge_requests',
  `DELETE FROM oauth_requests WHERE id = ANY (ARRAY(
     SELECT id FROM oauth_requests WHERE expires_at < now() - interval '1 day'
     ORDER BY expires_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);

// SQL of the table `oauth_codes`: authorization codes, by hash, each good for one redemption.

/** A code of a person who is as signed in as their credentials_revision says. */
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
  ]
>(
  'oauth.insert_code',
  `INSERT INTO oauth_codes (code_hash, client_id, redirect_uri, code_challenge, user_id, credentials_revision, scopes,
     expires_at)
   SELECT $1, $2, $3, $4, u.id, u.credentials_revision, $6, now() + $7 * interval '1 second'
   FROM users u WHERE u.id = $5`,
);

export interface ConsumedCodeRow {
  readonly userId: string;
  readonly scopes: readonly string[];
}

/** A code as it was presented, with what has to belong to it. */
export type PresentedCode = readonly [codeHash: Buffer, clientId: string, redirectUri: string, codeChallenge: string];

/**
 * Holds the person who consented, so that a sign-out everywhere comes before the redemption, and is seen by the next
 * statement, or after it, and ends what comes of it.
 */
export const sharePersonOfCode = statement<{ readonly id: string }, [codeHash: Buffer]>(
  'oauth.share_person_of_code',
  'SELECT id FROM users WHERE id = (SELECT user_id FROM oauth_codes WHERE code_hash = $1) FOR SHARE',
);

const redeemed = `code_hash = $1 AND client_id = $2 AND redirect_uri = $3 AND code_challenge = $4`;

/**
 * The one statement that decides who redeems a code. The person must not have signed out everywhere since, must still be
 * a super admin, and hold something of what they consented to. The caller holds the person's row by now.
 */
export const consumeCode = statement<ConsumedCodeRow, PresentedCode>(
  'oauth.consume_code',
  `UPDATE oauth_codes c SET consumed_at = now() FROM users u
   WHERE ${redeemed} AND c.consumed_at IS NULL AND c.expires_at > now() AND u.id = c.user_id
     AND u.credentials_revision = c.credentials_revision AND u.is_super_admin AND c.scopes && u.platform_scopes
   RETURNING c.user_id AS "userId", c.scopes`,
);

/** What the code became, so that a replay ends it. */
export const nameFamilyOfCode = statement<unknown, [codeHash: Buffer, sessionFamilyId: string]>(
  'oauth.name_family_of_code',
  'UPDATE oauth_codes SET session_family_id = $2 WHERE code_hash = $1',
);

/** What is true of a presented code. */
export interface PresentedCodeRow {
  readonly isOfClient: boolean;
  readonly isRedirectUri: boolean;
  readonly isVerified: boolean;
  readonly isConsumed: boolean;
  readonly isExpired: boolean;
  /** Whether the person signed out everywhere since. */
  readonly isRevoked: boolean;
  readonly isSuperAdmin: boolean;
  /** The person's, for the record of connections. */
  readonly email: string;
  /** Whether the person still holds something of what they consented to. */
  readonly isHeld: boolean;
  /** Null until it was redeemed. */
  readonly sessionFamilyId: string | null;
}

export const findCode = statement<PresentedCodeRow, PresentedCode>(
  'oauth.find_code',
  `SELECT c.client_id = $2 AS "isOfClient", c.redirect_uri = $3 AS "isRedirectUri",
     c.code_challenge = $4 AS "isVerified", c.consumed_at IS NOT NULL AS "isConsumed",
     c.expires_at <= now() AS "isExpired", u.credentials_revision <> c.credentials_revision AS "isRevoked",
     u.is_super_admin AS "isSuperAdmin", u.email, c.scopes && u.platform_scopes AS "isHeld",
     c.session_family_id AS "sessionFamilyId"
   FROM oauth_codes c JOIN users u ON u.id = c.user_id WHERE c.code_hash = $1`,
);

/** A code is kept for as long as what it became may live, so that a replay ends it. */
export const purgeCodes = statement(
  'oauth.purge_codes',
  `DELETE FROM oauth_codes WHERE code_hash = ANY (ARRAY(
     SELECT code_hash FROM oauth_codes WHERE expires_at < now() - interval '31 days'
     ORDER BY expires_at LIMIT ${rowsAtOnce} FOR UPDATE SKIP LOCKED))`,
);
