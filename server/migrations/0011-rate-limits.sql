-- How often something was done lately: one row for each limit and subject.

-- Counts are worth no wait for a disk: a permit is taken on most requests that change something. After a crash of the server
-- the table is empty, which is the same as if every subject had rested for an hour.
CREATE UNLOGGED TABLE rate_limits (
  key text PRIMARY KEY,
  -- The instant at which the subject would have been due, had it kept to the limit's pace. Rows whose instant is past mean
  -- nothing, and are swept.
  due_at timestamptz NOT NULL,
  -- How many permits of one limit a statement granted to the subject (`platform/rate-limit/permit-batches.ts`): RETURNING
  -- shows only the new row, from which that number cannot be told. No other statement reads it.
  granted integer,
  -- Of a limit of which no hour has more than a number, whenever it begins: the instants of its permits, in the order in which
  -- they were taken. An instant is never before the one ahead of it, whatever a statement waited for, so that a window counts
  -- every permit that was taken in it. Other limits keep an empty list.
  taken_at timestamptz[] NOT NULL DEFAULT '{}'
);
CREATE INDEX rate_limits_by_due_at ON rate_limits (due_at);

-- The functions are in PL/pgSQL, which keeps their plans: one in SQL is planned anew with each call, which took more time than
-- its statements. A permit's rows are few and found by key, whatever the size of the table.

-- Permits of several limits, all or none: a network and the site that it belongs to are counted together. `most_in_window` is 0
-- for a limit that is refilled evenly; the window of another is as long as so many times `seconds_each`.
--
-- The first statement holds the rows in the order of their keys, so that two calls never wait for each other in a circle,
-- and the second sees what was committed before. A refused call leaves no row behind: anyone can make one.
CREATE FUNCTION take_rate_limit_permits(keys text[], seconds_each float8[], most_seconds_ahead float8[],
  most_in_window integer[])
RETURNS TABLE (permit_key text, is_free boolean, seconds_ahead float8, in_window integer) LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO rate_limits AS r (key, due_at)
    SELECT wanted.key, now() FROM unnest(keys) AS wanted (key) ORDER BY wanted.key
    ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at WHERE r.due_at < excluded.due_at;
  RETURN QUERY WITH counted AS MATERIALIZED (
    SELECT r.key, r.due_at, wanted.each * interval '1 second' AS each, wanted.ahead * interval '1 second' AS ahead,
      nullif(wanted.slots, 0) AS slots, wanted.slots * wanted.each * interval '1 second' AS length, r.taken_at
    FROM unnest(keys, seconds_each, most_seconds_ahead, most_in_window) AS wanted (key, each, ahead, slots)
    JOIN rate_limits r ON r.key = wanted.key),
  judged AS MATERIALIZED (
    SELECT c.key, c.due_at, c.each, c.slots, c.length, live.permits,
      CASE WHEN c.slots IS NULL THEN c.due_at <= now() + c.ahead ELSE cardinality(live.permits) < c.slots END AS has_one
    FROM counted c CROSS JOIN LATERAL (
      SELECT c.taken_at[width_bucket(now() - c.length, c.taken_at) + 1:] AS permits) AS live),
  verdict AS MATERIALIZED (SELECT bool_and(judged.has_one) AS is_taken FROM judged),
  taken AS (
    UPDATE rate_limits r SET
      due_at = CASE WHEN judged.slots IS NULL THEN r.due_at + judged.each ELSE moment.at + judged.length END,
      taken_at = CASE WHEN judged.slots IS NULL THEN r.taken_at ELSE judged.permits || moment.at END
    FROM judged
      CROSS JOIN LATERAL (SELECT greatest(now(), judged.permits[cardinality(judged.permits)]) AS at) AS moment
      CROSS JOIN verdict
    WHERE r.key = judged.key AND verdict.is_taken
    RETURNING r.key, r.due_at, r.taken_at),
  emptied AS (
    DELETE FROM rate_limits r USING judged, verdict
    WHERE r.key = judged.key AND judged.due_at <= now() AND NOT verdict.is_taken)
  SELECT judged.key, judged.has_one, extract(epoch FROM
      CASE WHEN judged.slots IS NULL THEN coalesce(taken.due_at, judged.due_at)
        ELSE coalesce((coalesce(taken.taken_at, judged.permits))[1] + judged.length, now()) END - now())::float8,
    CASE WHEN judged.slots IS NOT NULL THEN cardinality(coalesce(taken.taken_at, judged.permits)) END
  FROM judged LEFT JOIN taken ON taken.key = judged.key;
END
$$;

-- Refunds permits of different keys. A permit without a row has already been restored by time. The rows are held in the order of
-- their keys, as by the statements that take permits; the second statement sees what was committed before. Which permit of a
-- window is refunded is not known, only that it was taken in the last minute: the oldest of these goes, so that no other counts
-- for less time than it should.
CREATE FUNCTION refund_rate_limit_permits(keys text[], seconds_each float8[], most_in_window integer[])
RETURNS TABLE (permit_key text, seconds_ahead float8, in_window integer) LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  held text[] := ARRAY(
    SELECT r.key FROM rate_limits r WHERE r.key = ANY (keys) AND r.due_at > now() ORDER BY r.key FOR UPDATE);
BEGIN
  RETURN QUERY WITH counted AS MATERIALIZED (
    SELECT r.key, refunded.each * interval '1 second' AS each, nullif(refunded.slots, 0) AS slots,
      refunded.slots * refunded.each * interval '1 second' AS length, r.taken_at
    FROM unnest(keys, seconds_each, most_in_window) AS refunded (key, each, slots)
    JOIN rate_limits r ON r.key = refunded.key WHERE r.key = ANY (held)),
  kept AS MATERIALIZED (
    SELECT c.key, c.each, c.slots, c.length,
      c.taken_at[place.gone + 1:place.before] || c.taken_at[greatest(place.gone, place.before + 1) + 1:] AS permits
    FROM counted c CROSS JOIN LATERAL (
      SELECT width_bucket(now() - c.length, c.taken_at) AS gone,
        width_bucket(now() - interval '1 minute', c.taken_at) AS before) AS place)
  UPDATE rate_limits r SET
    due_at = CASE WHEN kept.slots IS NULL THEN greatest(now(), r.due_at - kept.each)
      ELSE coalesce(kept.permits[cardinality(kept.permits)] + kept.length, now()) END,
    taken_at = CASE WHEN kept.slots IS NULL THEN r.taken_at ELSE kept.permits END
  FROM kept WHERE r.key = kept.key
  RETURNING r.key, extract(epoch FROM
      CASE WHEN kept.slots IS NULL THEN r.due_at ELSE coalesce(r.taken_at[1] + kept.length, now()) END - now())::float8,
    CASE WHEN kept.slots IS NOT NULL THEN cardinality(r.taken_at) END;
END
$$;
