/** Query mcpConnections: how clients connected in the last seven days, step by step, for super admins. */
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, pageOf, readPageRequestByInstant } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import { readSearch } from '../users/text-rules.ts';
import {
  type ConnectionRow,
  type ConnectionStatus,
  keptConnections,
  listSteps,
  type StepRow,
} from './connections-store.ts';

/** What to look for; null is anything. */
export interface ConnectionFilter {
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
 * @returns the one with the newest step first; an id that is none finds nothing
 * @throws Refusal FORBIDDEN when the caller is no super admin with mcp:access:view; BAD_USER_INPUT naming `first`,
 *   `after` or `search`
 */
export const listConnections = async (
  { database }: { readonly database: Queryable },
  actor: Actor,
  request: PageRequest,
  { clientId = null, status = null, search = null }: ConnectionFilter,
): Promise<Page<ConnectionTimeline>> => {
  requireSuperAdmin(actor, ['mcp:access:view']);
  const { limit, afterMicros, afterId } = readPageRequestByInstant(request);
  const pattern = readSearch(search, maxSearchLength);
  if (clientId !== null && !isId(clientId)) return pageOf<ConnectionTimeline>([], request, 0, keysOf);
  const { list, count, values } = keptConnections({ client: clientId, status, search: pattern });
  const rows = await database.many(list, [...values, afterMicros, afterId, limit]);
  const { total } = await database.one(count, values);
  const page = pageOf(rows, request, total, keysOf);
  return { ...page, nodes: await withSteps(database, page.nodes) };
};

const keysOf = ({ lastStepAtMicros, id }: ConnectionRow): readonly string[] => [lastStepAtMicros, id];

/** The steps of a whole page come by one statement. */
const withSteps = async (
  database: Queryable,
  connections: readonly ConnectionRow[],
): Promise<readonly ConnectionTimeline[]> => {
  if (connections.length === 0) return [];
  const steps = await database.many(listSteps, [connections.map(({ id }) => id)]);
  const stepsOf = Map.groupBy(steps, ({ connectionId }) => connectionId);
  return connections.map((connection) => withOwnSteps(connection, stepsOf.get(connection.id) ?? []));
};

/** Steps may have come since the connection was read: its status is the one that goes with them. */
const withOwnSteps = (connection: ConnectionRow, steps: readonly StepRow[]): ConnectionTimeline => ({
  ...connection,
  status: steps[0]?.connectionStatus ?? connection.status,
  steps,
});
