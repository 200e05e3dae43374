-- A plan that was made while the tables were empty reads all rows, and evaluates a subquery once for each of them: with
-- 20,000 connections one step then took minutes, and a cleanup deleted more rows than its limit. The functions use
-- indexes as in 0008, and each subquery is an array that is computed once.

CREATE OR REPLACE FUNCTION begin_mcp_connection(seen mcp_sighting) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  DELETE FROM mcp_connections WHERE id = ANY (ARRAY(
    SELECT c.id FROM mcp_connections c
    WHERE c.network = seen.network AND c.last_step_at > seen.first_at - interval '1 day'
    ORDER BY c.last_step_at DESC OFFSET 199));
  INSERT INTO mcp_connections (id, client_id, is_claimed, ip, network, user_agent, began_at, last_step_at)
    VALUES (seen.fresh_id, seen.client, is_mcp_claim(seen), seen.ip, seen.network, seen.agent, seen.first_at, seen.last_at);
  RETURN seen.fresh_id;
END
$$;

CREATE OR REPLACE FUNCTION forget_mcp_connections(most integer) RETURNS integer LANGUAGE plpgsql VOLATILE
  SET enable_seqscan TO off AS $$
DECLARE
  deleted integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('the steps of mcp_connections', 0));
  DELETE FROM mcp_connections WHERE id = ANY (ARRAY(
    SELECT c.id FROM mcp_connections c
    WHERE c.last_step_at <= greatest(now() - interval '7 days', coalesce((
      SELECT o.last_step_at FROM mcp_connections o ORDER BY o.last_step_at DESC, o.id DESC OFFSET 20000 LIMIT 1),
      '-infinity'))
    ORDER BY c.last_step_at LIMIT most FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;

ALTER FUNCTION note_mcp_connection_steps SET enable_seqscan TO off;
