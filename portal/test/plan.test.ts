/** Plan changes and denial reasons for each subscription status. */
import { describe, expect, it } from 'vitest';
import { denialReason, planChanges, type Subscription } from '../src/pages/plan/plan.ts';

const products = [
  { name: 'free', scopes: [] },
  { name: 'team', scopes: ['MEMBERS_VIEW'] },
];
const later = '2026-01-08T00:00:00.000Z';

const changesOf = (status: Subscription['status'], product: string | null, currentPeriodEndsAt: string | null = null) =>
  planChanges({ status, product, currentPeriodEndsAt }, products);

describe('an owner', () => {
  it('can subscribe to every product without a plan', () => {
    expect(changesOf('NONE', null)).toEqual({ canManage: false, offered: ['free', 'team'] });
  });

  it('can subscribe to a product other than the granted one', () => {
    expect(changesOf('ACTIVE', 'free')).toEqual({ canManage: false, offered: ['team'] });
  });

  it.each(['ACTIVE', 'TRIALING', 'PAST_DUE'] as const)(
    'manages a paid subscription instead of paying twice: %s',
    (status) => {
      expect(changesOf(status, 'team', later)).toEqual({ canManage: true, offered: [] });
    },
  );

  it('can subscribe again after the end, and still open the billing portal', () => {
    expect(changesOf('CANCELED', 'team', later)).toEqual({ canManage: true, offered: ['free', 'team'] });
  });
});

describe('a scope that is not granted', () => {
  const reasonFor = (status: Subscription['status'], product: string | null) =>
    denialReason('MEMBERS_VIEW', { status, product, currentPeriodEndsAt: null }, products);

  it.each(['NONE', 'PAST_DUE', 'CANCELED'] as const)('needs an active plan: %s', (status) => {
    expect(reasonFor(status, 'team')).toBe('notActive');
  });

  it('needs another plan when this one does not include it', () => {
    expect(reasonFor('ACTIVE', 'free')).toBe('notIncluded');
    expect(reasonFor('TRIALING', 'withdrawn')).toBe('notIncluded');
    expect(reasonFor('ACTIVE', null)).toBe('notIncluded');
  });

  it('needs another role when the plan includes it', () => {
    expect(reasonFor('ACTIVE', 'team')).toBe('role');
  });
});
