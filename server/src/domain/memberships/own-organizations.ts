/**
 * Operations that create, rename and switch a person's organizations.
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';
import { type ActiveMembership, type Actor, activeMembership } from '../access/actor.ts';
import { authorizeInOrganization, withSessionCheck } from '../access/authorize.ts';
import { foundOrganization } from '../accounts/create-account.ts';
import type { HolderDetail } from '../credentials/holder-store.ts';
import {
  type Caller,
  type CredentialLifetimes,
  type HeldPair,
  issueCredentialPair,
} from '../credentials/issue-pair.ts';
import { revokeSessionFamily } from '../credentials/revoke.ts';
import { findMembership } from '../organizations/organizations-store.ts';
import { nameReason, normalizeName } from '../users/text-rules.ts';
import { lockUserRow } from '../users/users-store.ts';
import { activateMembership, setOrganizationName } from './memberships-store.ts';

// Operation createOrganization (contract, "Roles and products"): the caller owns it, and stays where they are.

export interface CreateOrganizationDeps {
  readonly database: Database;
  readonly logger: Logger;
  readonly limits: RateLimits;
  readonly settings: { readonly defaultProduct: string | null };
}

/** @throws Refusal BAD_USER_INPUT naming `name`; RATE_LIMITED; UNAUTHENTICATED when the caller's session ended meanwhile */
export const createOrganization = async (
  { database, logger, limits, settings }: CreateOrganizationDeps,
  actor: Actor,
  input: { readonly name: string },
): Promise<ActiveMembership['organization']> => {
  const name = normalizeName(input.name);
  requireValidInput({ name: nameReason(name) });
  const ownerId = actor.user.id;
  return withSessionCheck(database, actor).transaction(async (transaction) => {
    await limits.takeIn(transaction, rateLimits.organization, ownerId);
    const { organizationId } = await foundOrganization(transaction, { ownerId, name }, settings.defaultProduct);
    recordOrganization(logger, transaction, 'organization.created', { userId: ownerId, organizationId });
    return activeMembership(await transaction.one(findMembership, [ownerId, organizationId])).organization;
  });
};

// Operation renameOrganization, of the caller's active organization.

export interface RenameOrganizationDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/**
 * @throws Refusal BAD_USER_INPUT naming `name`
 * @throws Refusal MEMBERSHIP_REQUIRED or FORBIDDEN without the scope ORGANIZATION_UPDATE
 */
export const renameOrganization = async (
  { database, logger }: RenameOrganizationDeps,
  actor: Actor,
  input: { readonly name: string },
): Promise<ActiveMembership['organization']> => {
  const name = normalizeName(input.name);
  requireValidInput({ name: nameReason(name) });
  return database.transaction(async (transaction) => {
    const { organization } = await authorizeInOrganization(transaction, actor, 'ORGANIZATION_UPDATE');
    await transaction.execute(setOrganizationName, [organization.id, name]);
    const facts = { userId: actor.user.id, organizationId: organization.id };
    recordOrganization(logger, transaction, 'organization.renamed', facts);
    return { ...organization, name };
  });
};

// Operation switchOrganization (specification, "Credential pair"): another active organization, and a new pair there.

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

// One log line for each change of an organization or its people, once it is durable: who made it, and of what.

const sentences = {
  'organization.created': 'An organization was created',
  'organization.renamed': 'An organization was renamed',
  'organization.role_changed': 'The role of a member was changed',
  'organization.member_removed': 'A person is no longer in an organization',
  'auth.organization_switched': 'A person switched to another organization',
} as const;

export interface OrganizationFacts {
  /** Who acted. */
  readonly userId: string;
  readonly organizationId: string;
  /** What else identifies the change: ids, roles and counts, never an address or a name. */
  readonly [fact: string]: string | number;
}

export const recordOrganization = (
  logger: Logger,
  transaction: Transaction,
  event: keyof typeof sentences,
  facts: OrganizationFacts,
): void => transaction.afterCommit(() => logger.info({ event, ...facts }, sentences[event]));
