/**
 * Operations of super admins that end many sessions at once: revokeSessions, revokeOrganizationSessions
 * (contract/incidents.md#many-sessions-at-once) and revokeSessionFamilies.
 */
import { invalidInput, Refusal, requireValidInput } from '../../kernel/errors.ts';
import { idReason, isId, normalizeGivenId } from '../../kernel/ids.ts';
import { maxCounted } from '../../kernel/paging.ts';
import { type Database, databaseNow, type Transaction } from '../../platform/database/database.ts';
import { waitLimits, withNewDeadline } from '../../platform/database/deadlines.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin, liveTransaction } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { chunksOf, endFamilies, listLastSuccessors, lockBulkRevocations } from '../credentials/end-families.ts';
import { bySuperAdmin } from './revoke-session.ts';
import { seek, tooManyToRead } from './seek.ts';
import { listActiveFamilies } from './session-families-store.ts';
import {
  givenFields,
  readSessionFilter,
  requireField,
  requireTargets,
  type SessionCriteria,
  type SessionFilter,
} from './session-filter.ts';

/** The sessions that ended, or after a dry run would end. */
export interface BulkRevocation {
  readonly dryRun: boolean;
  readonly sessions: number;
  /** Credentials that were active. */
  readonly revokedCredentials: number;
  /** From this instant on, nothing accepts them; null after a dry run. */
  readonly revokedAt: Date | null;
  readonly endsOwnSession: boolean;
}

interface FilterRevocation {
  readonly filter: SessionFilter;
  /** The number of sessions that a dry run answered; required unless this is one. */
  readonly expectedCount?: number | null | undefined;
  readonly dryRun: boolean;
}

type BulkDeps = Deps<'database' | 'logger'>;

const { scope, reason } = bySuperAdmin;

/**
 * Ends every session of which an active credential matches, 10,000 at most, in one transaction, with what rotations and
 * switches make of them meanwhile.
 * @throws Refusal FORBIDDEN: no super admin with sessions:revoke; BAD_USER_INPUT: names a wrong field, `filter` without
 *   a field or with too much to read, or a missing `expectedCount`; CONFLICT: another number, which `count` says;
 *   LIMIT_REACHED. Nothing changed
 */
export const revokeSessions = async (
  deps: BulkDeps,
  actor: Actor,
  { filter, expectedCount, dryRun }: FilterRevocation,
): Promise<BulkRevocation> => {
  const criteria = readSessionFilter(filter);
  requireField(criteria);
  const expected = expectedCount ?? null;
  if (!dryRun && expected === null) throw missingCount();
  const note = (ended: Ended) => {
    const facts = { userId: actor.user.id, ...factsOf(criteria), ...countsOf(ended) };
    deps.logger.info({ event: 'auth.sessions_revoked_by_super_admin', ...facts }, 'A super admin ended many sessions');
  };
  return revokeMatching(deps.database, actor, { criteria, expected, dryRun, note });
};

const missingCount = (): Refusal =>
  invalidInput({ expectedCount: 'Give the number of sessions that a dry run with this filter answers.' });

/** A dry run refused wherever the change would be: also where `expectedCount` is missing or another number. */
export const checkRevocation = async (
  deps: BulkDeps,
  actor: Actor,
  { filter, expectedCount }: Omit<FilterRevocation, 'dryRun'>,
): Promise<BulkRevocation> => {
  const found = await revokeSessions(deps, actor, { filter, dryRun: true });
  if (expectedCount === null || expectedCount === undefined) throw missingCount();
  requireExpected(expectedCount, found.sessions);
  return found;
};

/**
 * Ends every session whose snapshot is an organization, MCP pairs included, like {@link revokeSessions}.
 * @throws Refusal FORBIDDEN, LIMIT_REACHED; NOT_FOUND: there is no such organization
 */
export const revokeOrganizationSessions = async (
  deps: BulkDeps,
  actor: Actor,
  { organizationId: typed, dryRun }: { readonly organizationId: string; readonly dryRun: boolean },
): Promise<BulkRevocation> => {
  const organizationId = normalizeGivenId(typed);
  if (!isId(organizationId)) throw noSuchOrganization();
  const criteria = readSessionFilter({ organizationId });
  const note = (ended: Ended) => {
    const facts = { userId: actor.user.id, organizationId, ...countsOf(ended) };
    const line = { event: 'auth.organization_revoked_by_super_admin', ...facts } as const;
    deps.logger.info(line, 'A super admin ended every session in an organization');
  };
  return revokeMatching(deps.database, actor, { criteria, expected: null, dryRun, note }).catch(explainTarget);
};

/** So many sessions can be chosen one by one. */
export const mostChosen = 500;

/**
 * Ends chosen sessions in one transaction; those that have ended or do not exist are not counted.
 * @throws Refusal FORBIDDEN: without sessions:revoke; BAD_USER_INPUT: `sessionFamilyIds` are none, too many, or no ids
 */
export const revokeSessionFamilies = async (
  { database, logger }: BulkDeps,
  actor: Actor,
  { sessionFamilyIds, dryRun }: { readonly sessionFamilyIds: readonly string[]; readonly dryRun: boolean },
): Promise<BulkRevocation> => {
  const ids = [...new Set(sessionFamilyIds.map(normalizeGivenId))];
  requireValidInput({ sessionFamilyIds: chosenReason(ids) });
  if (dryRun) {
    return database.transaction(async (transaction) => {
      await authorizeSuperAdmin(transaction, actor, scope);
      const chosen = await lastOf(transaction, ids);
      return dryRunOf(actor, await transaction.many(listActiveFamilies, [chosen]), chosen);
    });
  }
  return durably(database, actor, async (transaction) => {
    await authorizeSuperAdmin(transaction, actor, scope);
    const ended = await end(transaction, actor, await lastOf(transaction, ids));
    const facts = { userId: actor.user.id, fields: ['sessionFamilyId'], ...countsOf(ended) };
    transaction.afterCommit(() =>
      logger.info({ event: 'auth.sessions_revoked_by_super_admin', ...facts }, 'A super admin ended many sessions'),
    );
    return ended;
  });
};

