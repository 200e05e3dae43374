/**
 * Owns: GraphQL operations on organizations, their members, invitations and plans.
 * Promises: They act on an organization of which the caller is a member, or on an invitation that the caller presents.
 */
import { deleteOrganization, restoreOrganization } from '../../../domain/memberships/delete-organization.ts';
import { createOrganization, renameOrganization } from '../../../domain/memberships/own-organizations.ts';
import { setSecondFactorPolicy } from '../../../domain/memberships/second-factor-policy.ts';
import { switchOrganization } from '../../../domain/memberships/switch-organization.ts';
import { callerOf } from '../../../http-kit/authenticate-request.ts';
import { builder } from '../../builder.ts';
import { countedServices } from '../../context.ts';
import { deliverPair, deliveryOfCaller, detailOf } from '../../deliver-pair.ts';
import { guarded, operations } from '../../operations.ts';
import { AuthPayload } from '../sessions.ts';
import { Organization } from '../user.ts';

const CreateOrganizationInput = builder.inputType('CreateOrganizationInput', {
  fields: (t) => ({ name: t.string({ required: true }) }),
});

const DeleteOrganizationInput = builder.inputType('DeleteOrganizationInput', {
  fields: (t) => ({
    name: t.string({ required: true, description: 'As it stands, typed by the person.' }),
    organizationId: t.id({ required: true }),
  }),
});

builder.mutationFields((t) => ({
  createOrganization: t.field({
    type: Organization,
    description: 'The caller becomes its OWNER. Their active organization does not change.',
    args: { input: t.arg({ type: CreateOrganizationInput, required: true }) },
    resolve: guarded(operations.createOrganization, (actor, { input }: { input: { name: string } }, context) =>
      createOrganization(countedServices(context), actor, input),
    ),
  }),
  renameOrganization: t.field({
    type: Organization,
    description: 'The active organization. Scope ORGANIZATION_UPDATE.',
    args: { name: t.arg.string({ required: true }) },
    resolve: guarded(operations.renameOrganization, (actor, args, { services }) =>
      renameOrganization(services, actor, args),
    ),
  }),
  setSecondFactorPolicy: t.field({
    type: Organization,
    description:
      'Whether members of the active organization hold scopes and roles only in sessions with a second factor. Scope ORGANIZATION_UPDATE; REAUTHENTICATION_REQUIRED; SECOND_FACTOR_REQUIRED where the session has none.',
    args: { required: t.arg.boolean({ required: true }) },
    resolve: guarded(operations.setSecondFactorPolicy, (actor, args, { services }) =>
      setSecondFactorPolicy(services, actor, args),
    ),
  }),
  deleteOrganization: t.field({
    type: Organization,
    description:
      'An OWNER of it, whichever organization is active. It grants nothing from then on, and can be restored for 7 days. BAD_USER_INPUT for another name; SUBSCRIPTION_ACTIVE; REAUTHENTICATION_REQUIRED.',
    args: { input: t.arg({ type: DeleteOrganizationInput, required: true }) },
    resolve: guarded(
      operations.deleteOrganization,
      (actor, { input }: { input: { name: string; organizationId: string } }, context) =>
        deleteOrganization(countedServices(context), actor, input),
    ),
  }),
  restoreOrganization: t.field({
    type: Organization,
    description: 'An OWNER of it, whichever organization is active. NOT_FOUND when it was not deleted, or is gone.',
    args: { organizationId: t.arg.id({ required: true }) },
    resolve: guarded(operations.restoreOrganization, (actor, { organizationId }, { services }) =>
      restoreOrganization(services, actor, organizationId),
    ),
  }),
  switchOrganization: t.field({
    type: AuthPayload,
    description:
      'Makes another organization of the caller the active one, ends the previous session and returns the new pair in the same way as the old one was sent.',
    args: { organizationId: t.arg.id({ required: true }) },
    resolve: guarded(operations.switchOrganization, async (actor, { organizationId }, context) => {
      const target = { organizationId, caller: callerOf(context.request), detail: detailOf(context) };
      const pair = await switchOrganization(context.services, actor, target);
      return deliverPair(context, pair, deliveryOfCaller(context));
    }),
  }),
}));
