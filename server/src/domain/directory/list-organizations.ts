/** Operation of super admins: every organization with its plan and the number of its people, page by page. */
import { isId } from '../../kernel/ids.ts';
import { cursorRefused, type Page, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { requireSuperAdmin } from '../access/authorize.ts';
import { readSearch } from '../users/search-text.ts';
import { countOrganizations, listOrganizations as listRows, type OrganizationRow } from './organizations-store.ts';
import type { DirectoryRequest } from './search-users.ts';

/** In characters; no name is longer. */
export const longestSearchOfOrganizations = 100;

/**
 * By name.
 * @throws Refusal FORBIDDEN for who is no super admin with organizations:view; BAD_USER_INPUT naming `first`, `after` or
 *   `search`
 */
export const listOrganizations = async (
  { database }: { readonly database: Queryable },
  actor: Actor,
  request: DirectoryRequest,
): Promise<Page<OrganizationRow>> => {
  requireSuperAdmin(actor, ['organizations:view']);
  const { limit, after } = readPageRequest(request, 2);
  const [afterName = null, afterId = null] = after ?? [];
  if (afterId !== null && !isId(afterId)) throw cursorRefused();
  const pattern = readSearch(request.search, longestSearchOfOrganizations);
  const rows = await database.many(listRows, [pattern, afterName, afterId, limit]);
  const { total } = await database.one(countOrganizations, [pattern]);
  return pageOf(rows, request, total, ({ name, id }) => [name, id]);
};
