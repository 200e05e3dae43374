-- A function in SQL is planned anew with each call, which took more time than its statements; one in PL/pgSQL keeps its
-- plans. A permit's rows are few and found by key, whatever the size of the table.
--
-- The permits of several limits, all or none, as in 0014.
CREATE OR REPLACE FUNCTION take_rate_limit_permits(keys text[], seconds_each float8[], most_seconds_ahead float8[])
RETURNS TABLE (permit_key text, is_free boolean, seconds_ahead float8) LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  INSERT INTO rate_limits AS r (key, due_at)
    SELECT wanted.key, now() FROM unnest(keys) AS wanted (key) ORDER BY wanted.key
    ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at WHERE r.due_at < excluded.due_at;
  RETURN QUERY WITH judged AS MATERIALIZED (
    SELECT r.key, r.due_at, wanted.each, r.due_at <= now() + wanted.most * interval '1 second' AS has_one
    FROM unnest(keys, seconds_each, most_seconds_ahead) AS wanted (key, each, most)
    JOIN rate_limits r ON r.key = wanted.key),
  verdict AS MATERIALIZED (SELECT bool_and(judged.has_one) AS is_taken FROM judged),
  taken AS (
    UPDATE rate_limits r SET due_at = r.due_at + judged.each * interval '1 second'
    FROM judged, verdict WHERE r.key = judged.key AND verdict.is_taken
    RETURNING r.key, r.due_at),
  emptied AS (
    DELETE FROM rate_limits r USING judged, verdict
    WHERE r.key = judged.key AND judged.due_at <= now() AND NOT verdict.is_taken)
  SELECT judged.key, judged.has_one, extract(epoch FROM coalesce(taken.due_at, judged.due_at) - now())::float8
  FROM judged LEFT JOIN taken ON taken.key = judged.key;
END
$$;

-- Refunds permits of different keys. A permit without a row has already been restored by time. The rows are held in the
-- order of their keys, as by the statements that take permits.
CREATE OR REPLACE FUNCTION refund_rate_limit_permits(keys text[], seconds_each float8[])
RETURNS TABLE (permit_key text, seconds_ahead float8) LANGUAGE plpgsql VOLATILE
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  RETURN QUERY WITH held AS MATERIALIZED (
    SELECT r.key FROM rate_limits r WHERE r.key = ANY (keys) AND r.due_at > now() ORDER BY r.key FOR UPDATE)
  UPDATE rate_limits r SET due_at = greatest(now(), r.due_at - refunded.each * interval '1 second')
  FROM held JOIN unnest(keys, seconds_each) AS refunded (key, each) ON refunded.key = held.key
  WHERE r.key = held.key
  RETURNING r.key, extract(epoch FROM r.due_at - now())::float8;
END
$$;
