-- A role that serves need not own the record of tool calls, nor be allowed to write it: this function writes it, with the
-- rights of its owner, and answers where in the chain each call stands. `append_mcp_tool_audits` stays for the version
-- before.

-- The function finds tables where they are now, whatever the caller's search path is; a temporary table comes last, so that
-- none stands in for a table of ours.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

CREATE FUNCTION record_mcp_tool_calls(ids uuid[], actors uuid[], credentials uuid[], clients uuid[], tools text[],
  outcomes text[], correlations uuid[], digests text[])
  RETURNS TABLE (correlation uuid, place bigint, link bytea) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path FROM CURRENT
  -- As in 0008: a plan made while the table was empty would read all of it for each call.
  SET enable_seqscan TO off AS $$
BEGIN
  PERFORM append_mcp_tool_audits(ids, actors, credentials, clients, tools, outcomes, correlations, digests);
  RETURN QUERY SELECT a.correlation_id, a.position, a.hash FROM mcp_tool_audits a
    WHERE a.correlation_id = ANY (correlations);
END
$$;
-- survived by 0.1.0: it does not know the function, and whoever migrates may go on calling it.
REVOKE ALL ON FUNCTION record_mcp_tool_calls FROM PUBLIC;
