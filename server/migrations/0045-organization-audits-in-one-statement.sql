-- A batch of rows for the audits of organizations is written by one INSERT, as tool calls are since 0020: a call of the MCP
-- of an organization is answered only when its row is durable. Each row still carries the hash of the one before in its
-- chain, over the same text as in 0038.

-- As in 0016: the function finds tables where they are now, and a temporary table comes last.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- The locks of chains come after all others of a transaction but that of tool calls, in the order of the organizations, so
-- that the ends of the chains are read by a statement that began after every row before was committed. All rows of a batch
-- have one instant.
CREATE OR REPLACE FUNCTION append_organization_audits(ids uuid[], organizations uuid[], events text[], outcomes text[],
  actor_kinds text[], actors uuid[], credentials uuid[], clients uuid[], tools text[], subjects uuid[],
  subject_users uuid[], correlations uuid[], all_details text[]) RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path FROM CURRENT
  -- As in 0008: a plan made while the table was empty would read all of it for each row. One plan is kept for a batch of any
  -- size: to make another for each batch costs more than a row.
  SET enable_seqscan TO off SET plan_cache_mode TO force_generic_plan AS $$
DECLARE
  entry record;
  chain uuid;
  place bigint;
  link bytea;
  moment timestamptz;
  instant text;
  turns bigint[] := '{}';
  places bigint[] := '{}';
  salts uuid[] := '{}';
  digests text[] := '{}';
  links bytea[] := '{}';
  hashes bytea[] := '{}';
BEGIN
  FOR chain IN SELECT DISTINCT o.id FROM unnest(organizations) AS o (id) ORDER BY o.id LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('the audit of organization ' || chain, 0));
  END LOOP;
  chain := NULL;
  moment := clock_timestamp();
  instant := (extract(epoch FROM moment) * 1000000)::bigint::text;
  instant := length(instant) || ':' || instant;

  -- Every column after the position as text behind its length in bytes, and a null as a dash, so that no two rows are written
  -- alike; the text of a uuid has 36, and that of a digest 64.
  FOR entry IN
    SELECT s.turn, s.organization, s.salt, s.digest, a.position AS end_of_chain, a.hash AS end_hash,
        convert_to('36:' || s.id || octet_length(convert_to(s.event, 'UTF8')) || ':' || s.event
          || octet_length(convert_to(s.outcome, 'UTF8')) || ':' || s.outcome
          || coalesce(octet_length(convert_to(s.actor_kind, 'UTF8')) || ':' || s.actor_kind, '-')
          || coalesce('36:' || s.actor, '-') || coalesce('36:' || s.credential, '-') || coalesce('36:' || s.client, '-')
          || coalesce(octet_length(convert_to(s.tool, 'UTF8')) || ':' || s.tool, '-')
          || coalesce('36:' || s.subject, '-') || coalesce('36:' || s.subject_user, '-')
          || '36:' || s.correlation || instant || '64:' || s.digest, 'UTF8') AS content
      FROM (
        SELECT e.*, encode(sha256(convert_to(e.salt || e.details, 'UTF8')), 'hex') AS digest
          FROM (
            SELECT f.*, gen_random_uuid() AS salt
              FROM unnest(ids, organizations, events, outcomes, actor_kinds, actors, credentials, clients, tools, subjects,
                subject_users, correlations, all_details) WITH ORDINALITY
                AS f (id, organization, event, outcome, actor_kind, actor, credential, client, tool, subject, subject_user,
                  correlation, details, turn)
          ) AS e OFFSET 0
      ) AS s
      LEFT JOIN LATERAL (
        SELECT r.position, r.hash FROM organization_audits r WHERE r.organization_id = s.organization
          ORDER BY r.organization_id DESC, r.position DESC LIMIT 1
      ) AS a ON true
      ORDER BY s.organization, s.turn
  LOOP
    IF chain IS DISTINCT FROM entry.organization THEN
      chain := entry.organization;
      place := coalesce(entry.end_of_chain, 0);
      link := coalesce(entry.end_hash, decode(repeat('00', 32), 'hex'));
    END IF;
    place := place + 1;
    turns := turns || entry.turn;
    places := places || place;
    salts := salts || entry.salt;
    digests := digests || entry.digest;
    links := links || link;
    link := sha256(link || convert_to('36:' || chain || length(place::text) || ':' || place, 'UTF8') || entry.content);
    hashes := hashes || link;
  END LOOP;

  -- Details of a person who is gone are not kept: the erasure of theirs held the lock of the chain before. Each person is
  -- looked up by id, whatever plan is kept.
  INSERT INTO organization_audits (organization_id, position, id, event, outcome, actor_kind, actor_id, credential_id,
      client_id, tool, subject_id, subject_user_id, correlation_id, created_at, details, details_salt, details_digest,
      previous_hash, hash)
    SELECT e.organization, r.place, e.id, e.event, e.outcome, e.actor_kind, e.actor, e.credential, e.client, e.tool,
        e.subject, e.subject_user, e.correlation, moment, CASE WHEN p.is_erased IS NOT TRUE THEN e.details END,
        CASE WHEN p.is_erased IS NOT TRUE THEN r.salt END, r.digest, r.previous, r.own
      FROM unnest(turns, places, salts, digests, links, hashes) AS r (turn, place, salt, digest, previous, own)
      JOIN unnest(ids, organizations, events, outcomes, actor_kinds, actors, credentials, clients, tools, subjects,
        subject_users, correlations, all_details) WITH ORDINALITY
        AS e (id, organization, event, outcome, actor_kind, actor, credential, client, tool, subject, subject_user,
          correlation, details, turn) USING (turn)
      LEFT JOIN LATERAL (SELECT u.id FROM users u WHERE u.id = e.actor ORDER BY u.id LIMIT 1) AS a ON true
      LEFT JOIN LATERAL (SELECT u.id FROM users u WHERE u.id = e.subject_user ORDER BY u.id LIMIT 1) AS b ON true
      CROSS JOIN LATERAL (
        SELECT e.actor_kind <> 'SERVICE_ACCOUNT' AND a.id IS NULL OR e.subject_user IS NOT NULL AND b.id IS NULL AS is_erased
      ) AS p;
END
$$;
