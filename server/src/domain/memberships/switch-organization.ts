/** Operation switchOrganization (specification, "Credential pair"): another active organization, and a new pair there. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import type { HolderDetail } from '../credentials/holder-store.ts';
import {
  type Caller,
  type CredentialLifetimes,
  type HeldPair,
  issueCredentialPair,
} from '../credentials/issue-pair.ts';
import { revokeSessionFamily } from '../credentials/revoke.ts';
import { lockUserRow } from '../users/users-store.ts';
import { activateMembership } from './memberships-store.ts';
import { recordOrganization } from './record-organization.ts';

export interface SwitchOrganizationDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly lifetimes: CredentialLifetimes;
}

export interface SwitchOrganizationInput {
  readonly organizationId: string;
  readonly caller: Caller;
  /** How much the answer says of the person, beside the pair. */
  readonly detail: HolderDetail;
}

/**
 * The new session takes the place of the caller's: of the same audience and method, and with the same last instant.
 * @throws Refusal NOT_FOUND when the caller has not joined such an organization; one that does not exist is not told
 *   apart
 * @throws Refusal UNAUTHENTICATED when the caller's session ended meanwhile; nothing is changed then
 */
export const switchOrganization = async (
  { database, logger, lifetimes }: SwitchOrganizationDeps,
  actor: Actor,
  { organizationId, ...asked }: SwitchOrganizationInput,
): Promise<HeldPair> =>
  database.transaction(async (transaction) => {
    const userId = actor.user.id;
    await activate(transaction, userId, organizationId);
    const pair = await replaceSession(transaction, lifetimes, actor, asked);
    const { sessionFamilyId } = actor.credential;
    recordOrganization(logger, transaction, 'auth.organization_switched', { userId, organizationId, sessionFamilyId });
    return pair;
  });

const activate = async (transaction: Transaction, userId: string, organizationId: string): Promise<void> => {
  if (!isId(organizationId)) throw noSuchOrganization();
  // A statement of its own: the next one sees what was committed while the lock was waited for.
  await transaction.maybeOne(lockUserRow, [userId]);
  if ((await transaction.maybeOne(activateMembership, [userId, organizationId])) === null) throw noSuchOrganization();
};

/** The person's row is locked by now: whoever locks it and the rows of their families does so in this order. */
const replaceSession = async (
  transaction: Transaction,
  lifetimes: CredentialLifetimes,
  { user, credential }: Actor,
  asked: Pick<SwitchOrganizationInput, 'caller' | 'detail'>,
): Promise<HeldPair> => {
  const { audience, authMethod, sessionFamilyId } = credential;
  const { revokedCredentials } = await revokeSessionFamily(transaction, sessionFamilyId, 'switched_organization');
  if (revokedCredentials === 0) throw sessionHasEnded();
  const request = { userId: user.id, audience, authMethod, succeeds: sessionFamilyId, grant: null, ...asked };
  const pair = await issueCredentialPair(transaction, lifetimes, request);
  if (pair === null) throw sessionHasEnded();
  return pair;
};

const noSuchOrganization = (): Refusal => new Refusal('NOT_FOUND', 'You do not belong to such an organization.');

const sessionHasEnded = (): Refusal => new Refusal('UNAUTHENTICATED', 'You are not signed in any more.');
