/** Guards (contract/organizations.md#guards): their order, and which callers each of them admits. */
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/domain/access/actor.ts';
import { defaultApplication } from '../../src/domain/scopes/application-definition.ts';
import type { Role, SubscriptionState } from '../../src/domain/scopes/scopes.ts';
import type { GraphqlContext } from '../../src/graphql/context.ts';
import {
  admin,
  adminOrSuperAdmin,
  chain,
  loggedIn,
  loggedOut,
  membershipsLoaded,
  scopes,
  superAdmin,
} from '../../src/graphql/guards.ts';
import { guarded, operations } from '../../src/graphql/operations.ts';
import { completeSchema } from '../../src/graphql/schema.ts';
import { Refusal, type RefusalDetails } from '../../src/kernel/errors.ts';
import { actorWith } from '../support/actors/actor.ts';

interface Traits {
  readonly role?: Role;
  readonly isSuperAdmin?: boolean;
  readonly platformScopes?: Actor['user']['platformScopes'];
  readonly subscription?: SubscriptionState;
  /** What requires a second factor, which the session lacks. */
  readonly needsSecondFactor?: 'organization' | 'platform';
}

/** An actor with a membership when a role is given, without one otherwise. */
const actorLike = (traits: Traits): Actor => {
  const { role, isSuperAdmin = false, platformScopes = [], subscription, needsSecondFactor } = traits;
  const { status, product } = subscription ?? { status: 'ACTIVE', product: 'free' };
  const paid = { status, product, currentPeriodEndsAt: null };
  const isWithheld = needsSecondFactor === 'organization';
  const shared = { id: 'o', name: 'Organization', deletesAt: null, requireSecondFactor: isWithheld };
  const granted = role === undefined || isWithheld ? [] : defaultApplication.effectiveScopes(role, { status, product });
  const membership =
    role === undefined
      ? null
      : {
          id: 'm',
          role,
          organization: { ...shared, subscription: paid },
          needsSecondFactor: isWithheld,
          scopes: granted,
        };
  const user = { isSuperAdmin, platformScopes, needsFactorAsSuperAdmin: needsSecondFactor === 'platform' };
  return actorWith({ user, membership });
};

const owner = actorLike({ role: 'OWNER' });
const administrator = actorLike({ role: 'ADMIN' });
const member = actorLike({ role: 'MEMBER' });
const withoutMembership = actorLike({});
const platform = actorLike({ isSuperAdmin: true, platformScopes: ['mcp:whoami', 'users:view'] });

type ContextParts = Pick<GraphqlContext, 'actor' | 'refusal'> & { readonly operation: { readonly kind: 'query' } };

/** The part of a context that guards read; only resolvers read the rest. */
const contextOf = (actor: Actor | null, refusal = new Refusal('UNAUTHENTICATED', 'Not signed in.')): GraphqlContext => {
  const parts: ContextParts = { actor, refusal, operation: { kind: 'query' } };
  return parts as GraphqlContext;
};

/** `true` when the guard admits the subject; else code and details of the refusal. */
const outcome = <Subject>(guard: (subject: Subject) => unknown, subject: Subject): true | [string, RefusalDetails] => {
  try {
    guard(subject);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.details];
    throw error;
  }
};

const forbidden = ['FORBIDDEN', {}] as const;

describe('A chain of guards', () => {
  const noting = (notes: string[], name: string) => (subject: GraphqlContext) => {
    notes.push(name);
    return subject;
  };

  // Contract: organizations#guard-of-every-operation — Chained: the first runs and the rest follow, ending in the
  //   resolver
  it('runs from the first to the last, then the resolver with the result of the last one', () => {
    const notes: string[] = [];
    const guards = chain(
      noting(notes, 'first'),
      chain(noting(notes, 'second'), chain(noting(notes, 'third'), loggedIn)),
    );
    const resolver = guarded({ guard: guards }, (actor, args: { readonly id: string }, context) => {
      notes.push('resolver');
      return [actor, args, context];
    });
    const context = contextOf(owner);
    expect(resolver(null, { id: '1' }, context)).toEqual([owner, { id: '1' }, context]);
    expect(notes).toEqual(['first', 'second', 'third', 'resolver']);
  });

  it('ends at the first refusal: no later guard and no resolver runs', () => {
    const notes: string[] = [];
    const guards = chain(noting(notes, 'first'), chain(loggedOut, noting(notes, 'third')));
    const resolver = guarded({ guard: guards }, () => notes.push('resolver'));
    expect(() => resolver(null, {}, contextOf(owner))).toThrow('You are signed in. Sign out first.');
    expect(notes).toEqual(['first']);
  });

  it('authenticates the caller before it checks what they may do', () => {
    const guards = chain(chain(loggedIn, membershipsLoaded), scopes('EVERY', ['MEMBERS_INVITE']));
    expect(outcome(guards, contextOf(null))).toEqual(['UNAUTHENTICATED', {}]);
    expect(outcome(guards, contextOf(withoutMembership))).toEqual(['MEMBERSHIP_REQUIRED', {}]);
    expect(outcome(guards, contextOf(member))).toEqual(['FORBIDDEN', { missingScopes: ['MEMBERS_INVITE'] }]);
    expect(outcome(guards, contextOf(administrator))).toBe(true);
  });
});

