/** Query mcpClients: every client that registered, for super admins, page by page, the newest first. */
import { requireValidInput } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { cursorRefused, type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { searchPattern, searchReason } from '../users/search-text.ts';
import { normalizeName } from '../users/text-rules.ts';
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
  const { limit, after } = readPageRequest(request, 2);
  const [afterMicros = null, afterId = null] = after ?? [];
  if (!isCursor(afterMicros, afterId)) throw cursorRefused();
  const search = normalizeName(request.search ?? '');
  requireValidInput({ search: searchReason(search, longestSearch) });
  const { list, count, values } = registeredClients(searchPattern(search));
  const rows = await database.many(list, [...values, afterMicros, afterId, limit]);
  const { total } = await database.one(count, values);
  return pageOf(rows, request, total, ({ registeredAtMicros, id }) => [registeredAtMicros, id]);
};

const isCursor = (micros: string | null, id: string | null): boolean =>
  micros === null || id === null || (/^\d{1,16}$/.test(micros) && isId(id));