/** The sessions that switches of organization made of the chosen ones. */
const lastOf = async (transaction: Transaction, ids: readonly string[]): Promise<readonly string[]> => {
  const rows = await transaction.many(listLastSuccessors, [ids]);
  return [...new Set(rows.map(idOf))];
};

const chosenReason = (ids: readonly string[]): string | null => {
  if (ids.length === 0) return 'Give at least one id.';
  if (ids.length > mostChosen) return `Give at most ${mostChosen} ids at a time.`;
  return ids.map(idReason).find((found) => found !== null) ?? null;
};

const noSuchOrganization = (cause?: unknown): Refusal =>
  new Refusal('NOT_FOUND', 'There is no such organization.', { cause });

const explainTarget = (error: unknown): never => {
  const isUnknown = error instanceof Refusal && error.details.fields?.['organizationId'] !== undefined;
  throw isUnknown ? noSuchOrganization(error) : error;
};

const countsOf = ({ sessions, revokedCredentials }: Pick<BulkRevocation, 'sessions' | 'revokedCredentials'>) => ({
  sessions,
  revoked: revokedCredentials,
});

/** The filter without personal data: ids, enumerations, instants, and the names of all its fields. */
const factsOf = (criteria: SessionCriteria) => {
  const { user, organization, client } = criteria;
  return { fields: givenFields(criteria), revokedUserId: user, organizationId: organization, clientId: client };
};

interface Matching {
  readonly criteria: SessionCriteria;
  readonly expected: number | null;
  readonly dryRun: boolean;
  /** Writes the line of the log, once what ended is durable. */
  readonly note: (ended: Ended) => void;
}

const revokeMatching = (
  database: Database,
  actor: Actor,
  { criteria, expected, dryRun, note }: Matching,
): Promise<BulkRevocation> => {
  if (dryRun) return withNewDeadline(() => dryRunMatching(database, actor, criteria), waitLimits.bulkMillis);
  const work = async (transaction: Transaction): Promise<Ended> => {
    const ended = await endMatching(transaction, actor, criteria, expected);
    transaction.afterCommit(() => note(ended));
    return ended;
  };
  return withNewDeadline(() => durably(database, actor, work), waitLimits.bulkMillis);
};

type Ended = Omit<BulkRevocation, 'dryRun' | 'revokedAt'>;

const durably = async (
  database: Database,
  actor: Actor,
  work: (transaction: Transaction) => Promise<Ended>,
): Promise<BulkRevocation> => {
  const ended = await liveTransaction(database, actor, work);
  return { ...ended, dryRun: false, revokedAt: await databaseNow(database) };
};

/** The caller's row comes first, as for every other revocation. */
const endMatching = async (
  transaction: Transaction,
  actor: Actor,
  criteria: SessionCriteria,
  expected: number | null,
): Promise<Ended> => {
  await authorizeSuperAdmin(transaction, actor, scope);
  await transaction.many(lockBulkRevocations, []);
  const matching = await findMatching(transaction, criteria);
  requireExpected(expected, matching.length);
  const ended = await end(transaction, actor, matching.map(idOf));
  // Another revocation may have ended some of them meanwhile.
  requireExpected(expected, ended.sessions);
  return ended;
};

const end = async (transaction: Transaction, actor: Actor, ids: readonly string[]): Promise<Ended> => {
  const { sessions, revokedCredentials } = await endFamilies(transaction, ids, reason);
  return {
    sessions: sessions.size,
    revokedCredentials,
    endsOwnSession: ids.includes(actor.credential.sessionFamilyId),
  };
};

const dryRunMatching = (database: Database, actor: Actor, criteria: SessionCriteria): Promise<BulkRevocation> =>
  database.transaction(async (transaction) => {
    await authorizeSuperAdmin(transaction, actor, scope);
    const matching = await findMatching(transaction, criteria);
    return dryRunOf(actor, matching, matching.map(idOf));
  });

const dryRunOf = (actor: Actor, active: readonly MatchingRow[], ids: readonly string[]): BulkRevocation => {
  const revokedCredentials = active.reduce((sum, { credentials }) => sum + credentials, 0);
  const endsOwnSession = ids.includes(actor.credential.sessionFamilyId);
  return { dryRun: true, sessions: active.length, revokedCredentials, revokedAt: null, endsOwnSession };
};

const idOf = ({ sessionFamilyId }: { readonly sessionFamilyId: string }): string => sessionFamilyId;

interface MatchingRow {
  readonly sessionFamilyId: string;
  readonly credentials: number;
}

const findMatching = async (transaction: Transaction, criteria: SessionCriteria): Promise<readonly MatchingRow[]> => {
  const { sessions, isComplete } = await seek(transaction, criteria);
  if (sessions.length > maxCounted) {
    throw new Refusal(
      'LIMIT_REACHED',
      'More than 10,000 sessions match. End them in several calls, by further fields.',
    );
  }
  if (!isComplete) throw tooManyToRead();
  if (sessions.length === 0) await requireTargets(transaction, criteria);
  const active: MatchingRow[] = [];
  for (const some of chunksOf(sessions)) active.push(...(await transaction.many(listActiveFamilies, [some])));
  return active;
};

const requireExpected = (expected: number | null, count: number): void => {
  if (expected === null || expected === count) return;
  throw new Refusal('CONFLICT', 'Another number of sessions matches now. Look at them again.', { count });
};
