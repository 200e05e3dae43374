-- Clients that name themselves by the URL of a metadata document (decision 0066). Such a client has a row like one that
-- registered itself, with what its document said last.

ALTER TABLE oauth_clients ADD COLUMN metadata_url text;
-- Null: there is no document to use, because its site said that it is gone or no longer valid.
ALTER TABLE oauth_clients ADD COLUMN document_fresh_until timestamptz;
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX IF NOT EXISTS oauth_clients_by_metadata_url ON oauth_clients (metadata_url)
  WHERE metadata_url IS NOT NULL;

-- The last attempt to fetch a document, where it failed: until then, no process fetches it again. Apart from the clients,
-- because a document that never arrived makes none.
CREATE TABLE oauth_document_failures (
  metadata_url text PRIMARY KEY,
  rule text NOT NULL,
  reason text NOT NULL,
  failed_until timestamptz NOT NULL
);

-- The steps that a browser takes in place of the client.
CREATE FUNCTION is_mcp_browser_step(step text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT $1 IN ('client_document', 'authorization', 'consent')
$$;

-- Many people use a client under the URL of one document, each from a machine of their own.
CREATE FUNCTION is_shared_mcp_client(client uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM oauth_clients k WHERE k.id = $1 AND k.metadata_url IS NOT NULL)
$$;

-- As in 0009 and 0017, with the step `client_document`, and with clients whose id names no single installation: their
-- steps are told apart by the origin.

CREATE OR REPLACE FUNCTION is_mcp_claim(seen mcp_sighting) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT seen.client IS NOT NULL AND seen.rule IS NOT NULL
    AND seen.step IN ('client_document', 'authorization', 'consent', 'token', 'refresh')
$$;

CREATE OR REPLACE FUNCTION is_mcp_connection_of(c mcp_connections, seen mcp_sighting) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT c.client_id = seen.client AND (
    NOT c.is_claimed AND NOT is_mcp_claim(seen) AND NOT is_shared_mcp_client(seen.client)
    OR c.network = seen.network AND (
      is_mcp_browser_step(seen.step) OR c.ip = seen.ip AND c.user_agent = seen.agent))
$$;

CREATE OR REPLACE FUNCTION mcp_connection_before_name(seen mcp_sighting) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    nameless_mcp_connection(seen.network, seen.ip, seen.agent, seen.first_at - interval '10 minutes'),
    (SELECT nameless_mcp_connection(k.network, k.ip, k.user_agent, seen.first_at - interval '10 minutes')
     FROM mcp_connections k WHERE k.client_id = seen.client AND is_mcp_connection_of(k, seen)
     ORDER BY k.last_step_at DESC, k.id DESC LIMIT 1),
    (SELECT (array_agg(c.id))[1] FROM mcp_connections c
     WHERE is_mcp_browser_step(seen.step) AND c.network = seen.network AND c.ip = seen.ip AND c.client_id IS NULL
       AND c.last_step_at > seen.first_at - interval '2 minutes'
     HAVING count(*) = 1))
$$;

CREATE OR REPLACE FUNCTION may_merge_mcp_connections(kept uuid, merged uuid, seen mcp_sighting) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT NOT is_mcp_claim(seen) AND NOT is_mcp_browser_step(seen.step)
    OR (k.network, k.ip, k.user_agent) = (m.network, m.ip, m.user_agent)
  FROM mcp_connections k, mcp_connections m WHERE k.id = kept AND m.id = merged
$$;

CREATE OR REPLACE FUNCTION note_mcp_connection_steps(fresh_ids uuid[], clients text[], ips text[], networks text[],
  agents text[], steps text[], places integer[], rules text[], details text[], first_ages double precision[],
  last_ages double precision[], counts integer[]) RETURNS void LANGUAGE plpgsql VOLATILE
  SET enable_seqscan TO off AS $$
DECLARE
  seen mcp_sighting;
  own uuid;
  touched uuid[] := '{}';
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('the steps of mcp_connections', 0));
  FOR seen IN
    SELECT n.id, nullif(n.client, '')::uuid, n.ip, n.network, n.agent, n.step, n.place, nullif(n.rule, ''), nullif(n.detail, ''),
      now() - n.first_age * interval '1 millisecond', now() - n.last_age * interval '1 millisecond', n.times
    FROM unnest(fresh_ids, clients, ips, networks, agents, steps, places, rules, details, first_ages, last_ages, counts)
      WITH ORDINALITY AS n (id, client, ip, network, agent, step, place, rule, detail, first_age, last_age, times, turn)
    ORDER BY n.turn
  LOOP
    own := mcp_connection_of(seen);
    -- A browser takes some of the steps; all others are the client's own.
    UPDATE mcp_connections c SET client_id = coalesce(seen.client, c.client_id),
        is_claimed = CASE WHEN seen.client IS NULL THEN c.is_claimed
          WHEN is_mcp_claim(seen) THEN c.is_claimed OR c.client_id IS NULL ELSE false END,
        last_step_at = greatest(c.last_step_at, seen.last_at),
        ip = CASE WHEN is_mcp_browser_step(seen.step) THEN c.ip ELSE seen.ip END,
        network = CASE WHEN is_mcp_browser_step(seen.step) THEN c.network ELSE seen.network END,
        user_agent = CASE WHEN is_mcp_browser_step(seen.step) THEN c.user_agent ELSE seen.agent END
      WHERE c.id = own;
    -- A connection with many different refusals keeps step and rule alone of the later ones.
    IF (SELECT count(*) FROM mcp_connection_steps s WHERE s.connection_id = own) >= 30 THEN seen.detail := NULL; END IF;
    INSERT INTO mcp_connection_steps AS s (connection_id, step, place, rule, detail, at, last_at, times)
      VALUES (own, seen.step, seen.place, seen.rule, seen.detail, seen.first_at, seen.last_at, seen.times)
      ON CONFLICT (connection_id, step, rule, detail) DO UPDATE SET at = least(s.at, excluded.at),
        last_at = greatest(s.last_at, excluded.last_at),
        times = least(s.times::bigint + excluded.times, 2147483647);
    touched := touched || own;
  END LOOP;
  PERFORM settle_mcp_connections(touched);
END
$$;
