/** Owns rate limits counted in the database: the store and its SQL on the table `rate_limits`. */
import { type Queryable, statement } from '../database/database.ts';
import { deletingExpired } from '../jobs/scheduled-jobs.ts';
import type { Count, KeyedPermit, Pace, RateLimitStore } from './gcra.ts';
import { PermitBatches } from './permit-batches.ts';

/** Consumes a permit of a limit that is refilled evenly in a transaction, which commits or rolls it back. */
export const consumePermitIn = async (
  queryable: Pick<Queryable, 'one'>,
  key: string,
  { each, maxAhead }: Pace,
): Promise<Count> => ({ ...(await queryable.one(consumePermit, [key, each, maxAhead])), inWindow: null });

export const createDatabaseRateLimits = (database: Pick<Queryable, 'many'>): RateLimitStore => {
  const batches = new PermitBatches(database);
  return {
    consume: (key, pace) => batches.consume(key, pace),
    consumeAll: (permits) => consumeAllIn(database, permits),
    refundAll: (permits) => refundAllIn(database, permits),
  };
};

const consumeAllIn = async (
  database: Pick<Queryable, 'many'>,
  permits: readonly KeyedPermit[],
): Promise<readonly Count[]> => {
  const rows = await database.many(consumePermits, [
    permits.map(({ key }) => key),
    permits.map(({ pace }) => pace.each),
    permits.map(({ pace }) => pace.maxAhead),
    permits.map(({ pace }) => pace.mostInWindow),
  ]);
  return permits.map(({ key }) => {
    const row = rows.find((each) => each.key === key);
    if (row === undefined) throw new Error('A permit was not counted');
    return { isTaken: row.isFree, secondsAhead: row.secondsAhead, inWindow: row.inWindow };
  });
};

const refundAllIn = async (
  database: Pick<Queryable, 'many'>,
  permits: readonly KeyedPermit[],
): Promise<readonly Count[]> => {
  const rows = await database.many(refundPermits, [
    permits.map(({ key }) => key),
    permits.map(({ pace }) => pace.each),
    permits.map(({ pace }) => pace.mostInWindow),
  ]);
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  return permits.map(({ key, pace }) => {
    const { secondsAhead, inWindow } = rowOf.get(key) ?? untaken(pace);
    return { isTaken: true, secondsAhead, inWindow };
  });
};

/** The state of a limit without a row. */
const untaken = ({ mostInWindow }: Pace): Pick<RefundedRow, 'secondsAhead' | 'inWindow'> => ({
  secondsAhead: 0,
  inWindow: mostInWindow === 0 ? null : 0,
});

/**
 * Consumes a permit, if one is left (generic cell rate algorithm): each advances the due instant by $2 seconds; it may
 * be at most $3 seconds ahead for another to be taken.
 */
const consumePermit = statement<Omit<Count, 'inWindow'>, [key: string, secondsEach: number, maxSecondsAhead: number]>(
  'rate_limits.consume_permit',
  `WITH taken AS (
     INSERT INTO rate_limits AS r (key, due_at) VALUES ($1, now() + $2::float8 * interval '1 second')
     ON CONFLICT (key) DO UPDATE SET due_at = greatest(r.due_at, now()) + $2::float8 * interval '1 second'
     WHERE r.due_at <= now() + $3::float8 * interval '1 second'
     RETURNING extract(epoch FROM due_at - now())::float8 AS ahead)
   SELECT EXISTS (SELECT FROM taken) AS "isTaken", coalesce(
     (SELECT ahead FROM taken),
     (SELECT extract(epoch FROM due_at - now())::float8 FROM rate_limits WHERE key = $1),
     $3::float8 + 1) AS "secondsAhead"`,
);

interface PermitRow {
  readonly key: string;
  /** Whether there was a permit. When one of several had none, none was taken. */
  readonly isFree: boolean;
  readonly secondsAhead: number;
  readonly inWindow: number | null;
}

/** Consumes permits of several limits, all or none; see migration 0011. */
const consumePermits = statement<
  PermitRow,
  [
    keys: readonly string[],
    secondsEach: readonly number[],
    maxSecondsAhead: readonly number[],
    mostInWindow: readonly number[],
  ]
>(
  'rate_limits.take_permits',
  `SELECT permit_key AS key, is_free AS "isFree", seconds_ahead AS "secondsAhead", in_window AS "inWindow"
   FROM take_rate_limit_permits($1::text[], $2::float8[], $3::float8[], $4::integer[])`,
);

type RefundedRow = Omit<PermitRow, 'isFree'>;

/** Refunds permits of different keys; see migration 0011. */
const refundPermits = statement<
  RefundedRow,
  [keys: readonly string[], secondsEach: readonly number[], mostInWindow: readonly number[]]
>(
  'rate_limits.refund_permits',
  `SELECT permit_key AS key, seconds_ahead AS "secondsAhead", in_window AS "inWindow"
   FROM refund_rate_limit_permits($1::text[], $2::float8[], $3::integer[])`,
);

/** Remembers a key for $2 seconds from now; for a key already known, a row is written at most once a day. */
export const remember = statement<unknown, [key: string, seconds: number]>(
  'rate_limits.remember',
  `INSERT INTO rate_limits AS r (key, due_at) VALUES ($1, now() + $2::float8 * interval '1 second')
   ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at WHERE r.due_at < excluded.due_at - interval '1 day'`,
);

export const isRemembered = statement<{ readonly is: boolean }, [key: string]>(
  'rate_limits.is_remembered',
  `SELECT EXISTS (SELECT FROM rate_limits WHERE key = $1 AND due_at > now()) AS is`,
);

/** Rows without effect, a minute later: the clock of a permit is the start of its transaction. */
export const purgePermits = deletingExpired('rate_limits', 'key', 'due_at', [`due_at < now() - interval '1 minute'`]);
