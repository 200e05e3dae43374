/** Operation renameOrganization, of the caller's active organization. */
import { requireValidInput } from '../../kernel/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import { authorizeInOrganization } from '../access/authorize.ts';
import { nameReason, normalizeName } from '../users/text-rules.ts';
import { setOrganizationName } from './memberships-store.ts';
import { recordOrganization } from './record-organization.ts';

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
