/** Operation of super admins: find people by a part of their name or address, page by page. */
import { type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import { readSearch } from '../users/search-text.ts';
import { countPeople, listPeople, type PersonRow } from './people-store.ts';

/** In characters; no address is longer. */
export const longestSearchOfUsers = 254;

export interface DirectoryRequest extends PageRequest {
  /** Null or empty finds all. */
  readonly search?: string | null | undefined;
}

/**
 * By address.
 * @throws Refusal FORBIDDEN for who is no super admin with users:view; BAD_USER_INPUT naming `first`, `after` or `search`
 */
export const searchUsers = async (
  { database }: { readonly database: Queryable },
  actor: Actor,
  request: DirectoryRequest,
): Promise<Page<PersonRow>> => {
  requireSuperAdmin(actor, ['users:view']);
  const { limit, after } = readPageRequest(request, 1);
  const pattern = readSearch(request.search, longestSearchOfUsers);
  const rows = await database.many(listPeople, [pattern, after?.[0] ?? null, limit]);
  const { total } = await database.one(countPeople, [pattern]);
  return pageOf(rows, request, total, ({ email }) => [email]);
};
