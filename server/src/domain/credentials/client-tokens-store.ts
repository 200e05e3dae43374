/** SQL of the table `credentials` for OAuth clients: their tokens and their session families. */
import { statement } from '../../platform/database/statement.ts';

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

/** The live families of an OAuth client, in the order in which all code locks several families. */
export const listFamiliesOfClient = statement<FamilyRow, [clientId: string]>(
  'credentials.list_families_of_client',
  `SELECT DISTINCT session_family_id AS "sessionFamilyId" FROM credentials
   WHERE client_id = $1 AND revoked_at IS NULL ORDER BY 1`,
);
