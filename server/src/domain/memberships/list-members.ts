/** Query members: who is in the active organization and who is invited, page by page, by address. */
import { type Page, type PageRequest, pageOf, readPageRequest } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { ActiveMembership } from '../access/actor.ts';
import { countMembers, listMembers as listMemberRows, type MemberRow } from '../organizations/members-store.ts';
import { readSearch } from '../users/search-text.ts';

const longestSearch = 100;

export interface MemberListRequest extends PageRequest {
  /** Part of the address, or of the name of who has joined; null or empty finds everybody. */
  readonly search?: string | null | undefined;
}

/**
 * The caller's guard has made sure of the scope MEMBERS_VIEW.
 * @throws Refusal BAD_USER_INPUT naming `first`, `after` or `search`
 */
export const listMembers = async (
  { database }: { readonly database: Queryable },
  { organization }: ActiveMembership,
  request: MemberListRequest,
): Promise<Page<MemberRow>> => {
  const { limit, after } = readPageRequest(request, 1);
  const pattern = readSearch(request.search, longestSearch);
  const rows = await database.many(listMemberRows, [organization.id, pattern, after?.[0] ?? null, limit]);
  const { total } = await database.one(countMembers, [organization.id, pattern]);
  return pageOf(rows, request, total, ({ email }) => [email]);
};
