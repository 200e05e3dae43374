/** Operation switchOrganization (contract/credentials.md#switch-of-organization): a new pair in place of the old. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { statement, type Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import type { Deps } from '../access/deps.ts';
import { markUnused } from '../access/first-uses.ts';
import type { ActorDetail } from '../credentials/actor-store.ts';
import {
  type ActorPairRow,
  expiries,
  newRows,
  type PairParams,
  shareUser,
  unchangedWhileWaiting,
  withActor,
} from '../credentials/credentials-store.ts';
import {
  type ActorPair,
  type Caller,
  type CredentialLifetimes,
  freshPair,
  hashesOf,
  issueCredentialPair,
  issueForSure,
} from '../credentials/issue-pair.ts';
import { revokeSessionFamily } from '../credentials/revoke.ts';
import { findActorPair } from '../credentials/rotation-store.ts';
import { isInUseSql } from '../organizations/organizations-store.ts';
import { lockUserRow } from '../users/users-store.ts';
import { activateMembership } from './memberships-store.ts';
import { recordOrganization, recordOrganizationIn } from './own-organizations.ts';

interface SwitchOrganizationInput {
  readonly organizationId: string;
  readonly caller: Caller;
  /** How much of the user the answer contains, beside the pair. */
  readonly detail: ActorDetail;
}

type SwitchDeps = Deps<'database' | 'logger' | 'lifetimes'>;

/**
 * Switches by one statement; when another change of user, membership or session came first or at once, by a transaction
 * that locks each in turn. The new session keeps audience, method, expiry and authentication.
 * @throws Refusal NOT_FOUND: the caller is no member, which is indistinguishable from none; UNAUTHENTICATED
 */
export const switchOrganization = async (
  deps: SwitchDeps,
  actor: Actor,
  input: SwitchOrganizationInput,
): Promise<ActorPair> => {
  if (!isId(input.organizationId)) throw noSuchOrganization();
  return (await switchAtOnce(deps, actor, input)) ?? switchInTurn(deps, actor, input);
};

const switchAtOnce = async (
  { database, logger, lifetimes }: SwitchDeps,
  { user, credential }: Actor,
  { organizationId, caller, detail }: SwitchOrganizationInput,
): Promise<ActorPair | null> => {
  const { params, pairOf } = freshPair(caller, lifetimes);
  const { sessionFamilyId, audience, authMethod } = credential;
  const hasLists = detail === 'lists';
  const own = [user.id, organizationId, sessionFamilyId, lifetimes.refreshTtlSeconds, audience, authMethod] as const;
  const row = await issueForSure<ActorPairRow & Partial<SwitchRow>>(
    () => database.maybeOne(switchBySnapshot, [...params, ...own, hasLists]),
    () => database.maybeOne(findActorPair, [...hashesOf(params), hasLists]),
  );
  if (row === null) return null;
  database.count('revocations', [reason]);
  database.count('revokedCredentials', [reason], row.revokedCredentials ?? liveCredentialsOfFamily);
  recordOrganization(logger, event, { userId: user.id, organizationId, sessionFamilyId });
  return { ...pairOf(row), actorRow: row };
};

const switchInTurn = (
  { database, logger, lifetimes }: SwitchDeps,
  actor: Actor,
  { organizationId, ...asked }: SwitchOrganizationInput,
): Promise<ActorPair> =>
  database.transaction(async (transaction) => {
    const userId = actor.user.id;
    await activate(transaction, userId, organizationId);
    const pair = await replaceSession(transaction, lifetimes, actor, asked);
    const { sessionFamilyId } = actor.credential;
    recordOrganizationIn(transaction, logger, event, { userId, organizationId, sessionFamilyId });
    return pair;
  });

const activate = async (transaction: Transaction, userId: string, organizationId: string): Promise<void> => {
  // A separate statement, so that the next one sees commits from the time that this one waited for the lock.
  await transaction.maybeOne(lockUserRow, [userId]);
  if ((await transaction.maybeOne(activateMembership, [userId, organizationId])) === null) throw noSuchOrganization();
};

