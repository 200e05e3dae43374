/**
 * Operations of super admins on sessions: list the active ones, revoke one or all of a person.
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { idReason, isId } from '../../kernel/ids.ts';
import { type Page, type PageRequest, pageOf, readPageRequestByInstant } from '../../kernel/paging.ts';
import type { Database, Queryable, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, withSessionCheck } from '../access/authorize.ts';
import { findFamilyOfCredential, type RevocationRow } from '../credentials/credentials-store.ts';
import {
  dryRunRevocation,
  type RevocationReceipt,
  revokeAllOfUser,
  revokeOnce,
  revokeSession,
  type SessionRevocation,
} from '../credentials/revoke.ts';
import {
  type ActiveCredentialRow,
  activeCredentials,
  describeCredentials,
  findFilterTargets,
  type RevokedCredential,
  type SessionRow,
  type SoughtCredentials,
} from '../credentials/sessions-store.ts';
import { audiences, type CredentialKind } from '../credentials/token.ts';
import { normalizeEmail, searchPattern, searchReason } from '../users/text-rules.ts';
import { bumpCredentialsRevision, lockUserRows } from '../users/users-store.ts';

// Operations of super admins on anybody's sessions: revokeSession, revokeUserSessions (specification, "Credential
// pair"). Every surface that governs sessions calls these two.

export interface AdminSessionDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface AdminRevocation extends Omit<RevocationReceipt, 'credentialIds'> {
  /** What was active and is revoked, the newest first: the first hundred of it. */
  readonly credentials: readonly RevokedCredential[];
  /** Whether the session that the caller came with is one of those that ended. */
  readonly endsOwnSession: boolean;
}

interface DryRunnable {
  /** The same checks and the same answer, with nothing changed. */
  readonly dryRun: boolean;
}

const scope = 'sessions:revoke';
const reason = 'revoked_by_super_admin';

/**
 * Ends the session that a credential belongs to, wherever it has switched to since; one that has ended already answers
 * 0 credentials, and the instant at which it ended.
 * @throws Refusal FORBIDDEN when the caller is no super admin with sessions:revoke by now; NOT_FOUND when there is no
 *   such credential; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const revokeSessionOfAnybody = async (
  { database, logger }: AdminSessionDeps,
  actor: Actor,
  { credentialId, dryRun }: DryRunnable & { readonly credentialId: string },
): Promise<AdminRevocation> => {
  const work = (transaction: Transaction) => describing(transaction, endSession(transaction, actor, credentialId));
  const ended = dryRun
    ? await dryRunRevocation(withSessionCheck(database, actor), work)
    : await revokeOnce(withSessionCheck(database, actor), work, ({ sessionFamilyId }) => ({ sessionFamilyId }));
  const { sessionFamilyId, revokedCredentials: revoked, revokedAt, credentials } = ended;
  if (!dryRun) {
    const facts = { userId: actor.user.id, credentialId, sessionFamilyId, revoked };
    logger.info({ event: 'auth.session_revoked_by_super_admin', ...facts }, 'A super admin ended a session');
  }
  const endsOwnSession = sessionFamilyId === actor.credential.sessionFamilyId;
  return { revokedCredentials: revoked, revokedAt, credentials, endsOwnSession };
};

/** Names what was revoked, in the transaction that did it: later, somebody may be gone. */
const describing = async <Revocation extends RevocationRow>(
  transaction: Transaction,
  revoking: Promise<Revocation>,
): Promise<Revocation & { readonly credentials: readonly RevokedCredential[] }> => {
  const revocation = await revoking;
  return { ...revocation, credentials: await transaction.many(describeCredentials, [revocation.credentialIds]) };
};

const endSession = async (transaction: Transaction, actor: Actor, credentialId: string): Promise<SessionRevocation> => {
  await authorizeSuperAdmin(transaction, actor, scope);
  const family = isId(credentialId) ? await transaction.maybeOne(findFamilyOfCredential, [credentialId]) : null;
  if (family === null) throw new Refusal('NOT_FOUND', 'There is no such session.');
  return revokeSession(transaction, family.sessionFamilyId, reason);
};

/**
 * Signs a person out everywhere by a new credentials_revision: every credential of theirs is refused from the commit on.
 * Who has none left answers 0 credentials, and the instant at which the last one ended.
 * @throws Refusal FORBIDDEN when the caller is no super admin with sessions:revoke by now; NOT_FOUND when there is no
 *   such person; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const revokeSessionsOfUser = async (
  { database, logger }: AdminSessionDeps,
  actor: Actor,
  { userId, dryRun }: DryRunnable & { readonly userId: string },
): Promise<AdminRevocation> => {
  const work = (transaction: Transaction) => describing(transaction, endUser(transaction, actor, userId));
  const ended = dryRun
    ? await dryRunRevocation(withSessionCheck(database, actor), work)
    : await revokeOnce(withSessionCheck(database, actor), work, () => ({ userId }));
  const { revokedCredentials, revokedAt, credentials } = ended;
  if (!dryRun) {
    const facts = { userId: actor.user.id, revokedUserId: userId, revoked: revokedCredentials };
    logger.info(
      { event: 'auth.user_revoked_by_super_admin', ...facts },
      'A super admin signed a person out everywhere',
    );
  }
  return { revokedCredentials, revokedAt, credentials, endsOwnSession: userId === actor.user.id };
};

/** Both rows are locked at once, before either is read. */
const endUser = async (transaction: Transaction, actor: Actor, userId: string): Promise<RevocationRow> => {
  const people = await transaction.many(lockUserRows, [isId(userId) ? [actor.user.id, userId] : [actor.user.id]]);
  await authorizeSuperAdmin(transaction, actor, scope);
  if (people.every(({ id }) => id !== userId)) throw new Refusal('NOT_FOUND', 'There is no such person.');
  await transaction.execute(bumpCredentialsRevision, [userId]);
  return revokeAllOfUser(transaction, userId, reason);
};

// Query activeSessions: every active credential of everybody, for super admins, page by page, the newest first.

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

const maxEmailLength = 254;

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
    email: searchReason(address, maxEmailLength),
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
