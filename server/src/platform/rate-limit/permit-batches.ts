/**
 * Owns permits of one limit that requests of one turn of the event loop consume together: one statement counts all of
 * them, several of one subject in one row. While it is in flight, later permits wait for the next one.
 *
 * A permit is counted even if its request is cancelled meanwhile. When a statement fails, all of its requests fail with
 * it; none of them is served without a permit.
 */
import { getOrInsert } from '../../kernel/collections.ts';
import { newId } from '../../kernel/ids.ts';
import { type Queryable, statement } from '../database/database.ts';
import { Deadline, waitLimits } from '../database/deadlines.ts';
import { withContext } from '../observability/context.ts';
import { TurnBatch } from '../turn-batch.ts';
import type { Count, Pace } from './gcra.ts';

export class PermitBatches {
  readonly #database: Pick<Queryable, 'many'>;
  readonly #byLimit = new Map<string, TurnBatch<Count>>();

  constructor(database: Pick<Queryable, 'many'>) {
    this.#database = database;
  }

  /** @param key begins with the name of the limit @throws DatabaseUnavailable */
  consume(key: string, pace: Pace): Promise<Count> {
    const name = key.slice(0, key.indexOf(':'));
    return getOrInsert(this.#byLimit, name, () => batchOf(this.#database, pace)).get(key);
  }
}

const batchOf = (database: Pick<Queryable, 'many'>, pace: Pace): TurnBatch<Count> =>
  new TurnBatch({
    maximumInFlight: 1,
    run: async (requests) => {
      // A deadline of its own: a request of the batch may end before the statement does.
      const work = { correlationId: newId(), waits: new Deadline(waitLimits.requestMillis) };
      const granted = await withContext(work, () => grantTogether(database, pace, requests));
      return (key, nth) => countOf(granted.get(key), nth, pace);
    },
  });

/** The first of a subject's requests get its permits; each is told how far ahead the due instant was after its own. */
const countOf = (row: GrantedRow | undefined, nth: number, { each }: Pace): Count => {
  if (row === undefined) throw new Error('A permit was not counted');
  const { granted, secondsAhead, inWindow } = row;
  const isTaken = nth < granted;
  const later = isTaken ? granted - nth - 1 : 0;
  if (inWindow !== null) return { isTaken, secondsAhead, inWindow: inWindow - later };
  return { isTaken, secondsAhead: secondsAhead - later * each, inWindow };
};

const grantTogether = async (
  database: Pick<Queryable, 'many'>,
  { each, maxAhead, mostInWindow }: Pace,
  requests: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, GrantedRow>> => {
  const [keys, numbers] = [[...requests.keys()], [...requests.values()]];
  const rows =
    mostInWindow === 0
      ? await database.many(grantPermits, [keys, numbers, each, maxAhead])
      : await database.many(grantPermitsInWindow, [keys, numbers, each * mostInWindow, mostInWindow]);
  return new Map(rows.map((row) => [row.key, row]));
};

interface GrantedRow {
  readonly key: string;
  /** Number of permits that the subject got, at most as many as were requested. */
  readonly granted: number;
  readonly secondsAhead: number;
  readonly inWindow: number | null;
}

/**
 * Permits that are free at a due instant `ahead` seconds from now: $4 seconds is the furthest at which one more is.
 * Instants are whole microseconds, so a quotient may be slightly less than a whole number.
 */
const freeAt = (ahead: string): string => `floor(($4::float8 - ${ahead}) / $3::float8 + 0.000001)::integer + 1`;
const granted = `least(excluded.granted, ${freeAt('greatest(0, extract(epoch FROM r.due_at - now())::float8)')})`;

/**
 * Grants to each subject as many permits as are free (generic cell rate algorithm), in one upsert that holds the rows
 * in the order of their keys, so that two statements never wait for each other.
 */
const grantPermits = statement<
  GrantedRow,
  [keys: readonly string[], requested: readonly number[], secondsEach: number, maxSecondsAhead: number]
>(
  'rate_limits.grant_permits',
  `WITH wanted AS MATERIALIZED (
     SELECT key, least(requested, ${freeAt('0')}) AS granted
     FROM unnest($1::text[], $2::integer[]) AS w (key, requested)),
   taken AS (
     INSERT INTO rate_limits AS r (key, granted, due_at)
     SELECT key, granted, now() + granted * $3::float8 * interval '1 second' FROM wanted ORDER BY key
     ON CONFLICT (key) DO UPDATE SET granted = ${granted},
       due_at = greatest(r.due_at, now()) + ${granted} * $3::float8 * interval '1 second'
     WHERE r.due_at <= now() + $4::float8 * interval '1 second'
     RETURNING r.key, r.granted, extract(epoch FROM r.due_at - now())::float8 AS ahead)
   SELECT w.key, coalesce(t.granted, 0) AS granted, coalesce(
     t.ahead,
     (SELECT extract(epoch FROM r.due_at - now())::float8 FROM rate_limits r WHERE r.key = w.key),
     $4::float8 + $3::float8) AS "secondsAhead", NULL::integer AS "inWindow"
   FROM wanted w LEFT JOIN taken t ON t.key = w.key`,
);

const windowLength = "$3::float8 * interval '1 second'";
const permitsInWindow = `r.taken_at[width_bucket(now() - ${windowLength}, r.taken_at) + 1:]`;
const grantedInWindow = `least(excluded.granted, $4::integer - cardinality(${permitsInWindow}))`;
/** Never before the newest permit, whatever the statement waited for (migration 0011). */
const takenAt = 'greatest(now(), r.taken_at[cardinality(r.taken_at)])';

/** As {@link grantPermits}, of a sliding window: one is free while fewer than $4 were taken in the last $3 seconds. */
const grantPermitsInWindow = statement<
  GrantedRow,
  [keys: readonly string[], requested: readonly number[], windowSeconds: number, mostInWindow: number]
>(
  'rate_limits.grant_permits_in_window',
  `WITH wanted AS MATERIALIZED (
     SELECT key, least(requested, $4::integer) AS granted FROM unnest($1::text[], $2::integer[]) AS w (key, requested)),
   taken AS (
     INSERT INTO rate_limits AS r (key, granted, taken_at, due_at)
     SELECT key, granted, array_fill(now(), ARRAY[granted]), now() + ${windowLength} FROM wanted ORDER BY key
     ON CONFLICT (key) DO UPDATE SET granted = ${grantedInWindow},
       taken_at = ${permitsInWindow} || array_fill(${takenAt}, ARRAY[${grantedInWindow}]),
       due_at = ${takenAt} + ${windowLength}
     WHERE cardinality(${permitsInWindow}) < $4::integer
     RETURNING r.key, r.granted, cardinality(r.taken_at) AS number,
       extract(epoch FROM r.taken_at[1] + ${windowLength} - now())::float8 AS ahead)
   SELECT w.key, coalesce(t.granted, 0) AS granted, coalesce(t.number, $4::integer) AS "inWindow", coalesce(
     t.ahead,
     (SELECT extract(epoch FROM (${permitsInWindow})[1] + ${windowLength} - now())::float8
      FROM rate_limits r WHERE r.key = w.key),
     $3::float8) AS "secondsAhead"
   FROM wanted w LEFT JOIN taken t ON t.key = w.key`,
);