/** The user's row is locked: all code that locks it and the rows of the user's families locks them in this order. */
const replaceSession = async (
  transaction: Transaction,
  lifetimes: CredentialLifetimes,
  { user, credential }: Actor,
  asked: Pick<SwitchOrganizationInput, 'caller' | 'detail'>,
): Promise<ActorPair> => {
  const { audience, authMethod, sessionFamilyId } = credential;
  const { revokedCredentials, credentialIds } = await revokeSessionFamily(transaction, sessionFamilyId, reason);
  if (revokedCredentials === 0) throw sessionHasEnded();
  const request = { userId: user.id, audience, authMethod, succeeds: sessionFamilyId, grant: null, ...asked };
  const pair = await issueCredentialPair(transaction, lifetimes, request);
  if (pair === null) throw sessionHasEnded();
  await transaction.execute(markUnused, [pair.sessionFamilyId, credentialIds]);
  return pair;
};

const noSuchOrganization = (): Refusal => new Refusal('NOT_FOUND', 'You do not belong to such an organization.');

const sessionHasEnded = (): Refusal => new Refusal('UNAUTHENTICATED', 'You are not signed in any more.');

const reason = 'switched_organization';
const event = 'auth.organization_switched';
const liveCredentialsOfFamily = 2;

interface SwitchRow {
  /** Number of credentials of the old family that were active. */
  readonly revokedCredentials: number;
}

/**
 * Switches when nothing else changes user, membership or session at once; else no row, and nothing changed. Locks in
 * the order of all code: user, membership, family. The UPDATE of the live rows decides the winner; a rotation that came
 * first leaves none.
 */
const switchBySnapshot = statement<
  ActorPairRow & SwitchRow,
  [
    ...PairParams,
    userId: string,
    organizationId: string,
    sessionFamilyId: string,
    refreshTtlSeconds: number,
    audience: string,
    authMethod: string,
    hasLists: boolean,
  ]
>(
  'memberships.switch',
  `WITH member AS MATERIALIZED (
     SELECT u.id AS user_id, m.id AS membership_id, m.organization_id
     FROM users u JOIN organization_members m ON m.user_id = u.id
     WHERE u.id = $9 AND ${unchangedWhileWaiting('$9')} AND u.email_validation_token_hash IS NULL
       AND m.organization_id = $10 AND m.joined_at IS NOT NULL AND ${isInUseSql}
     FOR NO KEY UPDATE OF u FOR KEY SHARE OF m),
   locked AS MATERIALIZED (
     SELECT member.*, ${shareUser('user_id')} AND lock_session_family($11) AS has_locks FROM member),
   revoked AS (
     UPDATE credentials c SET revoked_at = now(), revocation_reason = '${reason}'
     FROM locked, users u
     WHERE locked.has_locks AND u.id = locked.user_id AND c.user_id = u.id AND c.session_family_id = $11
       AND c.revoked_at IS NULL
     RETURNING c.expires_at > now() AND c.credentials_revision = u.credentials_revision AS was_active,
       c.pair_id::text, c.authenticated_at, c.second_factor_at),
   settled AS MATERIALIZED (
     SELECT locked.*, ended.* FROM locked
     CROSS JOIN (SELECT count(*) FILTER (WHERE was_active)::integer AS revoked_credentials,
       max(pair_id)::uuid AS pair_id,
       max(authenticated_at) AS authenticated_at, max(second_factor_at) AS second_factor_at FROM revoked) AS ended
     WHERE ended.revoked_credentials > 0),
   activated AS (
     UPDATE users u SET current_membership = settled.membership_id FROM settled WHERE u.id = settled.user_id
     RETURNING u.*),
   issued AS (
     INSERT INTO credentials (id, token_hash, kind, session_family_id, pair_id, user_id, credentials_revision, audience,
       auth_method, scopes, organization_id, membership_id, expires_at, family_expires_at, issue_ip, issue_user_agent,
       succeeds_family_id, authenticated_at, second_factor_at, unused_after)
     SELECT fresh.id, fresh.token_hash, fresh.kind, $3::uuid, $5, u.id, u.credentials_revision, $13, $14, old.scopes,
       settled.organization_id, settled.membership_id,
       least(now() + coalesce(fresh.ttl_seconds, $12) * interval '1 second', old.family_expires_at),
       least(now() + $12::integer * interval '1 second', old.family_expires_at), $7, $8, $11,
       settled.authenticated_at, settled.second_factor_at, settled.pair_id
     FROM activated u CROSS JOIN settled CROSS JOIN ${newRows}
     JOIN credentials old ON old.id = $11
     RETURNING *)
   SELECT new_pair.*, settled.revoked_credentials AS "revokedCredentials"
   FROM settled CROSS JOIN (
     ${withActor(`SELECT ${expiries} FROM issued HAVING count(*) = 2`, 'issued', '$15::boolean', 'activated')}) AS new_pair`,
);
