/**
 * Metrics of sessions begun and credentials revoked, counted at the SQL statements, which every surface goes through.
 */
import { isRecord } from '../../kernel/records.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { SqlValue } from '../../platform/database/statement.ts';
import type { Counts } from '../../platform/observability/metrics.ts';
import { issuePair, revocationReasons, revokeFamily, revokeOthers, revokeUser } from './credentials-store.ts';

type SessionTallies = Pick<Counts, 'sessionsBegun' | 'revocations' | 'revokedCredentials'>;

/**
 * Wraps a database so that the sessions that its transactions begin and revoke are counted after the commit. Returns
 * the database unchanged when `counts` is null.
 */
export const countSessions = (database: Database, counts: SessionTallies | null): Database =>
  counts === null ? database : counting(database, withEveryReason(counts));

/** Registers every reason at zero, so that an alert can see the first revocation for theft as an increase. */
const withEveryReason = (counts: SessionTallies): SessionTallies => {
  for (const reason of revocationReasons) counts.revocations.at(reason);
  return counts;
};

const counting = (database: Database, counts: SessionTallies): Database => ({
  engine: database.engine,
  lookups: database.lookups,
  many: (statement, params) => database.many(statement, params),
  maybeOne: (statement, params) => database.maybeOne(statement, params),
  one: (statement, params) => database.one(statement, params),
  execute: (statement, params) => database.execute(statement, params),
  transaction: (work) => database.transaction((transaction) => work(counted(transaction, counts))),
  ping: () => database.ping(),
  stats: () => database.stats(),
  close: () => database.close(),
});

const revoking: ReadonlySet<string> = new Set([revokeFamily.name, revokeOthers.name, revokeUser.name]);

const counted = (transaction: Transaction, counts: SessionTallies): Transaction => ({
  many: (statement, params) => transaction.many(statement, params),
  execute: (statement, params) => transaction.execute(statement, params),
  afterCommit: (effect) => transaction.afterCommit(effect),
  one: async (statement, params) => {
    const row = await transaction.one(statement, params);
    if (revoking.has(statement.name)) transaction.afterCommit(() => countRevocation(counts, params, row));
    return row;
  },
  maybeOne: async (statement, params) => {
    const row = await transaction.maybeOne(statement, params);
    const isIssue = statement.name === issuePair.name && row !== null;
    if (isIssue) transaction.afterCommit(() => countSession(counts, params));
    return row;
  },
});

/** A revocation that revoked no credential is not counted. */
const countRevocation = (
  { revocations, revokedCredentials }: SessionTallies,
  [, reason]: readonly SqlValue[],
  row: unknown,
): void => {
  if (!isRecord(row) || typeof row['revokedCredentials'] !== 'number' || row['revokedCredentials'] === 0) return;
  revocations.at(String(reason)).value += 1;
  revokedCredentials.at(String(reason)).value += row['revokedCredentials'];
};

/** A switch to another organization continues the session, so it is not counted as a new one. */
const countSession = ({ sessionsBegun }: SessionTallies, params: readonly SqlValue[]): void => {
  const [audience, authMethod, succeededFamilyId] = params.slice(placeOfAudience);
  if (succeededFamilyId === null) sessionsBegun.at(String(authMethod), String(audience)).value += 1;
};

/** Index of the audience among the parameters of `issuePair`: after those of the pair, the user and the lifetime. */
const placeOfAudience = 10;
