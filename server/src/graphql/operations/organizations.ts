/** GraphQL operations on organizations: createOrganization, renameOrganization, switchOrganization. */
import { createOrganization } from '../../domain/memberships/create-organization.ts';
import { renameOrganization } from '../../domain/memberships/rename-organization.ts';
import { switchOrganization } from '../../domain/memberships/switch-organization.ts';
import { rateLimits } from '../../platform/rate-limit-table.ts';
import { callerOf } from '../../web/caller.ts';
import { builder } from '../builder.ts';
import { deliverPair, deliveryOfCaller, detailOf } from '../deliver-pair.ts';
import { guarded, inOrganization, loggedIn } from '../guards.ts';
import { AuthPayload } from '../objects/auth-payload.ts';
import { Organization } from '../objects/user.ts';
import { countedServices, takeTurnOfPerson } from '../turns.ts';

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  fields: (t) => ({ name: t.string({ required: true }) }),
});

builder.mutationField('createOrganization', (t) =>
  t.field({
    type: Organization,
    description: 'The caller becomes its OWNER. Their active organization stays the one it was.',
    args: { input: t.arg({ type: CreateOrganizationInput, required: true }) },
    resolve: guarded(loggedIn, (actor, { input }: { input: { name: string } }, context) =>
      createOrganization(countedServices(context), actor, input),
    ),
  }),
);

builder.mutationField('renameOrganization', (t) =>
  t.field({
    type: Organization,
    description: 'The active organization. Scope ORGANIZATION_UPDATE.',
    args: { name: t.arg.string({ required: true }) },
    resolve: guarded(inOrganization('ORGANIZATION_UPDATE'), (actor, args: { name: string }, { services }) =>
      renameOrganization(services, actor, args),
    ),
  }),
);

builder.mutationField('switchOrganization', (t) =>
  t.field({
    type: AuthPayload,
    description:
      'Makes another organization of the caller the active one, ends the session of before and answers the new pair the way the old one came.',
    args: { organizationId: t.arg.id({ required: true }) },
    resolve: guarded(loggedIn, async (actor, { organizationId }: { organizationId: string }, context) => {
      await takeTurnOfPerson(context, rateLimits.switchOrganization, actor.user.id);
      const target = { organizationId, caller: callerOf(context.request), detail: detailOf(context) };
      const pair = await switchOrganization(context.services, actor, target);
      return deliverPair(context, pair, deliveryOfCaller(context));
    }),
  }),
);
