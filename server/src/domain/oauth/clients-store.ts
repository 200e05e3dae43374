/** SQL of `oauth_clients`, registered or with a metadata document, and of the clients' tokens in `credentials`. */
import { maxCounted } from '../../kernel/paging.ts';
import { statement } from '../../platform/database/database.ts';
import { type FilteredList, microsOf, newestFirst } from '../../platform/database/filtered-list.ts';
import { deletingExpired, rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';

/** SQL: the active credentials of a client. Those of an earlier credentials_revision are revoked with its rise. */
const activeOfClient = (client: string): string =>
  `credentials c WHERE c.client_id = ${client} AND c.revoked_at IS NULL AND c.expires_at > now()`;

export interface OAuthClientRow {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly registeredAt: Date;
  readonly isRevoked: boolean;
  /** The URL of its metadata document, which is its client_id; null for a client that registered itself. */
  readonly metadataUrl: string | null;
}

export const clientColumns = (clients: string): string => `${clients}.id, ${clients}.name,
  ${clients}.redirect_uris AS "redirectUris", ${clients}.registered_at AS "registeredAt",
  ${clients}.revoked_at IS NOT NULL AS "isRevoked", ${clients}.metadata_url AS "metadataUrl"`;

/** Registers a client. Serialized until the commit, so that {@link evictClients}, which follows, counts each. */
export const insertClient = statement<
  OAuthClientRow,
  [id: string, name: string, redirectUris: readonly string[], registeredIp: string | null]
>(
  'oauth.insert_client',
  `WITH held AS MATERIALIZED (
     SELECT pg_advisory_xact_lock(hashtextextended('registrations of oauth_clients', 0)) IS NOT NULL AS is_held)
   INSERT INTO oauth_clients (id, name, redirect_uris, registered_ip)
   SELECT $1::uuid, $2::text, $3::text[], $4::text FROM held WHERE is_held RETURNING ${clientColumns('oauth_clients')}`,
);

/** A client that registered itself: the id of any other client is for this service alone. */
export const findClient = statement<OAuthClientRow, [id: string]>(
  'oauth.find_client',
  `SELECT ${clientColumns('c')} FROM oauth_clients c WHERE c.id = $1 AND c.metadata_url IS NULL`,
);

/** Maximum number of registered clients that never completed an authorization. */
const maxNeverAuthorized = 10_000;
/** So many of the oldest clients, beyond those to evict, from which those without a pending authorization go first. */
const evictionChoice = 50;

/**
 * Evicts the oldest never-authorized clients beyond {@link maxNeverAuthorized}. Those with a pending request or code go
 * last, but go: clients that keep sending requests would evict every new one. Counts at most as many rows as may exist.
 * The outer condition is for a client that is authorized meanwhile.
 */
export const evictClients = statement(
  'oauth.evict_clients',
  `WITH room AS MATERIALIZED (
     SELECT count(*) - ${maxNeverAuthorized} AS excess FROM oauth_clients
     WHERE last_authorized_at IS NULL AND metadata_url IS NULL),
   oldest AS MATERIALIZED (
     SELECT k.id, k.registered_at,
       EXISTS (SELECT FROM oauth_requests r
         WHERE r.client_id = k.id AND r.expires_at > now() AND r.decided_at IS NULL)
       OR EXISTS (SELECT FROM oauth_codes c
         WHERE c.client_id = k.id AND c.expires_at > now() AND c.consumed_at IS NULL) AS is_asked
     FROM oauth_clients k WHERE k.last_authorized_at IS NULL AND k.metadata_url IS NULL
     ORDER BY k.registered_at
     LIMIT (SELECT CASE WHEN excess > 0 THEN excess + ${evictionChoice} ELSE 0 END FROM room)
     FOR UPDATE OF k SKIP LOCKED)
   DELETE FROM oauth_clients WHERE last_authorized_at IS NULL AND id = ANY (ARRAY(
     SELECT o.id FROM oldest o ORDER BY o.is_asked, o.registered_at
     LIMIT (SELECT greatest(excess, 0) FROM room)))`,
);

/** Holds a client that is not revoked: a revocation comes before or after. Shared, so that people do not wait. */
export const shareLiveClient = statement<{ readonly id: string }, [id: string]>(
  'oauth.share_live_client',
  'SELECT id FROM oauth_clients WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
);

/**
 * Deletes registrations without an authorization, completed or pending: none has a credential. Clients with a metadata
 * document stay: the operator listed them, and once revoked they stay so.
 */
export const purgeClients = deletingExpired('oauth_clients', 'id', 'registered_at', [
  `last_authorized_at IS NULL AND metadata_url IS NULL AND registered_at < now() - interval '30 days'`,
  'NOT EXISTS (SELECT FROM oauth_requests r WHERE r.client_id = oauth_clients.id AND r.expires_at > now())',
  'NOT EXISTS (SELECT FROM oauth_codes c WHERE c.client_id = oauth_clients.id AND c.expires_at > now())',
]);

/** First lock of a revocation: it comes before or after everything that is issued to the client. */
export const lockClient = statement<{ readonly name: string }, [id: string]>(
  'oauth.lock_client',
  'SELECT name FROM oauth_clients WHERE id = $1 FOR NO KEY UPDATE',
);

/**
 * First lock of a redemption that is to note its authorization: a client's first, which waits, then one a minute, which
 * does not. No row: nothing to note, and {@link shareLiveClient} is all that a redemption holds. It comes before that
 * lock: transactions that shared the row and then wrote it would deadlock.
 */
export const lockClientToRecord = statement<{ readonly id: string }, [id: string]>(
  'oauth.lock_client_to_note',
  `WITH first AS MATERIALIZED (
     SELECT id FROM oauth_clients WHERE id = $1 AND last_authorized_at IS NULL FOR NO KEY UPDATE),
   due AS MATERIALIZED (
     SELECT id FROM oauth_clients WHERE id = $1 AND last_authorized_at <= now() - interval '1 minute'
     FOR NO KEY UPDATE SKIP LOCKED)
   SELECT id FROM first UNION ALL SELECT id FROM due`,
);

/** Records a completed authorization: the client is never purged. The caller holds {@link lockClientToRecord}. */
export const recordAuthorization = statement<unknown, [id: string]>(
  'oauth.note_authorization',
  'UPDATE oauth_clients SET last_authorized_at = now() WHERE id = $1',
);

/** Revokes a client permanently; a client that is already revoked keeps its instant. */
export const revokeClientRow = statement<unknown, [id: string]>(
  'oauth.revoke_client',
  'UPDATE oauth_clients SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL',
);

/** A client as super admins see it. */
export interface ClientRow extends Omit<OAuthClientRow, 'isRevoked'> {
  readonly registeredAtMicros: string;
  readonly registeredIp: string | null;
  readonly lastAuthorizedAt: Date | null;
  /** When a credential of the client was last used, to the minute, including credentials that have ended. */
  readonly lastUsedAt: Date | null;
  /** Credentials that are neither revoked nor expired, counted up to {@link maxCounted}. */
  readonly activeCredentials: number;
  readonly revokedAt: Date | null;
}

/** Clients, including revoked ones, newest first. */
export const registeredClients: FilteredList<ClientRow, { readonly name: string | null }> = {
  name: (verb) => `oauth.${verb}_clients`,
  source: 'FROM oauth_clients k WHERE true',
  conditions: [['name', (pattern) => `lower(k.name) LIKE ${pattern}`]],
  order: newestFirst('k.registered_at', 'k.id', (row) => row.registeredAtMicros),
  select: (page) =>
    `SELECT k.id, k.name, k.redirect_uris AS "redirectUris", k.registered_at AS "registeredAt",
     ${microsOf('k.registered_at')} AS "registeredAtMicros",
     k.registered_ip AS "registeredIp", k.last_authorized_at AS "lastAuthorizedAt",
     greatest(k.last_used_at, use.last) AS "lastUsedAt", use.active AS "activeCredentials", k.revoked_at AS "revokedAt",
     k.metadata_url AS "metadataUrl"
   FROM (SELECT k.* ${page}) AS k
   CROSS JOIN LATERAL (
     SELECT max(c.last_seen_at) AS last, count(*)::integer AS active
     FROM (SELECT c.last_seen_at FROM ${activeOfClient('k.id')} LIMIT ${maxCounted}) AS c) AS use
   ORDER BY k.registered_at DESC, k.id DESC`,
};

// Tokens of clients.

interface FamilyRow {
  readonly sessionFamilyId: string;
}

/** The family of an access or refresh token that is neither revoked nor expired and belongs to this OAuth client. */
export const findFamilyOfClientToken = statement<FamilyRow, [tokenHash: Buffer, clientId: string]>(
  'credentials.find_family_of_client_token',
  `SELECT session_family_id AS "sessionFamilyId" FROM credentials
   WHERE token_hash = $1 AND client_id = $2 AND revoked_at IS NULL AND expires_at > now()`,
);

/** The audience of a refresh token of this OAuth client, live or not. */
export const findAudienceOfClientToken = statement<
  { readonly audience: string },
  [refreshHash: Buffer, clientId: string]
>(
  'credentials.find_audience_of_client_token',
  `SELECT audience FROM credentials WHERE token_hash = $1 AND client_id = $2 AND kind = 'user_refresh'`,
);

/** Rows that are read at once of the families to end: a client may have hundreds of thousands. */
const rowsToEnd = 20_000;

/** Some families of an OAuth client that have not ended; none when all have. */
export const listFamiliesOfClient = statement<FamilyRow, [clientId: string]>(
  'credentials.list_families_of_client',
  `SELECT DISTINCT c.session_family_id AS "sessionFamilyId" FROM (
     SELECT session_family_id FROM credentials WHERE client_id = $1 AND revoked_at IS NULL LIMIT ${rowsToEnd}) AS c`,
);

/** Some live families of clients revoked over a minute ago: for longer than the call that revokes one takes. */
export const listFamiliesOfRevokedClients = statement<FamilyRow>(
  'credentials.list_families_of_revoked_clients',
  `SELECT DISTINCT c.session_family_id AS "sessionFamilyId" FROM (
     SELECT c.session_family_id FROM oauth_clients k CROSS JOIN LATERAL (
       SELECT c.session_family_id FROM credentials c
       WHERE c.client_id = k.id AND c.revoked_at IS NULL LIMIT ${rowsAtOnce}) AS c
     WHERE k.revoked_at <= now() - interval '1 minute' LIMIT ${rowsAtOnce}) AS c`,
);

/** The number of a client's active credentials. */
export const countActiveOfClient = statement<{ readonly total: number }, [clientId: string]>(
  'credentials.count_active_of_client',
  `SELECT count(*)::integer AS total FROM ${activeOfClient('$1')}`,
);
