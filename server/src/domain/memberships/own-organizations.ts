/**
 * Owns: create, rename and switch organizations; list, change and remove members.
 * Promises: An organization keeps at least one owner; a caller acts only on roles that theirs may manage.
 *
 * Operations that create and rename a user's organizations; `switch-organization.ts` has the switch between them.
 */
import { requireValidInput } from '../../kernel/errors.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type ActiveMembership, type Actor, organizationOf } from '../access/actor.ts';
import { authorizeInOrganization, liveTransaction } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { foundOrganization } from '../accounts/create-account.ts';
import { findMembership } from '../organizations/organizations-store.ts';
import { nameReason, normalizeName } from '../users/text-rules.ts';
import { setOrganizationName } from './memberships-store.ts';

/** Operation createOrganization (contract/organizations.md#creation-of-an-organization); it does not become active. */
export const createOrganization = async (
  { database, logger, limits, settings }: Deps<'database' | 'logger' | 'limits'> & Settings<'defaultProduct'>,
  actor: Actor,
  input: { readonly name: string },
): Promise<ActiveMembership['organization']> => {
  const name = normalizeName(input.name);
  requireValidInput({ name: nameReason(name) });
  const ownerId = actor.user.id;
  return liveTransaction(database, actor, async (transaction) => {
    await limits.consumeIn(transaction, rateLimits.organization, ownerId);
    const { organizationId } = await foundOrganization(transaction, { ownerId, name }, settings.defaultProduct);
    recordOrganizationIn(transaction, logger, 'organization.created', { userId: ownerId, organizationId });
    return organizationOf(await transaction.one(findMembership, [ownerId, organizationId]));
  });
};

/** Operation renameOrganization (contract/organizations.md#name-of-an-organization), for the active organization. */
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
    const fields = { userId: actor.user.id, organizationId: organization.id };
    recordOrganizationIn(transaction, logger, 'organization.renamed', fields);
    return { ...organization, name };
  });
};

// One log line for each durable change of an organization or its members: the acting user and the subject.

const sentences = {
  'organization.created': 'An organization was created',
  'organization.renamed': 'An organization was renamed',
  'organization.second_factor_policy_changed': 'An organization changed whether it requires a second factor',
  'organization.deleted': 'An organization was deleted, and can be restored',
  'organization.restored': 'A deleted organization was restored',
  'organization.role_changed': 'The role of a member was changed',
  'organization.member_removed': 'A person is no longer in an organization',
  'auth.organization_switched': 'A person switched to another organization',
} as const;

interface OrganizationLogFields {
  /** The acting user. */
  readonly userId: string;
  readonly organizationId: string;
  /** Other properties of the change: ids, roles, counts and flags, never an address or a name. */
  readonly [property: string]: string | number | boolean;
}

type OrganizationEvent = keyof typeof sentences;

export const recordOrganization = (logger: Logger, event: OrganizationEvent, fields: OrganizationLogFields): void =>
  logger.info({ event, ...fields }, sentences[event]);

/** Records once the transaction is durable. */
export const recordOrganizationIn = (
  transaction: Transaction,
  logger: Logger,
  event: OrganizationEvent,
  fields: OrganizationLogFields,
): void => transaction.afterCommit(() => recordOrganization(logger, event, fields));
