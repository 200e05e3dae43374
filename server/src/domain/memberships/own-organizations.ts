/**
 * Owns: create, rename and switch organizations; list, change and remove members.
 * Promises: An organization keeps at least one owner; a caller acts only on roles that theirs may manage.
 *
 * Operations that create, rename and switch a user's organizations.
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type ActiveMembership, type Actor, activeMembership } from '../access/actor.ts';
import { authorizeInOrganization, inLiveSession } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
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

/**
 * Operation createOrganization (contract, "Roles and products"): the caller becomes its owner; their active
 * organization does not change.
 */
export const createOrganization = async (
  { database, logger, limits, settings }: Deps<'database' | 'logger' | 'limits'> & Settings<'defaultProduct'>,
  actor: Actor,
  input: { readonly name: string },
): Promise<ActiveMembership['organization']> => {
  const name = normalizeName(input.name);
  requireValidInput({ name: nameReason(name) });
  const ownerId = actor.user.id;
  return database.transaction(
    inLiveSession(actor, async (transaction) => {
      await limits.consumeIn(transaction, rateLimits.organization, ownerId);
      const { organizationId } = await foundOrganization(transaction, { ownerId, name }, settings.defaultProduct);
      recordOrganization(logger, transaction, 'organization.created', { userId: ownerId, organizationId });
      return activeMembership(await transaction.one(findMembership, [ownerId, organizationId])).organization;
    }),
  );
};

/** Operation renameOrganization, for the caller's active organization. */
export const renameOrganization = async (
  { database, logger }: Deps<'database' | 'logger'>,
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

interface SwitchOrganizationInput {
  readonly organizationId: string;
  readonly caller: Caller;
  /** How much of the user the answer contains, beside the pair. */
  readonly detail: HolderDetail;
}

/**
 * Operation switchOrganization (specification, "Credential pair"): activates another organization and issues a new pair
 * there. The new session replaces the caller's and keeps its audience, method and expiry.
 * @throws Refusal NOT_FOUND: the caller is not a member of such an organization; one that does not exist is
 *   indistinguishable; UNAUTHENTICATED: the caller's session ended meanwhile
 */
export const switchOrganization = async (
  { database, logger, lifetimes }: Deps<'database' | 'logger' | 'lifetimes'>,
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

// One log line for each durable change of an organization or its members: the acting user and the subject.

const sentences = {
  'organization.created': 'An organization was created',
  'organization.renamed': 'An organization was renamed',
  'organization.role_changed': 'The role of a member was changed',
  'organization.member_removed': 'A person is no longer in an organization',
  'auth.organization_switched': 'A person switched to another organization',
} as const;

interface OrganizationFacts {
  /** The acting user. */
  readonly userId: string;
  readonly organizationId: string;
  /** Other identifiers of the change: ids, roles and counts, never an address or a name. */
  readonly [fact: string]: string | number;
}

export const recordOrganization = (
  logger: Logger,
  transaction: Transaction,
  event: keyof typeof sentences,
  facts: OrganizationFacts,
): void => transaction.afterCommit(() => logger.info({ event, ...facts }, sentences[event]));
