/** What each state of a plan leaves open: the ways to the payment provider, and what stands in the way of a scope. */
import { describe, expect, it } from 'vitest';
import { hindrance, planChanges, type Subscription } from '../src/pages/plan/plan.ts';

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

  it('can subscribe to another product than the one that was given', () => {
    expect(changesOf('ACTIVE', 'free')).toEqual({ canManage: false, offered: ['team'] });
  });

  it.each(['ACTIVE', 'TRIALING', 'PAST_DUE'] as const)(
    'manages what is paid for instead of paying twice: %s',
    (status) => {
      expect(changesOf(status, 'team', later)).toEqual({ canManage: true, offered: [] });
    },
  );

  it('can subscribe again after the end, and still see the bills', () => {
    expect(changesOf('CANCELED', 'team', later)).toEqual({ canManage: true, offered: ['free', 'team'] });
  });
});

describe('a scope that is not granted', () => {
  const hindranceOf = (status: Subscription['status'], product: string | null) =>
    hindrance('MEMBERS_VIEW', { status, product, currentPeriodEndsAt: null }, products);

  it.each(['NONE', 'PAST_DUE', 'CANCELED'] as const)('waits for a plan that runs: %s', (status) => {
    expect(hindranceOf(status, 'team')).toBe('notRunning');
  });

  it('waits for another plan where this one does not include it', () => {
    expect(hindranceOf('ACTIVE', 'free')).toBe('notIncluded');
    expect(hindranceOf('TRIALING', 'withdrawn')).toBe('notIncluded');
    expect(hindranceOf('ACTIVE', null)).toBe('notIncluded');
  });

  it('waits for another role where the plan includes it', () => {
    expect(hindranceOf('ACTIVE', 'team')).toBe('role');
  });
});
