/** Query mcpClients: every client that registered, for super admins, page by page, the newest first. */
import { type Page, type PageRequest, pageOf, readPageRequestByInstant } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readSearch } from '../users/search-text.ts';
import { type ClientRow, registeredClients } from './clients-store.ts';

const longestSearch = 100;

export interface ClientListRequest extends PageRequest {
  /** Part of the name; null or empty finds every client. */
  readonly search?: string | null | undefined;
}

/**
 * The caller's guard has made sure of a super admin with mcp:access:view.
 * @throws Refusal BAD_USER_INPUT naming `first`, `after` or `search`
 */
export const listClients = async (
  { database }: { readonly database: Queryable },
  request: ClientListRequest,
): Promise<Page<ClientRow>> => {
  const { limit, afterMicros, afterId } = readPageRequestByInstant(request);
  const { list, count, values } = registeredClients(readSearch(request.search, longestSearch));
  const rows = await database.many(list, [...values, afterMicros, afterId, limit]);
  const { total } = await database.one(count, values);
  return pageOf(rows, request, total, ({ registeredAtMicros, id }) => [registeredAtMicros, id]);
};
