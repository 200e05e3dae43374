-- How each attempt of a client to connect went, step by step, for seven days (decision 0015). Nothing here decides anything.
--
-- A plan that is made while a table is empty would read all of it for ever: functions that are called with each step turn
-- sequential scans off, and subqueries are arrays, which are computed once.

CREATE TABLE mcp_connections (
  id uuid PRIMARY KEY,
  -- No reference: a refusal for a client that is unknown here is shown too.
  client_id uuid,
  -- A refused caller may name any client: until a step proves more, the name is what this origin alone has said.
  is_claimed boolean NOT NULL DEFAULT false,
  ip text NOT NULL,
  -- The address, or the first 64 bits of one of IPv6: what one peer has for itself.
  network text NOT NULL,
  user_agent text NOT NULL CHECK (length(user_agent) <= 200),
  began_at timestamptz NOT NULL,
  last_step_at timestamptz NOT NULL,
  -- Computed by the last writer from the steps: computing it for each row took a second among 20,000 connections.
  status text NOT NULL DEFAULT 'UNFINISHED' CHECK (status IN ('CONNECTED', 'REFUSED', 'UNFINISHED'))
);
CREATE INDEX mcp_connections_by_time ON mcp_connections (last_step_at, id);
CREATE INDEX mcp_connections_by_network ON mcp_connections (network, last_step_at);
CREATE INDEX mcp_connections_by_client ON mcp_connections (client_id, last_step_at) WHERE client_id IS NOT NULL;

-- A step that comes again as it was is the same row.
CREATE TABLE mcp_connection_steps (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  connection_id uuid NOT NULL REFERENCES mcp_connections ON DELETE CASCADE,
  step text NOT NULL,
  -- In the order in which a client takes the steps.
  place integer NOT NULL,
  -- Null: the step was passed.
  rule text,
  -- Refused, and nothing has passed this step or a later one since.
  stands boolean NOT NULL DEFAULT false CHECK (rule IS NOT NULL OR NOT stands),
  detail text CHECK (length(detail) <= 300),
  at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  times integer NOT NULL,
  UNIQUE NULLS NOT DISTINCT (connection_id, step, rule, detail)
);

CREATE TYPE mcp_sighting AS (
  fresh_id uuid, client uuid, ip text, network text, agent text, step text, place integer, rule text, detail text,
  first_at timestamptz, last_at timestamptz, times integer
);