// Contract: organizations#guard-of-every-operation — Every operation is behind a guard
it('The table of operations has a row for every operation of the schema, and no other', () => {
  const schema = completeSchema();
  const roots = [schema.getQueryType(), schema.getMutationType()];
  const fields = roots.flatMap((root) => Object.keys(root?.getFields() ?? {}));
  expect(Object.keys(operations).sort()).toEqual(fields.sort());
});

describe('Logged in and logged out', () => {
  // Contract: organizations#checks-of-guards — Logged in
  it('returns the actor, or refuses with the problem of the credential', () => {
    expect(loggedIn(contextOf(owner))).toBe(owner);
    const expired = new Refusal('ACCESS_EXPIRED', 'Expired.');
    expect(outcome(loggedIn, contextOf(null, expired))).toEqual(['ACCESS_EXPIRED', {}]);
  });

  // Contract: organizations#checks-of-guards — Logged out
  it('lets only callers without an actor through the logged-out guard', () => {
    const context = contextOf(null);
    expect(loggedOut(context)).toBe(context);
    for (const actor of [owner, member, withoutMembership, platform]) {
      expect(outcome(loggedOut, contextOf(actor))).toEqual(['ALREADY_SIGNED_IN', {}]);
    }
  });
});

describe('Membership required', () => {
  it('passes an actor with a membership of any role', () => {
    for (const actor of [owner, administrator, member]) expect(membershipsLoaded(actor)).toEqual(actor);
  });

  // Contract: organizations#checks-of-guards — Memberships loaded
  it('refuses an actor without a membership, super admins too', () => {
    for (const actor of [withoutMembership, platform]) {
      expect(outcome(membershipsLoaded, actor)).toEqual(['MEMBERSHIP_REQUIRED', {}]);
    }
  });
});

describe('Scopes', () => {
  const every = scopes('EVERY', ['MEMBERS_VIEW', 'MEMBERS_INVITE', 'BILLING_MANAGE']);
  const some = scopes('SOME', ['MEMBERS_INVITE', 'BILLING_MANAGE']);

  // Contract: organizations#checks-of-guards — Scope check, mode EVERY
  it('EVERY requires all of them and lists the missing ones', () => {
    expect(outcome(every, owner)).toBe(true);
    expect(outcome(every, administrator)).toEqual(['FORBIDDEN', { missingScopes: ['BILLING_MANAGE'] }]);
    expect(outcome(every, member)).toEqual(['FORBIDDEN', { missingScopes: ['MEMBERS_INVITE', 'BILLING_MANAGE'] }]);
  });

  // Contract: organizations#checks-of-guards — Scope check, mode SOME
  it('SOME requires one of them and lists all when none is granted', () => {
    expect(outcome(some, owner)).toBe(true);
    expect(outcome(some, administrator)).toBe(true);
    expect(outcome(some, member)).toEqual(['FORBIDDEN', { missingScopes: ['MEMBERS_INVITE', 'BILLING_MANAGE'] }]);
  });

  // Contract: organizations#effective-scopes — Without an active subscription, scope checks deny
  it('are refused without a membership or an active subscription', () => {
    const missing = ['FORBIDDEN', { missingScopes: ['MEMBERS_VIEW'] }];
    const view = scopes('EVERY', ['MEMBERS_VIEW']);
    expect(outcome(view, withoutMembership)).toEqual(missing);
    for (const status of ['PAST_DUE', 'CANCELED', 'NONE'] as const) {
      const unpaid = actorLike({ role: 'OWNER', subscription: { status, product: 'free' } });
      expect(outcome(view, unpaid)).toEqual(missing);
    }
    const unknownProduct = actorLike({ role: 'OWNER', subscription: { status: 'ACTIVE', product: 'gone' } });
    expect(outcome(view, unknownProduct)).toEqual(missing);
    const onTrial = actorLike({ role: 'MEMBER', subscription: { status: 'TRIALING', product: 'free' } });
    expect(outcome(view, onTrial)).toBe(true);
  });

  it('of the platform are those granted to the super admin', () => {
    expect(outcome(scopes('EVERY', ['mcp:whoami', 'users:view']), platform)).toBe(true);
    const revoke = scopes('EVERY', ['users:view', 'sessions:revoke']);
    expect(outcome(revoke, platform)).toEqual(['FORBIDDEN', { missingScopes: ['sessions:revoke'] }]);
    expect(outcome(revoke, owner)).toEqual(['FORBIDDEN', { missingScopes: ['users:view', 'sessions:revoke'] }]);
  });

  it('are never satisfied by an empty SOME, and always by an empty EVERY', () => {
    expect(outcome(scopes('SOME', []), owner)).toEqual(['FORBIDDEN', { missingScopes: [] }]);
    expect(outcome(scopes('EVERY', []), member)).toBe(true);
  });
});

