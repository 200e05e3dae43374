/**
 * Owns whether the database was restored from a backup (decision 0087): where it is, by the system identifier and
 * timeline of its server and the ids of its objects, against what a process last noted in the database itself.
 */
import type { ScheduledJob } from '../jobs/scheduled-jobs.ts';
import type { Logger } from '../observability/logger.ts';
import { type Queryable, statement } from './database.ts';
import { sqlState } from './failure.ts';

/**
 * The database was created from a dump, its files are at another server, or its server is on another timeline and was
 * started after a process last noted the former one.
 */
type Change = 'DUMP' | 'SERVER' | 'TIMELINE';

/** A change that may be a restored backup. */
interface UnsettledChange {
  readonly change: Change;
  /** When a process last found the database where it was before. */
  readonly changedAfter: Date;
  /** Whether it was found by this note. */
  readonly isNew: boolean;
}

interface OriginRow {
  readonly change: Change | null;
  readonly changedAfter: Date | null;
  readonly isNew: boolean;
}

const here = `here AS MATERIALIZED (
     SELECT system_identifier::text, left(pg_walfile_name(pg_current_wal_lsn()), 8) AS timeline,
       (SELECT d.oid FROM pg_database d WHERE d.datname = current_database()) || ' ' || 'database_origin'::regclass::oid
         AS object_ids, pg_postmaster_start_time() AS started_at
     FROM pg_control_system())`;

/**
 * SQL: how the database at `h` differs from the noted row `o`. A server that was started before the last note received
 * it as a standby, so that a later timeline is a fail-over.
 */
const change = `CASE WHEN o.object_ids <> h.object_ids THEN 'DUMP'
       WHEN o.system_identifier <> h.system_identifier THEN 'SERVER'
       WHEN o.timeline <> h.timeline AND h.started_at >= o.seen_at THEN 'TIMELINE' END`;

const comparison = `coalesce(${change}, o.change) AS change, ${change} IS NOT NULL AS is_new,
       CASE WHEN ${change} IS NULL THEN o.changed_after ELSE o.seen_at END AS changed_after`;

/** Notes where the database is. Concurrent notes come one after the other, and one of them finds a change. */
const noteOrigin = statement<OriginRow>(
  'database.note_origin',
  `WITH ${here},
   held AS MATERIALIZED (SELECT o.* FROM database_origin o FOR UPDATE),
   compared AS (
     SELECT h.*, ${comparison} FROM here h LEFT JOIN held o ON true)
   INSERT INTO database_origin AS o (system_identifier, timeline, object_ids, seen_at, change, changed_after)
   SELECT system_identifier, timeline, object_ids, clock_timestamp(), change, changed_after FROM compared
   ON CONFLICT (is_only) DO UPDATE SET system_identifier = EXCLUDED.system_identifier, timeline = EXCLUDED.timeline,
     object_ids = EXCLUDED.object_ids, seen_at = greatest(o.seen_at, EXCLUDED.seen_at), change = EXCLUDED.change,
     changed_after = EXCLUDED.changed_after
   RETURNING o.change, o.changed_after AS "changedAfter", (SELECT is_new FROM compared) AS "isNew"`,
);

/** The same without a note. No row before the first start. */
const compareOrigin = statement<OriginRow>(
  'database.compare_origin',
  `WITH ${here}
   SELECT change, changed_after AS "changedAfter", is_new AS "isNew"
   FROM (SELECT ${comparison} FROM here h CROSS JOIN database_origin o) AS compared`,
);

const settleOrigin = statement(
  'database.settle_origin',
  'UPDATE database_origin SET change = NULL, changed_after = NULL WHERE change IS NOT NULL',
);

const unsettled = (row: OriginRow | null): UnsettledChange | null =>
  row === null || row.change === null || row.changedAfter === null
    ? null
    : { change: row.change, changedAfter: row.changedAfter, isNew: row.isNew };

/** A right, a function or a feature is missing, or the server is a standby. */
const notReported = new Set(['42501', '42883', '0A000', '55000']);

/** Not every PostgreSQL-compatible service tells where it is (`pg_control_system`). */
const unlessNotReported = async (reading: Promise<OriginRow | null>): Promise<UnsettledChange | null> => {
  try {
    return unsettled(await reading);
  } catch (error) {
    if (!notReported.has(sqlState(error) ?? '')) throw error;
    return null;
  }
};

/**
 * Notes where a PostgreSQL database is; files of the embedded engine look the same wherever they are copied to.
 * @returns the change that is not settled; null for none, and where the server does not tell
 */
export const observeOrigin = (database: Pick<Queryable, 'one'>): Promise<UnsettledChange | null> =>
  unlessNotReported(database.one(noteOrigin, []));

/** The same as {@link observeOrigin} in a session that writes nothing. */
export const examineOrigin = (session: Pick<Queryable, 'maybeOne'>): Promise<UnsettledChange | null> =>
  unlessNotReported(session.maybeOne(compareOrigin, []));

/** Call once the operator has dealt with the change. @returns whether there was one */
export const settleChange = async (database: Pick<Queryable, 'execute'>): Promise<boolean> =>
  (await database.execute(settleOrigin, [])) > 0;

const whatChanged: Readonly<Record<Change, string>> = {
  DUMP: 'was created from a dump or a template',
  SERVER: 'is at another server, to which its files were restored or upgraded',
  TIMELINE:
    'is on another timeline of its server, which was restored from a backup, or started again and then promoted',
};

/** One sentence for the operator, with the advice after a semicolon. */
export const sentenceOf = ({ change, changedAfter }: UnsettledChange): string =>
  `The database ${whatChanged[change]} after ${changedAfter.toISOString()}: after a backup was restored, what had ended since is accepted again; run gatehouse after-restore, or with --nothing-restored where no commit was lost.`;

/** The job that notes where the database is while processes run, so that a fail-over among them is known for one. */
export const originJob = (logger: Logger): ScheduledJob => ({
  name: 'database_origin',
  everySeconds: 60,
  deletes: false,
  purge: async (database) => {
    const found = await observeOrigin(database);
    if (found?.isNew === true) warnOfChange(logger, found);
    return 0;
  },
});

export const warnOfChange = (logger: Logger, found: UnsettledChange): void => {
  const { change, changedAfter } = found;
  logger.warn({ event: 'database.restored', change, changedAfter }, sentenceOf(found));
};