-- The steps that a browser takes in place of the client.
CREATE FUNCTION is_mcp_browser_step(step text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT $1 IN ('client_document', 'authorization', 'consent')
$$;

-- A refusal that came with a client id and nothing that belongs to the client.
CREATE FUNCTION is_mcp_claim(seen mcp_sighting) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT seen.client IS NOT NULL AND seen.rule IS NOT NULL
    AND seen.step IN ('client_document', 'authorization', 'consent', 'token', 'refresh')
$$;

-- Many people use a client under the URL of one metadata document, each from a machine of their own.
CREATE FUNCTION is_shared_mcp_client(client uuid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM oauth_clients k WHERE k.id = $1 AND k.metadata_url IS NOT NULL)
$$;

-- Whether a connection is one of the client that this step names. A claim is believed within its own origin alone, and
-- so is a connection that rests on claims: the record of another origin is not changed by it. A browser has a user agent of its
-- own, and is of the origin whose network it shares. The steps of a shared client are told apart by the origin.
CREATE FUNCTION is_mcp_connection_of(c mcp_connections, seen mcp_sighting) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT c.client_id = seen.client AND (
    NOT c.is_claimed AND NOT is_mcp_claim(seen) AND NOT is_shared_mcp_client(seen.client)
    OR c.network = seen.network AND (
      is_mcp_browser_step(seen.step) OR c.ip = seen.ip AND c.user_agent = seen.agent))
$$;

-- The attempt that an address and a user agent are at: their latest, unless it is over. Being asked for a token anew is
-- how the next attempt of a client begins that was known by name already.
CREATE FUNCTION mcp_connection_of_origin(seen mcp_sighting) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT latest.id FROM (
    SELECT c.id, c.client_id FROM mcp_connections c
    WHERE c.network = seen.network AND c.ip = seen.ip AND c.user_agent = seen.agent
      AND c.last_step_at > seen.first_at - interval '10 minutes'
    ORDER BY c.last_step_at DESC, c.id DESC LIMIT 1) AS latest
  WHERE latest.client_id IS NULL OR seen.step <> 'challenge' OR seen.rule IS NOT NULL
$$;

CREATE FUNCTION nameless_mcp_connection(network text, ip text, agent text, since timestamptz) RETURNS uuid
  LANGUAGE sql STABLE AS $$
  SELECT c.id FROM mcp_connections c
  WHERE c.network = $1 AND c.ip = $2 AND c.user_agent = $3 AND c.client_id IS NULL AND c.last_step_at > $4
  ORDER BY c.last_step_at DESC, c.id DESC LIMIT 1
$$;

-- The attempt that a client began before it said its name: by the origin of this step; by the one that the client had the
-- last time, because a browser takes the steps in between; or the only one that its address is just at.
CREATE FUNCTION mcp_connection_before_name(seen mcp_sighting) RETURNS uuid LANGUAGE sql STABLE AS $$
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

CREATE FUNCTION mcp_connection_of_client(seen mcp_sighting) RETURNS uuid LANGUAGE sql STABLE AS $$
  SELECT c.id FROM mcp_connections c
  WHERE c.client_id = seen.client AND is_mcp_connection_of(c, seen)
    AND c.last_step_at > seen.first_at - interval '15 minutes'
  ORDER BY c.last_step_at DESC, c.id DESC LIMIT 1
$$;

-- Two records turn out to be of one attempt. What came before the name was seen from the client itself.
CREATE FUNCTION merge_mcp_connections(kept uuid, merged uuid) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO mcp_connection_steps AS s (connection_id, step, place, rule, detail, at, last_at, times)
    SELECT kept, m.step, m.place, m.rule, m.detail, m.at, m.last_at, m.times FROM mcp_connection_steps m
    WHERE m.connection_id = merged ORDER BY m.at, m.position
    ON CONFLICT (connection_id, step, rule, detail) DO UPDATE SET at = least(s.at, excluded.at),
      last_at = greatest(s.last_at, excluded.last_at),
      times = least(s.times::bigint + excluded.times, 2147483647);
  UPDATE mcp_connections c SET ip = m.ip, network = m.network, user_agent = m.user_agent,
      began_at = least(c.began_at, m.began_at), last_step_at = greatest(c.last_step_at, m.last_step_at)
    FROM mcp_connections m WHERE m.id = merged AND c.id = kept;
  DELETE FROM mcp_connections WHERE id = merged;
END
$$;

-- A network keeps its 200 latest attempts of a day: a client that changes the user agent with every request fills no table.
CREATE FUNCTION begin_mcp_connection(seen mcp_sighting) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
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

-- A browser proves nothing of the client, and neither does a claim: then both records must be of one origin already.
CREATE FUNCTION may_merge_mcp_connections(kept uuid, merged uuid, seen mcp_sighting) RETURNS boolean
  LANGUAGE sql STABLE AS $$
  SELECT NOT is_mcp_claim(seen) AND NOT is_mcp_browser_step(seen.step)
    OR (k.network, k.ip, k.user_agent) = (m.network, m.ip, m.user_agent)
  FROM mcp_connections k, mcp_connections m WHERE k.id = kept AND m.id = merged
$$;

CREATE FUNCTION mcp_connection_of(seen mcp_sighting) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  own uuid;
  nameless uuid;
BEGIN
  IF seen.client IS NULL THEN
    own := coalesce(mcp_connection_of_origin(seen), mcp_connection_before_name(seen));
  ELSE
    own := mcp_connection_of_client(seen);
    nameless := mcp_connection_before_name(seen);
    IF may_merge_mcp_connections(own, nameless, seen) THEN PERFORM merge_mcp_connections(own, nameless); END IF;
    own := coalesce(own, nameless);
  END IF;
  RETURN coalesce(own, begin_mcp_connection(seen));
END
$$;

-- What the steps of these connections come to. Connected: a call was passed after the last refusal.
CREATE FUNCTION settle_mcp_connections(touched uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE mcp_connection_steps s SET stands = found.stands
    FROM (SELECT r.position, NOT EXISTS (
        SELECT FROM mcp_connection_steps p WHERE p.connection_id = r.connection_id AND p.rule IS NULL
          AND p.place >= r.place AND p.last_at > r.last_at) AS stands
      FROM mcp_connection_steps r WHERE r.connection_id = ANY(touched) AND r.rule IS NOT NULL) AS found
    WHERE s.position = found.position AND s.stands <> found.stands;
  UPDATE mcp_connections c SET status = found.status
    FROM (SELECT s.connection_id, CASE
        WHEN max(s.last_at) FILTER (WHERE s.step = 'call' AND s.rule IS NULL)
          > coalesce(max(s.last_at) FILTER (WHERE s.rule IS NOT NULL), '-infinity') THEN 'CONNECTED'
        WHEN bool_or(s.stands) THEN 'REFUSED'
        ELSE 'UNFINISHED' END AS status
      FROM mcp_connection_steps s WHERE s.connection_id = ANY(touched) GROUP BY s.connection_id) AS found
    WHERE c.id = found.connection_id AND c.status <> found.status;
END
$$;

-- The only way in: adds steps in this order, each to the attempt that it belongs to. Writers run one at a time, so each
-- statement sees what was written before; they touch no other table, so the lock is part of no order.
CREATE FUNCTION note_mcp_connection_steps(fresh_ids uuid[], clients text[], ips text[], networks text[],
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

-- Deletes a few attempts that are seven days old, or more than the 20,000 latest; answers how many.
CREATE FUNCTION forget_mcp_connections(most integer) RETURNS integer LANGUAGE plpgsql VOLATILE
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
