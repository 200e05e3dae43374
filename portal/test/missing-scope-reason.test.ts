/** Why a member lacks a scope, for each answer of the server. */
import { describe, expect, it } from 'vitest';
import { missingScopeReason } from '../src/pages/console/people/missing-scope-reason.ts';

type Subscription = Parameters<typeof missingScopeReason>[1];

const subscription = (status: Subscription['status'], product: string | null): Subscription => ({
  status,
  product,
  currentPeriodEndsAt: null,
});

const reason = (roleGrants: boolean, planGrants: boolean, paid = subscription('ACTIVE', 'free')): string =>
  missingScopeReason({ roleGrants, planGrants }, paid);

describe('The reason for which a member lacks a scope', () => {
  it('is the role, the plan, or both', () => {
    expect([reason(false, true), reason(true, false), reason(false, false)]).toEqual(['role', 'plan', 'roleAndPlan']);
  });

  it('is the deletion of the organization where role and plan grant the scope', () => {
    expect(reason(true, true)).toBe('deleted');
  });

  it.each(['PAST_DUE', 'CANCELED'] as const)('is what is not paid for: %s', (status) => {
    const owing = subscription(status, 'free');
    expect([reason(true, false, owing), reason(false, false, owing)]).toEqual(['unpaid', 'roleAndUnpaid']);
  });

  it.each([subscription('NONE', null), subscription('ACTIVE', null), subscription('CANCELED', null)])(
    'is a plan that the organization does not have: %j',
    (none) => {
      expect([reason(true, false, none), reason(false, false, none)]).toEqual(['noPlan', 'roleAndNoPlan']);
    },
  );
});
