/** The GraphQL enum ActorKind: a person, or a machine of one of two kinds. */
import { auditedActorKinds } from '../../domain/audit/organization-audits-store.ts';
import { builder } from '../builder.ts';

export const ActorKind = builder.enumType('ActorKind', { values: auditedActorKinds });
