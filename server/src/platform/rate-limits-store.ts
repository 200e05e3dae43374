/** SQL of `rate_limits`: the pace that each subject of a limit has kept. */
import { statement } from './database/statement.ts';

export interface TakenTurn {
  /** 0: the turn is taken. Otherwise nothing was, and this is how long to wait. */
  readonly waitSeconds: number;
}

/**
 * Takes a turn, if there is one, in one conditional statement (the generic cell rate algorithm): each turn moves the
 * due instant on by $2 seconds, and it may lie at most $3 seconds ahead before another turn is taken.
 */
export const takeTurn = statement<TakenTurn, [key: string, secondsEach: number, secondsAhead: number]>(
  'rate_limits.take_turn',
  `WITH taken AS (
     INSERT INTO rate_limits AS r (key, due_at) VALUES ($1, now() + $2::float8 * interval '1 second')
     ON CONFLICT (key) DO UPDATE SET due_at = greatest(r.due_at, now()) + $2::float8 * interval '1 second'
     WHERE r.due_at <= now() + $3::float8 * interval '1 second'
     RETURNING 0 AS "waitSeconds")
   SELECT coalesce(
     (SELECT "waitSeconds" FROM taken),
     (SELECT greatest(1, ceil(extract(epoch FROM due_at - now()) - $3::float8))::integer
      FROM rate_limits WHERE key = $1),
     1) AS "waitSeconds"`,
);

/**
 * Deletes a few rows that mean nothing any more, which is the same as leaving them: a turn of one that is gone is the
 * first. Not those of the last minute, because the clock of a turn is the beginning of its transaction. Rows that are
 * just taken or swept are left to whoever has them.
 */
export const sweepTurns = statement<unknown, [mostRows: number]>(
  'rate_limits.sweep_turns',
  `DELETE FROM rate_limits WHERE key IN (
     SELECT key FROM rate_limits WHERE due_at < now() - interval '1 minute'
     ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
);