describe('Admin guards', () => {
  const both = actorLike({ role: 'MEMBER', isSuperAdmin: true });
  const table = [
    { who: 'an owner', actor: owner, passes: ['admin', 'adminOrSuperAdmin'] },
    { who: 'an admin', actor: administrator, passes: ['admin', 'adminOrSuperAdmin'] },
    { who: 'a member', actor: member, passes: [] },
    { who: 'a person without a membership', actor: withoutMembership, passes: [] },
    { who: 'a super admin without a membership', actor: platform, passes: ['adminOrSuperAdmin', 'superAdmin'] },
    { who: 'a super admin who is a member', actor: both, passes: ['adminOrSuperAdmin', 'superAdmin'] },
  ];

  // Contract: organizations#checks-of-guards — Admin, admin or super admin, super admin
  it.each(table)('admit $who to $passes only', ({ actor, passes }) => {
    for (const [name, guard] of Object.entries({ admin, adminOrSuperAdmin, superAdmin })) {
      expect([name, outcome(guard, actor)]).toEqual([name, passes.includes(name) ? true : forbidden]);
    }
  });
});

describe('A required second factor that the session lacks', () => {
  const needed = ['SECOND_FACTOR_REQUIRED', {}] as const;
  const waitingOwner = actorLike({ role: 'OWNER', needsSecondFactor: 'organization' });
  const waitingMember = actorLike({ role: 'MEMBER', needsSecondFactor: 'organization' });
  const waitingPlatform = actorLike({ isSuperAdmin: true, needsSecondFactor: 'platform' });
  const ownerAndPlatform = actorLike({ role: 'OWNER', isSuperAdmin: true, needsSecondFactor: 'platform' });

  // Contract: account#organizations-with-a-factor — A required second factor: no guard of role and no scope passes
  //   without it
  it('withholds roles and scopes of the organization', () => {
    expect(outcome(admin, waitingOwner)).toEqual(needed);
    expect(outcome(adminOrSuperAdmin, waitingOwner)).toEqual(needed);
    expect(outcome(superAdmin, waitingOwner)).toEqual(forbidden);
    expect(outcome(scopes('EVERY', ['MEMBERS_VIEW']), waitingOwner)).toEqual(needed);
    expect(outcome(scopes('SOME', ['MEMBERS_VIEW']), waitingMember)).toEqual(needed);
    expect(outcome(admin, waitingMember)).toEqual(forbidden);
    expect(outcome(membershipsLoaded, waitingOwner)).toBe(true);
  });

  it('withholds the authority of a super admin, and leaves that of an owner', () => {
    expect(outcome(superAdmin, waitingPlatform)).toEqual(needed);
    expect(outcome(adminOrSuperAdmin, waitingPlatform)).toEqual(needed);
    expect(outcome(scopes('EVERY', ['users:view']), waitingPlatform)).toEqual(needed);
    expect(outcome(scopes('EVERY', ['MEMBERS_VIEW']), waitingPlatform)).toEqual([
      'FORBIDDEN',
      { missingScopes: ['MEMBERS_VIEW'] },
    ]);
    expect(outcome(superAdmin, ownerAndPlatform)).toEqual(needed);
    expect(outcome(adminOrSuperAdmin, ownerAndPlatform)).toBe(true);
    expect(outcome(scopes('EVERY', ['MEMBERS_VIEW']), ownerAndPlatform)).toBe(true);
  });
});
