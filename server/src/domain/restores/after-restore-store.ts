/** SQL of what is accepted again after a backup was restored. */
import { statement } from '../../platform/database/database.ts';
import { passkeyChallengeSeconds } from '../factors/passkey-challenges.ts';

const live = 'c.revoked_at IS NULL AND c.expires_at > now()';

/** The next people with live credentials, in the order of an index. */
export const listNextUsers = statement<{ readonly userId: string }, [after: string, most: number]>(
  'restores.list_next_holders',
  `SELECT DISTINCT c.user_id AS "userId" FROM credentials c
   WHERE ${live} AND c.user_id > $1 ORDER BY c.user_id LIMIT $2`,
);

/** SQL: when the authority of a credential `c` began: its token, its session, or the first before switches. */
const began = `least(c.issued_at, (SELECT t.created_at FROM machine_tokens t WHERE t.id = c.session_family_id), (
     WITH RECURSIVE earlier (issued_at, family) AS (
       SELECT f.issued_at, f.succeeds_family_id FROM credentials f WHERE f.id = c.session_family_id
       UNION ALL SELECT f.issued_at, f.succeeds_family_id FROM earlier e JOIN credentials f ON f.id = e.family)
     SELECT min(issued_at) FROM earlier))`;

interface OldFamily {
  readonly userId: string;
  readonly sessionFamilyId: string;
  readonly isToken: boolean;
}

/** Redeemed since the instant, of a code from before it. A code that was redeemed keeps its short life. */
const isOfEarlierCode = (until: string): string => `c.session_family_id IN (
     SELECT o.session_family_id FROM oauth_codes o
     WHERE o.session_family_id IS NOT NULL AND o.expires_at > ${until} AND o.created_at <= ${until})`;

/** The sessions and tokens of people that began until an instant. */
export const listOldFamilies = statement<OldFamily, [userIds: readonly string[], until: Date, keepsTokens: boolean]>(
  'restores.list_held_families',
  `SELECT DISTINCT c.user_id AS "userId", c.session_family_id AS "sessionFamilyId", c.kind = 'machine' AS "isToken"
   FROM credentials c
   WHERE c.user_id = ANY ($1::uuid[]) AND ${live} AND NOT ($3 AND c.kind = 'machine')
     AND (${began} <= $2 OR ${isOfEarlierCode('$2')})`,
);

export const listPeople = statement<
  { readonly userId: string; readonly email: string; readonly name: string },
  [userIds: readonly string[]]
>('restores.list_people', 'SELECT id AS "userId", email, name FROM users WHERE id = ANY ($1::uuid[]) ORDER BY id');

const isLive = `EXISTS (SELECT FROM credentials c WHERE c.session_family_id = t.id AND ${live})`;

/** The next organizations of which service accounts have live tokens. */
export const listNextOrganizations = statement<
  { readonly organizationId: string; readonly organization: string },
  [after: string, until: Date, most: number]
>(
  'restores.list_next_organizations',
  `SELECT o.id AS "organizationId", o.name AS organization FROM organizations o
   WHERE o.id > $1 AND EXISTS (
     SELECT FROM machine_tokens t
     WHERE t.organization_id = o.id AND t.service_account_id IS NOT NULL AND t.created_at <= $2 AND ${isLive})
   ORDER BY o.id LIMIT $3`,
);

export const listServiceTokens = statement<
  { readonly tokenId: string; readonly account: string },
  [organizationId: string, until: Date]
>(
  'restores.list_service_tokens',
  `SELECT t.id AS "tokenId", a.name AS account FROM machine_tokens t JOIN service_accounts a ON a.id = t.service_account_id
   WHERE t.organization_id = $1 AND t.created_at <= $2 AND ${isLive} ORDER BY a.name, t.id`,
);

/** Consent that was given in a session which ends now yields no pair. */
const endCodes = statement<unknown, [until: Date]>(
  'restores.end_codes',
  'UPDATE oauth_codes SET expires_at = now() WHERE consumed_at IS NULL AND expires_at > now() AND created_at <= $1',
);

/** Nor does a request for consent, in the browser that began it. */
const endRequests = statement<unknown, [until: Date]>(
  'restores.end_requests',
  'UPDATE oauth_requests SET expires_at = now() WHERE decided_at IS NULL AND expires_at > now() AND created_at <= $1',
);

const endExchanges = statement<unknown, [until: Date]>(
  'restores.end_exchanges',
  'UPDATE external_exchanges SET expires_at = now() WHERE expires_at > now() AND created_at <= $1',
);

const endSecondFactors = statement<unknown, [until: Date]>(
  'restores.end_second_factors',
  'UPDATE second_factor_challenges SET expires_at = now() WHERE expires_at > now() AND created_at <= $1',
);

/** An assertion that was used after the backup would be accepted again. */
const endPasskeys = statement<unknown, [until: Date]>(
  'restores.end_passkey_challenges',
  `UPDATE passkey_challenges SET expires_at = now()
   WHERE expires_at > now() AND expires_at - interval '${passkeyChallengeSeconds} seconds' <= $1`,
);

/** Deleted, as where a person ends it: a row would hold back the next request for an hour. */
const endEmailChanges = statement<unknown, [until: Date]>(
  'restores.end_email_changes',
  'DELETE FROM email_changes WHERE confirmed_at IS NULL AND requested_at <= $1',
);

/** Ends half-finished steps that would become access. One transaction each: one for all could deadlock. */
export const endSteps = [endCodes, endRequests, endExchanges, endSecondFactors, endPasskeys, endEmailChanges];
