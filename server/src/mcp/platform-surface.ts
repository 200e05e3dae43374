/** Platform MCP, at `POST /mcp`, for super admins, and its record (contract/platform-mcp.md#authority-of-a-call). */
import { type Actor, isActingSuperAdmin, scopesOfActor } from '../domain/access/actor.ts';
import { appendToolAudit, type ToolAudits } from '../domain/audit/tool-audits.ts';
import type { RecordedCall } from '../domain/audit/tool-audits-store.ts';
import { catalogue, findTool, scopesOfTools } from '../domain/tools/catalogue.ts';
import type { AnyTool } from '../domain/tools/tool.ts';
import type { Logger } from '../platform/observability/logger.ts';
import { type CallDetails, type CallRecord, type RecordedFields, type Surface, serverInfoOf } from './surface.ts';

interface PlatformDeps {
  readonly application: { readonly name: string };
  readonly audits: ToolAudits;
  readonly logger: Logger;
}

const instructions =
  'Control plane of Gatehouse for super admins: sessions, people, organizations and invitations. Every call is recorded. Tools that change something take dryRun: call them with dryRun true first, show the person what would change, and make the change only if they agree. A client with elicitation asks them before a destructive call.';

export const platformSurface = ({ application, audits, logger }: PlatformDeps): Surface => ({
  server: 'platform',
  path: '/mcp',
  audience: 'mcp',
  name: 'Platform MCP',
  info: serverInfoOf(application.name, 'Platform MCP'),
  instructions,
  scopes: scopesOfTools,
  // A forbidden tool and an unknown one look the same.
  unknownTool:
    'This tool is not available: it does not exist, it needs a scope that was not granted or is no longer held, or the account has no second factor where the operator requires one of super admins. tools/list returns the tools that you may call.',
  findTool,
  listTools,
  refusalOf: () => null,
  denialOf: (actor, tool) => (tool === null || !mayCall(actor, tool) ? { kind: 'denied' } : null),
  deniedBy: () => ({ kind: 'denied' }),
  record: (call) => recordOf(call, { audits, logger }),
  settled: () => audits.settled(),
});

const isAllowed = ({ requiredScopes }: AnyTool, held: ReadonlySet<string>): boolean =>
  requiredScopes.every((scope) => held.has(scope));

/** Whether the actor may call the tool now: its scopes are granted to the credential and still held. */
const mayCall = (actor: Actor, tool: AnyTool): boolean =>
  isActingSuperAdmin(actor) && isAllowed(tool, scopesOfActor(actor));

const listTools = (actor: Actor): readonly AnyTool[] => {
  const held = scopesOfActor(actor);
  return isActingSuperAdmin(actor) ? catalogue.filter((tool) => isAllowed(tool, held)) : [];
};

const recordOf = (call: CallDetails, { audits, logger }: Pick<PlatformDeps, 'audits' | 'logger'>): CallRecord => {
  const { actor, clientId, tool, correlationId, argumentDigest } = call;
  const [actorUserId, credentialId] = [actor.user.id, actor.credential.id];
  const facts = { actorUserId, credentialId, clientId, tool, correlationId, argumentDigest };
  return {
    append: async (outcome) => placeOf(await audits.append({ ...facts, outcome })),
    appendIn: async (transaction) => placeOf(await appendToolAudit(transaction, { ...facts, outcome: 'success' })),
    begin: () => Promise.reject(new Error('Every change of Platform MCP is made in a transaction')),
    log: (outcome, recorded) =>
      logger.info(
        {
          event: 'mcp.tool_called',
          userId: actorUserId,
          credentialId,
          clientId,
          tool,
          outcome,
          correlationId,
          ...recorded,
        },
        'A Platform MCP tool was called',
      ),
  };
};

/** Position and hash in the chain: a copy of the log elsewhere reveals a chain that was rebuilt. */
const placeOf = ({ position, hash }: RecordedCall): RecordedFields => ({ position, hash: hash.toString('hex') });
