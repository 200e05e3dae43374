/** Query activeSessions: every active credential of everybody, for super admins, page by page, the newest first. */
import { requireValidInput } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, pageOf, readPageRequestByInstant } from '../../kernel/paging.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { type ActiveCredentialRow, activeCredentials, type SessionRow } from '../credentials/sessions-store.ts';
import type { CredentialKind } from '../credentials/token.ts';
import { searchPattern, searchReason } from '../users/search-text.ts';
import { normalizeEmail } from '../users/text-rules.ts';

/** What to look for; null is anything. */
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
 * @returns one row for each credential, so two for a session; ids that are none find nothing
 * @throws Refusal BAD_USER_INPUT naming `first`, `after` or `email`
 */
export const listActiveSessions = async (
  { database }: { readonly database: Queryable },
  request: PageRequest,
  filter: SessionFilter,
): Promise<Page<SessionRow>> => {
  const { limit, afterMicros, afterId } = readPageRequestByInstant(request);
  const email = normalizeEmail(filter.email ?? '');
  requireValidInput({ email: searchReason(email, longestEmail) });
  const { userId = null, organizationId = null, audience = null, kind = null } = filter;
  if (!canBeFound(filter)) return pageOf<ActiveCredentialRow>([], request, 0, keysOf);
  const sought = { email: searchPattern(email), user: userId, organization: organizationId, audience, kind };
  const { list, count, values } = activeCredentials(sought);
  const rows = await database.many(list, [...values, afterMicros, afterId, limit]);
  const { total } = await database.one(count, values);
  return pageOf(rows, request, total, keysOf);
};

const keysOf = ({ issuedAtMicros, id }: ActiveCredentialRow): readonly string[] => [issuedAtMicros, id];

/** PostgreSQL cannot even be asked for an id that is none, or for a text with NUL. */
const canBeFound = ({ userId, organizationId, audience }: SessionFilter): boolean =>
  [userId, organizationId].every((id) => id === null || id === undefined || isId(id)) &&
  audience?.includes('\u0000') !== true;
