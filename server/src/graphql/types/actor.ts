/** GraphQL types of who acts, a person or a machine, and the query actor. */
import { type Actor as ActingActor, isServiceAccount, kindOf, scopesOfActor } from '../../domain/access/actor.ts';
import { builder } from '../builder.ts';
import { guarded, operations } from '../operations.ts';
import { ActorKind } from './sessions.ts';
import { Organization, Role } from './user.ts';

const Actor = builder.objectRef<ActingActor>('Actor').implement({
  fields: (t) => ({
    credentialId: t.id({ resolve: ({ credential }) => credential.id }),
    email: t.string({
      nullable: true,
      description: 'Null for a service account.',
      resolve: (actor) => (isServiceAccount(actor) ? null : actor.user.email),
    }),
    id: t.id({ description: "The person's id, or the service account's.", resolve: ({ user }) => user.id }),
    kind: t.field({ type: ActorKind, resolve: kindOf }),
    name: t.string({ resolve: ({ user }) => user.name }),
    organization: t.field({
      type: Organization,
      nullable: true,
      description: 'The active organization, or the one that the credential is bound to.',
      resolve: ({ membership }) => membership?.organization ?? null,
    }),
    role: t.field({
      type: Role,
      nullable: true,
      description: 'Null for a service account and without an organization.',
      resolve: (actor) =>
        actor.membership === null || isServiceAccount(actor)
          ? null
          : actor.application.shownRole(actor.membership.role),
    }),
    scopes: t.stringList({
      description: 'All that the credential may use now.',
      resolve: (actor) => [...scopesOfActor(actor)],
    }),
  }),
});

builder.queryField('actor', (t) =>
  t.field({
    type: Actor,
    description: 'Who makes this request: a person or a machine. UNAUTHENTICATED when logged out.',
    resolve: guarded(operations.actor, (actor) => actor),
  }),
);
