/**
 * The MCP of an organization, at `POST /mcp/organization` (contract/organization-mcp.md#answers-without-authority): for
 * people in the organization that they connected a client to, with tools of the service and of the application. Its
 * calls are in the organization's own audit.
 */
import { type Actor, scopesOfActor } from '../domain/access/actor.ts';
import { clientRefused, scopesRefused } from '../domain/access/authorize.ts';
import { explainScope } from '../domain/access/own-access.ts';
import { actIn, addAudit, writeAudits } from '../domain/audit/audits-of-transaction.ts';
import type { OrganizationAuditQueue } from '../domain/audit/organization-audit-queue.ts';
import { auditedActorOf } from '../domain/audit/organization-audits.ts';
import type { OrganizationAuditOutcome } from '../domain/audit/organization-audits-store.ts';
import { findGrant } from '../domain/credentials/actor-store.ts';
import { type AnyTool, scopesOf } from '../domain/tools/tool.ts';
import { type ConnectionRule, Refusal } from '../kernel/errors.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { RpcRefusal, rpcCodes } from './json-rpc.ts';
import { type CallDetails, type CallRecord, type Surface, serverInfoOf, type ToolCallResult } from './surface.ts';

interface OrganizationDeps {
  readonly application: { readonly name: string };
  readonly database: Pick<Queryable, 'one'>;
  readonly organizationAudits: OrganizationAuditQueue;
  readonly logger: Logger;
}

const instructions =
  'Tools for one organization, on behalf of one of its members: its people and invitations, and what the application offers. Every call is recorded in the audit of the organization. Tools that change something take dryRun: call them with dryRun true first, show the person what would change, and make the change only if they agree. A client with elicitation asks them before a destructive call.';

/** @param tools those of the service, then those of the application */
export const organizationSurface = (deps: OrganizationDeps, tools: readonly AnyTool[]): Surface => {
  const byName: ReadonlyMap<string, AnyTool> = new Map(tools.map((tool) => [tool.name, tool]));
  const scopes = scopesOf(tools);
  return {
    server: 'organization',
    path: '/mcp/organization',
    audience: 'mcp_organization',
    name: 'The MCP of an organization',
    info: serverInfoOf(deps.application.name, 'MCP'),
    instructions,
    scopes,
    unknownTool: 'There is no such tool. tools/list returns the tools that you may call.',
    findTool: (name) => byName.get(name) ?? null,
    // Granted or not: a call of one that was not granted says which scopes the client can ask for.
    listTools: (actor) => tools.filter((tool) => missingScopes(actor, tool).length === 0),
    refusalOf,
    denialOf,
    deniedBy: (actor, refusal) => answerTo(refusal, actor, scopes),
    record: (call) => recordOf(call, deps),
    settled: () => deps.organizationAudits.settled(),
  };
};

/** The scopes of a tool that the person does not hold in the organization now, whatever was granted to the client. */
const missingScopes = ({ membership }: Actor, { requiredScopes }: AnyTool): readonly string[] =>
  requiredScopes.filter((scope) => membership?.scopes.includes(scope) !== true);

const refusalOf: Surface['refusalOf'] = ({ membership, credential }) => {
  if (membership === null) return organizationDeleted;
  return credential.isClientRefused ? clientNotAccepted : null;
};

const forbidden = (message: string, rule: ConnectionRule | null): RpcRefusal =>
  new RpcRefusal({ status: 403, code: rpcCodes.forbidden, message, data: { code: 'FORBIDDEN' }, rule });

const organizationDeleted = forbidden(
  'The organization was deleted. One of its owners can restore it for some days.',
  null,
);
const clientNotAccepted = forbidden(clientRefused().message, 'client_not_accepted');

