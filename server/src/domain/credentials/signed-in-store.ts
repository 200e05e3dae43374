/** SQL that tells from tokens who is signed in with them, although the tokens themselves may have run out. */
import { statement } from '../../platform/database/statement.ts';

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
