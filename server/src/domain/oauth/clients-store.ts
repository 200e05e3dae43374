/** SQL of the table `oauth_clients`: who registered to connect to Platform MCP. */
import { statement } from '../../platform/database/statement.ts';

export interface OAuthClientRow {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly registeredAt: Date;
  readonly isRevoked: boolean;
}

const columns = `id, name, redirect_uris AS "redirectUris", registered_at AS "registeredAt",
  revoked_at IS NOT NULL AS "isRevoked"`;

export const insertClient = statement<
  OAuthClientRow,
  [id: string, name: string, redirectUris: readonly string[], registeredIp: string | null]
>(
  'oauth.insert_client',
  `INSERT INTO oauth_clients (id, name, redirect_uris, registered_ip) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
);

export const findClient = statement<OAuthClientRow, [id: string]>(
  'oauth.find_client',
  `SELECT ${columns} FROM oauth_clients WHERE id = $1`,
);

/** Holds a client that is not revoked until the transaction ends: it is revoked before or after, never meanwhile. */
export const shareLiveClient = statement<{ readonly id: string }, [id: string]>(
  'oauth.share_live_client',
  'SELECT id FROM oauth_clients WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
);

/** The clock of reaping: a client that ever completed an authorization is kept. */
export const noteAuthorization = statement<unknown, [id: string]>(
  'oauth.note_authorization',
  'UPDATE oauth_clients SET last_authorized_at = now() WHERE id = $1',
);