const denialOf: Surface['denialOf'] = (actor, tool) => {
  if (tool === null) return { kind: 'denied' };
  const missing = missingScopes(actor, tool);
  if (missing.length > 0) return { kind: 'refused', refusal: explained(actor, missing) };
  const effective = scopesOfActor(actor);
  if (tool.requiredScopes.every((scope) => effective.has(scope))) return null;
  return challenge(actor, tool.requiredScopes);
};

const challenge = ({ credential }: Actor, needed: readonly string[]): ToolCallResult => ({
  kind: 'challenged',
  scopes: [...new Set([...credential.grantedScopes, ...needed])],
});

/** Why the person lacks each of these scopes, in the words of `explainScope`. */
const explained = (actor: Actor, missing: readonly string[]): Refusal => {
  const { code } = scopesRefused(actor, missing);
  const fields = reasonsOf(missing, (scope) => explainScope(actor, scope).reasons.join(' '));
  return new Refusal(
    code === 'SECOND_FACTOR_REQUIRED' ? code : 'FORBIDDEN',
    'You may not call this tool in this organization now.',
    { fields, missingScopes: missing },
  );
};

/**
 * The answer to a call that an operation refused. It asks for the scopes that were lost while the call waited, or that
 * a role has which it gives or takes, if clients are offered any of them here.
 * @param offered the scopes of the surface
 */
const answerTo = (refusal: Refusal, actor: Actor, offered: readonly string[]): ToolCallResult => {
  const { missingScopes: missing, fields } = refusal.details;
  if (missing === undefined || fields !== undefined) return { kind: 'refused', refusal };
  const has = (scope: string): boolean => actor.credential.scopes.includes(scope);
  const grantable = missing.filter((scope) => offered.includes(scope) && !has(scope));
  if (grantable.length > 0) return challenge(actor, grantable);
  const reasons = reasonsOf(missing, (scope) =>
    has(scope) ? 'You do not hold this scope any more.' : 'Clients are not offered this scope here.',
  );
  return { kind: 'refused', refusal: new Refusal('FORBIDDEN', refusal.message, { fields: reasons }) };
};

const reasonsOf = (scopes: readonly string[], reasonOf: (scope: string) => string): Record<string, string> =>
  Object.fromEntries(scopes.map((scope): [string, string] => [scope, reasonOf(scope)]));

const recordOf = (call: CallDetails, { database, organizationAudits, logger }: OrganizationDeps): CallRecord => {
  const { actor, clientId, tool, correlationId, argumentDigest, isDryRun } = call;
  const auditIn = (organizationId: string, outcome: OrganizationAuditOutcome) => ({
    organizationId,
    event: 'MCP_TOOL_CALLED' as const,
    outcome,
    subjectId: null,
    clientId,
    tool,
    correlationId,
    details: { argumentDigest, ...(isDryRun ? { dryRun: true } : {}) },
  });
  const append = async (outcome: OrganizationAuditOutcome) => {
    const organizationId = await organizationOf(actor, database);
    await organizationAudits.append({ ...auditIn(organizationId, outcome), actor: auditedActorOf(actor) });
    return { organizationId };
  };
  return {
    append,
    appendIn: async (transaction) => {
      const organizationId = await organizationOf(actor, transaction);
      actIn(transaction, actor);
      addAudit(transaction, auditIn(organizationId, 'success'));
      await writeAudits(transaction);
      return { organizationId };
    },
    begin: async () => {
      await append('started');
    },
    log: (outcome, recorded) =>
      logger.info(
        {
          event: 'mcp.organization_tool_called',
          userId: actor.user.id,
          credentialId: actor.credential.id,
          clientId,
          tool,
          outcome,
          correlationId,
          ...recorded,
        },
        'A tool of the MCP of an organization was called',
      ),
  };
};

/** The organization that the grant is bound to, also while it is deleted and no membership counts. */
const organizationOf = async ({ membership, credential }: Actor, queryable: Pick<Queryable, 'one'>): Promise<string> =>
  membership?.organization.id ?? (await queryable.one(findGrant, [credential.id])).organizationId;
