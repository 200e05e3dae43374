/** What the tools of the service share: their authority, the membership they act in, and members as shown. */
import { z } from 'zod';
import { withRollBack } from '../../platform/database/decorators.ts';
import { type ActiveMembership, type Actor, scopesOfActor } from '../access/actor.ts';
import { membershipRequired, scopesRefused } from '../access/authorize.ts';
import { invitationStatuses, type MemberRow } from '../organizations/organizations-store.ts';
import type { Application } from '../scopes/application.ts';
import type { OrganizationScope } from '../scopes/scopes.ts';
import { dryRunPrefix, instant } from '../tools/outputs.ts';
import { definingTools, type ToolDeps } from '../tools/tool.ts';

/** Requires scopes as of the start of the request; an operation that changes something reads them again. */
export const requireScopes = (actor: Actor, needed: readonly string[]): void => {
  const held = scopesOfActor(actor);
  const missing = needed.filter((scope) => !held.has(scope));
  if (missing.length > 0) throw scopesRefused(actor, missing);
};

export const defineTool = definingTools<OrganizationScope>(requireScopes);

/** @throws Refusal MEMBERSHIP_REQUIRED: the organization was deleted */
export const membershipOf = ({ membership }: Actor): ActiveMembership => {
  if (membership === null) throw membershipRequired();
  return membership;
};

/** Dependencies with which an operation changes something, or only says what it would change. */
export const depsFor = (deps: ToolDeps, { dryRun }: { readonly dryRun: boolean }): ToolDeps =>
  dryRun ? { ...deps, database: withRollBack(deps.database) } : deps;

/** A role of the application, as an argument. */
export const roleArgument = ({ roles }: Application) => z.enum(roles.map(({ name }) => name));

export const dryRunFlag = z.boolean().describe('true: nothing was changed.');

export const prefixOf = (dryRun: boolean): string => (dryRun ? dryRunPrefix : '');

/** A member or an invited person, like GraphQL's Member. */
export const member = z.object({
  id: z.string().describe('Id of the membership or invitation.'),
  userId: z.string().describe('Id of the person.'),
  email: z.string(),
  name: z.string().nullable().describe('null until they have joined.'),
  role: z.string(),
  invitation: z
    .object({
      status: z.enum(invitationStatuses).describe('EXPIRED can be sent again.'),
      expiresAt: instant.nullable(),
      acceptedAt: instant.nullable(),
    })
    .nullable()
    .describe('null for a member who joined without one.'),
  joinedAt: instant.nullable().describe('null while only invited.'),
});

/** @param application shows a role that it no longer has as another one */
export const memberOutput = (
  application: Application,
  {
    invitationStatus: status,
    invitationExpiresAt: expiresAt,
    invitationAcceptedAt: acceptedAt,
    role,
    ...row
  }: MemberRow,
): z.output<typeof member> => ({
  ...row,
  role: application.shownRole(role),
  invitation: status === null ? null : { status, expiresAt, acceptedAt },
});
