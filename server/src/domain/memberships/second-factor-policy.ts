/**
 * Operation setSecondFactorPolicy (contract/account.md#organizations-with-a-factor): whether an organization's members
 * hold scopes and roles only in sessions with a second factor. It counts from the next request of each member.
 */
import { statement } from '../../platform/database/database.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import {
  authorizeInOrganization,
  liveTransaction,
  requireRecentAuthentication,
  secondFactorRequired,
} from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { addAudit } from '../audit/audits-of-transaction.ts';
import { recordOrganizationIn } from './own-organizations.ts';

/**
 * Sets the policy; the caller's own session must meet it, so that no caller locks themself out.
 * @throws Refusal MEMBERSHIP_REQUIRED; FORBIDDEN: without ORGANIZATION_UPDATE; REAUTHENTICATION_REQUIRED;
 *   SECOND_FACTOR_REQUIRED; UNAUTHENTICATED
 */
export const setSecondFactorPolicy = (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  { required }: { readonly required: boolean },
): Promise<ActiveMembership['organization']> =>
  liveTransaction(database, actor, async (transaction) => {
    const { organization } = await authorizeInOrganization(transaction, actor, 'ORGANIZATION_UPDATE');
    const { hasSecondFactor } = await requireRecentAuthentication(transaction, actor);
    if (!hasSecondFactor) throw secondFactorRequired();
    if ((await transaction.execute(setPolicy, [organization.id, required])) > 0) {
      const facts = { userId: actor.user.id, organizationId: organization.id, required };
      recordOrganizationIn(transaction, logger, 'organization.second_factor_policy_changed', facts);
      const event = 'SECOND_FACTOR_POLICY_CHANGED';
      addAudit(transaction, { organizationId: organization.id, event, subjectId: null, details: { required } });
    }
    return { ...organization, requireSecondFactor: required };
  });

/** Affects no row where the policy is already as requested. */
const setPolicy = statement<unknown, [organizationId: string, required: boolean]>(
  'organizations.set_second_factor_policy',
  'UPDATE organizations SET require_second_factor = $2 WHERE id = $1 AND require_second_factor <> $2',
);
