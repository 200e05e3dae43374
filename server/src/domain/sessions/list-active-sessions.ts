/** Query activeSessions: every active credential of everybody, for super admins, page by page, the newest first. */
import { requireValidInput } from '../../kernel/errors.ts';
import { idReason, isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, pageOf, readPageRequestByInstant } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import {
  type ActiveCredentialRow,
  activeCredentials,
  findFilterTargets,
  type SessionRow,
  type SoughtCredentials,
} from '../credentials/sessions-store.ts';
import { audiences, type CredentialKind } from '../credentials/token.ts';
import { searchPattern, searchReason } from '../users/search-text.ts';
import { normalizeEmail } from '../users/text-rules.ts';

/** What to look for; null is anything. Ids are in any case. */
export interface SessionFilter {
  /** Part of an address. */
  readonly email?: string | null | undefined;
  readonly userId?: string | null | undefined;
  /** The one in which the credential was issued. */
  readonly organizationId?: string | null | undefined;
  readonly audience?: string | null | undefined;
  readonly kind?: CredentialKind | null | undefined;
}

const longestEmail = 254;

/**
 * The caller's guard has made sure of a super admin.
 * @returns one row for each credential, so two for a session; an empty page always means that nothing matches
 * @throws Refusal BAD_USER_INPUT naming `first` or `after`, or what of the filter is malformed, outside its values or the
 *   id of nothing (contract, "Platform MCP and the super admin's console at an incident")
 */
export const listActiveSessions = async (
  { database }: { readonly database: Queryable },
  request: PageRequest,
  filter: SessionFilter,
): Promise<Page<SessionRow>> => {
  const { limit, afterMicros, afterId } = readPageRequestByInstant(request);
  const sought = readFilter(filter);
  const { list, count, values } = activeCredentials(sought);
  const rows = await database.many(list, [...values, afterMicros, afterId, limit]);
  if (rows.length === 0) await requireTargets(database, sought);
  const { total } = await database.one(count, values);
  return pageOf(rows, request, total, keysOf);
};

const keysOf = ({ issuedAtMicros, id }: ActiveCredentialRow): readonly string[] => [issuedAtMicros, id];

const readFilter = ({ email, userId, organizationId, audience, kind }: SessionFilter): SoughtCredentials => {
  const address = normalizeEmail(email ?? '');
  const [user, organization] = [userId?.toLowerCase() ?? null, organizationId?.toLowerCase() ?? null];
  requireValidInput({
    email: searchReason(address, longestEmail),
    userId: user === null || isId(user) ? null : idReason,
    organizationId: organization === null || isId(organization) ? null : idReason,
    audience: isAudience(audience ?? null) ? null : `This must be one of: ${audiences.join(', ')}.`,
  });
  return { email: searchPattern(address), user, organization, audience: audience ?? null, kind: kind ?? null };
};

const isAudience = (text: string | null): boolean => text === null || audiences.some((audience) => audience === text);

/** Asked only of an empty page: what has rows is there. */
const requireTargets = async (database: Queryable, { user, organization }: SoughtCredentials): Promise<void> => {
  if (user === null && organization === null) return;
  const { hasUser, hasOrganization } = await database.one(findFilterTargets, [user, organization]);
  requireValidInput({
    userId: hasUser ? null : 'No person has this id.',
    organizationId: hasOrganization ? null : 'No organization has this id.',
  });
};
