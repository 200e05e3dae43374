/** SQL of the table `credentials` for OAuth clients: their tokens and their session families. */
import { statement } from '../../platform/database/statement.ts';
import { rowsAtOnce } from '../../platform/jobs/scheduled-jobs.ts';

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

/**
 * Some families that have not ended, of clients that were revoked a minute ago or earlier: for longer than the call
 * that revokes one takes.
 */
export const listFamiliesOfRevokedClients = statement<FamilyRow>(
  'credentials.list_families_of_revoked_clients',
  `SELECT DISTINCT c.session_family_id AS "sessionFamilyId" FROM (
     SELECT c.session_family_id FROM oauth_clients k CROSS JOIN LATERAL (
       SELECT c.session_family_id FROM credentials c
       WHERE c.client_id = k.id AND c.revoked_at IS NULL LIMIT ${rowsAtOnce}) AS c
     WHERE k.revoked_at <= now() - interval '1 minute' LIMIT ${rowsAtOnce}) AS c`,
);

/**
 * SQL: the active credentials of a client. Without the users: who raises a credentials_revision revokes, in the same
 * transaction, what has the previous one.
 */
export const activeOfClient = (client: string): string =>
  `credentials c WHERE c.client_id = ${client} AND c.revoked_at IS NULL AND c.expires_at > now()`;

/** The number of a client's active credentials. */
export const countActiveOfClient = statement<{ readonly total: number }, [clientId: string]>(
  'credentials.count_active_of_client',
  `SELECT count(*)::integer AS total FROM ${activeOfClient('$1')}`,
);
