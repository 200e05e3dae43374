/** Why a member lacks a scope, from what the server says of role, plan and organization. */
import { isPaidFor } from '../../../components/paid-for.ts';
import type { Membership } from './people.ts';

type MembershipScope = Membership['scopes'][number];

/** A key of the messages console.grants.reasons. */
type MissingScopeReason =
  | 'deleted'
  | 'plan'
  | 'noPlan'
  | 'unpaid'
  | 'role'
  | 'roleAndPlan'
  | 'roleAndNoPlan'
  | 'roleAndUnpaid';

const planReason = ({ status, product }: Membership['subscription']): 'plan' | 'noPlan' | 'unpaid' => {
  if (status === 'NONE' || product === null) return 'noPlan';
  return isPaidFor(status) ? 'plan' : 'unpaid';
};

const roleAnd = { plan: 'roleAndPlan', noPlan: 'roleAndNoPlan', unpaid: 'roleAndUnpaid' } as const;

/** The reason why a scope is not held; `deleted` where role and plan would grant it. */
export const missingScopeReason = (
  { roleGrants, planGrants }: Pick<MembershipScope, 'roleGrants' | 'planGrants'>,
  subscription: Membership['subscription'],
): MissingScopeReason => {
  if (planGrants) return roleGrants ? 'deleted' : 'role';
  const reason = planReason(subscription);
  return roleGrants ? reason : roleAnd[reason];
};
