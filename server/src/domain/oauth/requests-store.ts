/**
 * SQL of the table `oauth_requests`: what a client asks a person for, from authorize to the person's answer. A request is
 * bound to the browser that began it, lives ten minutes, and is decided once.
 */
import { statement } from '../../platform/database/statement.ts';
import { rowsAtOnce } from '../../platform/scheduled-jobs.ts';

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
