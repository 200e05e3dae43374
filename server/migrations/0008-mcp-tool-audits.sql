-- The record of MCP tool calls: one row for each tools/call, each carrying the hash of the one before.

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

-- The only way in; `domain/audit/verify-tool-audits.ts` computes the same hashes on its own. The lock is the last one of
-- every transaction, so the end of the chain is read by a statement that began after every row before it was committed.
-- A call that stands in the chain already is left out and takes no position: a retry makes neither row nor gap. Plans are
-- kept, and one that was made while the table was empty would read all of it for each call: so none may.
CREATE FUNCTION append_mcp_tool_audits(ids uuid[], actors uuid[], credentials uuid[], clients uuid[], tools text[],
  outcomes text[], correlations uuid[], digests text[]) RETURNS void LANGUAGE plpgsql VOLATILE
  SET enable_seqscan TO off SET enable_sort TO off AS $$
DECLARE
  place bigint;
  link bytea;
  own_hash bytea;
  moment timestamptz;
  called record;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('the chain of mcp_tool_audits', 0));
  SELECT a.position, a.hash INTO place, link FROM mcp_tool_audits a ORDER BY a.position DESC LIMIT 1;
  place := coalesce(place, 0);
  link := coalesce(link, decode(repeat('00', 32), 'hex'));
  FOR called IN
    SELECT * FROM unnest(ids, actors, credentials, clients, tools, outcomes, correlations, digests) WITH ORDINALITY
      AS c (id, actor, credential, client, tool, outcome, correlation, digest, turn) ORDER BY turn
  LOOP
    moment := clock_timestamp();
    -- Every column as text behind its length in bytes, so that no two rows are written alike.
    SELECT sha256(link || convert_to(string_agg(octet_length(convert_to(part, 'UTF8')) || ':' || part, '' ORDER BY turn), 'UTF8'))
      INTO own_hash
      FROM unnest(ARRAY[(place + 1)::text, called.id::text, called.actor::text, called.credential::text, called.client::text,
        called.tool, called.outcome, called.correlation::text, called.digest,
        (extract(epoch FROM moment) * 1000000)::bigint::text]) WITH ORDINALITY AS columns (part, turn);
    INSERT INTO mcp_tool_audits (position, id, actor_user_id, credential_id, client_id, tool, outcome, correlation_id,
        argument_digest, created_at, previous_hash, hash)
      VALUES (place + 1, called.id, called.actor, called.credential, called.client, called.tool, called.outcome,
        called.correlation, called.digest, moment, link, own_hash)
      ON CONFLICT (correlation_id) DO NOTHING;
    CONTINUE WHEN NOT FOUND;
    place := place + 1;
    link := own_hash;
  END LOOP;
END
$$;
