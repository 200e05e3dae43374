/** Operation createOrganization (contract, "Roles and products"): the caller owns it, and stays where they are. */
import { requireValidInput } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import type { RateLimits } from '../../platform/rate-limits.ts';
import { type ActiveMembership, type Actor, activeMembership } from '../access/actor.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { foundOrganization } from '../accounts/found-organization.ts';
import { findMembership } from '../organizations/organizations-store.ts';
import { nameReason, normalizeName } from '../users/text-rules.ts';
import { recordOrganization } from './record-organization.ts';

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
  return onBehalfOf(database, actor).transaction(async (transaction) => {
    await limits.takeIn(transaction, rateLimits.organization, ownerId);
    const { organizationId } = await foundOrganization(transaction, { ownerId, name }, settings.defaultProduct);
    recordOrganization(logger, transaction, 'organization.created', { userId: ownerId, organizationId });
    return activeMembership(await transaction.one(findMembership, [ownerId, organizationId])).organization;
  });
};
