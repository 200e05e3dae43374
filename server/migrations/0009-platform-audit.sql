-- The audit of Platform MCP: one row for each tools/call, each carrying the hash of the one before.

CREATE TABLE mcp_tool_audits (
  position bigint PRIMARY KEY CHECK (position > 0),
  id uuid NOT NULL UNIQUE,
  actor_user_id uuid NOT NULL,
  credential_id uuid NOT NULL,
  client_id uuid NOT NULL,
  tool text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('success', 'deny', 'error')),
  correlation_id uuid NOT NULL UNIQUE,
  argument_digest text NOT NULL,
  created_at timestamptz NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL
);
CREATE INDEX mcp_tool_audits_by_time ON mcp_tool_audits (created_at);
CREATE INDEX mcp_tool_audits_by_actor ON mcp_tool_audits (actor_user_id, position);

-- Whatever statement the service sends: what was recorded stays as it was recorded.
CREATE FUNCTION refuse_change_of_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER mcp_tool_audits_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON mcp_tool_audits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();

-- The function finds tables where they are now, whatever the caller's search path is; a temporary table comes last, so that
-- none stands in for a table of ours.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- The only way in, with the rights of its owner, since a role that serves need not be allowed to write the table;
-- `domain/audit/verify-tool-audits.ts` computes the same hashes on its own. The lock is the last one of every transaction, so
-- that the end of the chain is read by a statement that began after every row before it was committed. A call that is in the
-- chain already, or a second time in the batch, takes no position: a retry makes neither row nor gap. All rows of a batch have
-- one instant. Answers where in the chain each call stands.
CREATE FUNCTION record_mcp_tool_calls(ids uuid[], actors uuid[], credentials uuid[], clients uuid[],
  tools text[], outcomes text[], correlations uuid[], digests text[])
  RETURNS TABLE (correlation uuid, place bigint, link bytea) LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path FROM CURRENT
  -- A plan made while the table was empty would read all of it for each call.
  SET enable_seqscan TO off SET enable_sort TO off AS $$
DECLARE
  asked CONSTANT uuid[] := correlations;
  has_known boolean;
  end_of_chain bigint;
  spot bigint;
  own_hash bytea;
  moment timestamptz;
  instant text;
  contents text[];
  content text;
  hashes bytea[];
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('the chain of mcp_tool_audits', 0));
  SELECT a.position, a.hash INTO end_of_chain, own_hash FROM mcp_tool_audits a ORDER BY a.position DESC LIMIT 1;
  end_of_chain := coalesce(end_of_chain, 0);
  own_hash := coalesce(own_hash, decode(repeat('00', 32), 'hex'));

  has_known := EXISTS (SELECT FROM mcp_tool_audits a WHERE a.correlation_id = ANY (asked));
  IF has_known OR (SELECT count(DISTINCT each) FROM unnest(asked) AS each) < cardinality(asked) THEN
    SELECT array_agg(c.id ORDER BY turn), array_agg(c.actor ORDER BY turn), array_agg(c.credential ORDER BY turn),
        array_agg(c.client ORDER BY turn), array_agg(c.tool ORDER BY turn), array_agg(c.outcome ORDER BY turn),
        array_agg(c.correlation ORDER BY turn), array_agg(c.digest ORDER BY turn)
      INTO ids, actors, credentials, clients, tools, outcomes, correlations, digests
      FROM (SELECT DISTINCT ON (f.correlation) f.*
        FROM unnest(ids, actors, credentials, clients, tools, outcomes, correlations, digests) WITH ORDINALITY
          AS f (id, actor, credential, client, tool, outcome, correlation, digest, turn)
        WHERE NOT EXISTS (SELECT FROM mcp_tool_audits a WHERE a.correlation_id = f.correlation)
        ORDER BY f.correlation, f.turn) AS c;
  END IF;

  -- Every column but the position as text behind its length in bytes, so that no two rows are written alike; the text of a
  -- uuid has 36.
  moment := clock_timestamp();
  instant := (extract(epoch FROM moment) * 1000000)::bigint::text;
  instant := octet_length(instant) || ':' || instant;
  contents := ARRAY(SELECT '36:' || c.id || '36:' || c.actor || '36:' || c.credential || '36:' || c.client
      || octet_length(convert_to(c.tool, 'UTF8')) || ':' || c.tool || octet_length(c.outcome) || ':' || c.outcome
      || '36:' || c.correlation || octet_length(convert_to(c.digest, 'UTF8')) || ':' || c.digest || instant
    FROM unnest(ids, actors, credentials, clients, tools, outcomes, correlations, digests) WITH ORDINALITY
      AS c (id, actor, credential, client, tool, outcome, correlation, digest, turn) ORDER BY turn);

  hashes := ARRAY[own_hash];
  spot := end_of_chain;
  FOREACH content IN ARRAY contents LOOP
    spot := spot + 1;
    own_hash := sha256(own_hash || convert_to(length(spot::text) || ':' || spot || content, 'UTF8'));
    hashes := hashes || own_hash;
  END LOOP;

  RETURN QUERY INSERT INTO mcp_tool_audits AS a (position, id, actor_user_id, credential_id, client_id, tool, outcome,
      correlation_id, argument_digest, created_at, previous_hash, hash)
    SELECT end_of_chain + c.turn, c.id, c.actor, c.credential, c.client, c.tool, c.outcome, c.correlation, c.digest, moment,
        c.previous, c.own
      FROM unnest(ids, actors, credentials, clients, tools, outcomes, correlations, digests,
        hashes[:cardinality(contents)], hashes[2:]) WITH ORDINALITY
        AS c (id, actor, credential, client, tool, outcome, correlation, digest, previous, own, turn)
    RETURNING a.correlation_id, a.position, a.hash;

  IF has_known THEN
    RETURN QUERY SELECT a.correlation_id, a.position, a.hash FROM mcp_tool_audits a
      WHERE a.correlation_id = ANY (asked) AND a.position <= end_of_chain;
  END IF;
END
$$;
REVOKE ALL ON FUNCTION record_mcp_tool_calls FROM PUBLIC;
