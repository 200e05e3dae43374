/**
 * Owns: the connections of MCP clients with an organization, and its policy for them.
 * Promises: A policy counts from the next call and revokes nothing; what ends a connection ends its whole family.
 *
 * Operations mcpPolicy and setMcpPolicy (contract/organization-mcp.md#policy-for-clients): the accepted clients.
 */
import type { Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { ActiveMembership } from '../access/actor.ts';
import {
  authorizeInOrganization,
  liveTransaction,
  type MemberActor,
  requireRecentAuthentication,
} from '../access/authorize.ts';
import type { Deps, ReadDeps, Settings } from '../access/deps.ts';
import { addAudit } from '../audit/audits-of-transaction.ts';
import {
  type ChangedMcpPolicyRow,
  findMcpPolicy,
  type McpClientPolicy,
  type McpPolicyRow,
  updateMcpPolicy,
} from './mcp-policy-store.ts';
import { readLists } from './policy-rules.ts';

/** Null leaves a value as it is. */
interface McpPolicyInput {
  readonly clients: McpClientPolicy | null;
  readonly clientIds: readonly string[] | null;
  readonly redirectHosts: readonly string[] | null;
}

/** The caller's guard has already required the scope MCP_MANAGE. */
export const getMcpPolicy = ({ database }: ReadDeps, { organization }: ActiveMembership): Promise<McpPolicyRow> =>
  database.one(findMcpPolicy, [organization.id]);

/**
 * Changes the policy of the active organization, or nothing.
 * @throws Refusal BAD_USER_INPUT: names clientIds or redirectHosts; MEMBERSHIP_REQUIRED; FORBIDDEN: without MCP_MANAGE;
 *   REAUTHENTICATION_REQUIRED; UNAUTHENTICATED
 */
export const setMcpPolicy = async (
  { database, logger, settings }: Deps<'database' | 'logger'> & Settings<'mcp'>,
  actor: MemberActor,
  { clients, ...given }: McpPolicyInput,
): Promise<McpPolicyRow> => {
  // An entry that is stored stays valid, also after the operator has taken it off their list.
  const stored = await database.maybeOne(findMcpPolicy, [actor.membership.organization.id]);
  const known = { listed: settings.mcp.clientMetadataAllowList, stored: stored?.clientIds ?? [] };
  const { clientIds, redirectHosts } = readLists(given, known);
  return liveTransaction(database, actor, async (transaction) => {
    const { organization } = await authorizeInOrganization(transaction, actor, 'MCP_MANAGE');
    await requireRecentAuthentication(transaction, actor);
    const values = [organization.id, clients, clientIds, redirectHosts] as const;
    const changed = await transaction.maybeOne(updateMcpPolicy, [...values]);
    if (changed === null) return transaction.one(findMcpPolicy, [organization.id]);
    record(transaction, logger, { userId: actor.user.id, organizationId: organization.id }, changed);
    return changed;
  });
};

const record = (
  transaction: Transaction,
  logger: Logger,
  facts: { readonly userId: string; readonly organizationId: string },
  changed: ChangedMcpPolicyRow,
): void => {
  const event = 'organization.mcp_policy_changed';
  const sentence = 'The policy of an organization for MCP clients was changed';
  transaction.afterCommit(() => logger.info({ event, ...facts }, sentence));
  const { organizationId } = facts;
  addAudit(transaction, {
    organizationId,
    event: 'MCP_POLICY_CHANGED',
    subjectId: null,
    details: changesOf(changed),
  });
};

/** The change: the setting as it was and is, and what was added to a list or taken off it. */
const changesOf = ({ formerClients, formerClientIds, formerRedirectHosts, ...now }: ChangedMcpPolicyRow) => ({
  ...(formerClients === now.clients ? {} : { clients: now.clients, formerClients }),
  addedClientIds: without(now.clientIds, formerClientIds),
  removedClientIds: without(formerClientIds, now.clientIds),
  addedRedirectHosts: without(now.redirectHosts, formerRedirectHosts),
  removedRedirectHosts: without(formerRedirectHosts, now.redirectHosts),
});

/** Undefined, which the record leaves out, where nothing remains. */
const without = (entries: readonly string[], others: readonly string[]): readonly string[] | undefined => {
  const left = entries.filter((entry) => !others.includes(entry));
  return left.length === 0 ? undefined : left;
};
