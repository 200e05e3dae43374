/** Query mcpConnections: the connections of MCP clients in the last seven days, step by step, for super admins. */
import { requireValidInput } from '../../kernel/errors.ts';
import { idReason, normalizeId } from '../../kernel/ids.ts';
import type { Page, PageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { filteredPage } from '../../platform/database/filtered-list.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import type { ReadDeps } from '../access/deps.ts';
import { readSearch } from '../users/text-rules.ts';
import {
  type ConnectionRow,
  type ConnectionStatus,
  keptConnections,
  listSteps,
  type StepRow,
} from './connections-store.ts';

/** Search criteria; null matches anything. */
interface ConnectionFilter {
  readonly clientId?: string | null | undefined;
  readonly status?: ConnectionStatus | null | undefined;
  /** Part of the client's name, of the address or of the user agent. */
  readonly search?: string | null | undefined;
}

export interface ConnectionTimeline extends ConnectionRow {
  readonly steps: readonly StepRow[];
}

const maxSearchLength = 200;

/**
 * @returns newest step first
 * @throws Refusal FORBIDDEN: without mcp:access:view; BAD_USER_INPUT: names `first`, `after`, `clientId` or `search`
 */
export const listConnections = async (
  { database }: ReadDeps,
  actor: Actor,
  request: PageRequest,
  { clientId = null, status = null, search = null }: ConnectionFilter,
): Promise<Page<ConnectionTimeline>> => {
  requireSuperAdmin(actor, ['mcp:access:view']);
  const client = normalizeId(clientId);
  requireValidInput({ clientId: idReason(client) });
  const criteria = { client, status, search: readSearch(search, maxSearchLength) };
  const page = await filteredPage(database, keptConnections, request, criteria);
  return { ...page, nodes: await withSteps(database, page.nodes) };
};

/** Reads the steps of a whole page in one statement. */
const withSteps = async (
  database: Queryable,
  connections: readonly ConnectionRow[],
): Promise<readonly ConnectionTimeline[]> => {
  if (connections.length === 0) return [];
  const steps = await database.many(listSteps, [connections.map(({ id }) => id)]);
  const stepsOf = Map.groupBy(steps, ({ connectionId }) => connectionId);
  return connections.map((connection) => withOwnSteps(connection, stepsOf.get(connection.id) ?? []));
};

/** Steps may have been added since the connection was read: the status is the one that was read with them. */
const withOwnSteps = (connection: ConnectionRow, steps: readonly StepRow[]): ConnectionTimeline => ({
  ...connection,
  status: steps[0]?.connectionStatus ?? connection.status,
  steps,
});
