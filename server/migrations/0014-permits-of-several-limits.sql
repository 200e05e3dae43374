-- Permits of several limits, all or none, in one call: a network and the site that it belongs to are counted together.
--
-- The first statement holds the rows in the order of their keys, so that two calls never wait for each other in a circle,
-- and the second sees what was committed before. A refused call leaves no row behind: anyone can make one.
CREATE FUNCTION take_rate_limit_permits(keys text[], seconds_each float8[], most_seconds_ahead float8[])
RETURNS TABLE (permit_key text, is_free boolean, seconds_ahead float8) LANGUAGE sql VOLATILE AS $$
  INSERT INTO rate_limits AS r (key, due_at)
    SELECT wanted.key, now() FROM unnest(keys) AS wanted (key) ORDER BY wanted.key
    ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at WHERE r.due_at < excluded.due_at;
  WITH judged AS MATERIALIZED (
    SELECT r.key, r.due_at, wanted.each, r.due_at <= now() + wanted.most * interval '1 second' AS is_free
    FROM unnest(keys, seconds_each, most_seconds_ahead) AS wanted (key, each, most)
    JOIN rate_limits r ON r.key = wanted.key),
  verdict AS MATERIALIZED (SELECT bool_and(judged.is_free) AS is_taken FROM judged),
  taken AS (
    UPDATE rate_limits r SET due_at = r.due_at + judged.each * interval '1 second'
    FROM judged, verdict WHERE r.key = judged.key AND verdict.is_taken
    RETURNING r.key, r.due_at),
  emptied AS (
    DELETE FROM rate_limits r USING judged, verdict
    WHERE r.key = judged.key AND judged.due_at <= now() AND NOT verdict.is_taken)
  SELECT judged.key, judged.is_free, extract(epoch FROM coalesce(taken.due_at, judged.due_at) - now())::float8
  FROM judged LEFT JOIN taken ON taken.key = judged.key;
$$;
