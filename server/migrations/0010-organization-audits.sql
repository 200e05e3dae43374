-- The audit of organizations: a hash chain for each, which outlives its organization by 90 days (decision 0064).

CREATE TABLE organization_audits (
  -- No foreign key: the chain is kept when its organization is gone.
  organization_id uuid NOT NULL,
  position bigint NOT NULL CHECK (position > 0),
  id uuid NOT NULL UNIQUE,
  event text NOT NULL CONSTRAINT organization_audits_event_check CHECK (event IN (
    'MCP_CLIENT_CONNECTED', 'MCP_CLIENT_ENDED', 'MCP_CLIENT_REFUSED', 'MCP_POLICY_CHANGED', 'MCP_TOOL_CALLED',
    'ORGANIZATION_DELETED', 'ORGANIZATION_RESTORED', 'SECOND_FACTOR_POLICY_CHANGED', 'SERVICE_ACCOUNT_CREATED',
    'SERVICE_ACCOUNT_DELETED', 'SERVICE_ACCOUNT_UPDATED', 'TOKEN_CREATED', 'TOKEN_DECIDED', 'TOKEN_POLICY_CHANGED',
    'TOKEN_REPORTED', 'TOKEN_REVOKED', 'TOKEN_ROTATED', 'TOKEN_USED_FROM_NEW_NETWORK')),
  outcome text NOT NULL DEFAULT 'success' CHECK (outcome IN ('deny', 'error', 'started', 'success')),
  -- Null when no person and no machine acted.
  actor_kind text CHECK (actor_kind IN ('PERSON', 'PERSONAL_TOKEN', 'SERVICE_ACCOUNT')),
  actor_id uuid,
  credential_id uuid,
  client_id uuid,
  tool text,
  subject_id uuid,
  -- The person whose token the subject is, so that their details can be erased when the token is gone too.
  subject_user_id uuid,
  correlation_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  -- Null once erased. Without the salt, nothing is learned from the digest by guessing.
  details text,
  details_salt uuid,
  details_digest text NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (organization_id, position),
  CHECK ((actor_kind IS NULL) = (actor_id IS NULL)),
  CHECK ((details IS NULL) = (details_salt IS NULL))
);
CREATE INDEX organization_audits_by_time ON organization_audits (organization_id, created_at);
CREATE INDEX organization_audits_by_event ON organization_audits (organization_id, event, position);
CREATE INDEX organization_audits_by_actor ON organization_audits (actor_id, organization_id, position)
  WHERE actor_id IS NOT NULL;
CREATE INDEX organization_audits_by_subject ON organization_audits (subject_id, organization_id, position)
  WHERE subject_id IS NOT NULL;
CREATE INDEX organization_audits_by_subject_user ON organization_audits (subject_user_id)
  WHERE subject_user_id IS NOT NULL;
CREATE INDEX organization_audits_by_tool ON organization_audits (organization_id, tool, position) WHERE tool IS NOT NULL;
CREATE INDEX organization_audits_by_correlation ON organization_audits (correlation_id);

-- Organizations that are gone, so that their chains are deleted in time.
CREATE TABLE organization_audit_ends (
  organization_id uuid PRIMARY KEY,
  ended_at timestamptz NOT NULL
);
CREATE INDEX organization_audit_ends_by_time ON organization_audit_ends (ended_at);

-- As in 0009: the functions find tables where they are now, and a temporary table comes last.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- With the rights of its owner, since the role that serves only reads the table.
CREATE FUNCTION note_end_of_organization() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO organization_audit_ends (organization_id, ended_at) VALUES (OLD.id, now())
    ON CONFLICT (organization_id) DO NOTHING;
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION note_end_of_organization FROM PUBLIC;
CREATE TRIGGER organizations_note_end AFTER DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION note_end_of_organization();

-- Whatever statement the service sends: a row loses at most its details, and those only where the person who acted, or whose
-- token the subject is, has no account; it goes only with a chain whose time is over.
CREATE FUNCTION refuse_change_of_organization_audit() RETURNS trigger LANGUAGE plpgsql
  SET search_path FROM CURRENT AS $$
DECLARE
  erased organization_audits;
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF EXISTS (SELECT FROM organization_audit_ends e
      WHERE e.organization_id = OLD.organization_id AND e.ended_at <= now() - interval '90 days') THEN RETURN OLD; END IF;
  ELSE
    erased := OLD;
    erased.details := NULL;
    erased.details_salt := NULL;
    IF NEW IS NOT DISTINCT FROM erased AND (
      OLD.actor_kind <> 'SERVICE_ACCOUNT' AND NOT EXISTS (SELECT FROM users u WHERE u.id = OLD.actor_id)
      OR OLD.subject_user_id IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = OLD.subject_user_id)
    ) THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'the rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER organization_audits_append_only BEFORE UPDATE OR DELETE ON organization_audits
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_organization_audit();
CREATE TRIGGER organization_audits_stay BEFORE TRUNCATE ON organization_audits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();

-- One transaction appends to a chain at a time.
CREATE FUNCTION lock_organization_audits(organization uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('the audit of organization ' || organization, 0))
$$;

-- The only way in; `domain/audit/verify-organization-audits.ts` computes the same hashes on its own. The locks of chains come
-- after all others of a transaction but that of tool calls, in the order of the organizations, so that the ends of the chains
-- are read by a statement that began after every row before was committed. All rows of a batch have one instant.
CREATE FUNCTION append_organization_audits(ids uuid[], organizations uuid[], events text[], outcomes text[],
  actor_kinds text[], actors uuid[], credentials uuid[], clients uuid[], tools text[], subjects uuid[],
  subject_users uuid[], correlations uuid[], all_details text[]) RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path FROM CURRENT
  -- A plan made while the table was empty would read all of it for each row. One plan is kept for a batch of any
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
REVOKE ALL ON FUNCTION append_organization_audits FROM PUBLIC;

-- Erases the details of what a person did and of what was done to their tokens, once they have no account: the role that serves
-- may call the function, and must not take the details of a person who has one. The locks of the chains let no row of theirs
-- pass by; those of the organizations that they belonged to are held whether there is such a row or not.
CREATE FUNCTION erase_organization_audits(person uuid, organizations uuid[]) RETURNS integer LANGUAGE plpgsql
  VOLATILE SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan TO off AS $$
DECLARE
  chain uuid;
  erased integer;
BEGIN
  IF EXISTS (SELECT FROM users u WHERE u.id = person) THEN
    RAISE EXCEPTION 'the details of a person who has an account are kept' USING ERRCODE = 'restrict_violation';
  END IF;
  FOR chain IN
    SELECT unnest(organizations) AS organization UNION
    SELECT a.organization_id FROM organization_audits a
      WHERE a.actor_id = person AND a.actor_kind <> 'SERVICE_ACCOUNT' OR a.subject_user_id = person ORDER BY organization
  LOOP
    PERFORM lock_organization_audits(chain);
  END LOOP;
  UPDATE organization_audits a SET details = NULL, details_salt = NULL
    WHERE (a.actor_id = person AND a.actor_kind <> 'SERVICE_ACCOUNT' OR a.subject_user_id = person)
      AND a.details IS NOT NULL;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;
REVOKE ALL ON FUNCTION erase_organization_audits FROM PUBLIC;

-- Deletes rows of chains whose organizations are gone for 90 days, from the end of a chain, so that what is left of it is
-- sound; then the notes of such ends. Skips rows that are locked.
CREATE FUNCTION purge_organization_audits(most integer) RETURNS integer LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path FROM CURRENT SET enable_seqscan TO off AS $$
DECLARE
  ended uuid;
  found_rows integer;
  deleted integer := 0;
BEGIN
  FOR ended IN
    SELECT e.organization_id FROM organization_audit_ends e WHERE e.ended_at <= now() - interval '90 days'
      AND EXISTS (SELECT FROM organization_audits a WHERE a.organization_id = e.organization_id)
      ORDER BY e.ended_at LIMIT most
  LOOP
    DELETE FROM organization_audits a WHERE (a.organization_id, a.position) IN (
      SELECT p.organization_id, p.position FROM organization_audits p WHERE p.organization_id = ended
        ORDER BY p.position DESC LIMIT most - deleted FOR UPDATE SKIP LOCKED);
    GET DIAGNOSTICS found_rows = ROW_COUNT;
    deleted := deleted + found_rows;
    EXIT WHEN deleted >= most;
  END LOOP;
  IF deleted >= most THEN RETURN deleted; END IF;
  DELETE FROM organization_audit_ends WHERE organization_id = ANY (ARRAY(
    SELECT e.organization_id FROM organization_audit_ends e WHERE e.ended_at <= now() - interval '90 days'
      AND NOT EXISTS (SELECT FROM organization_audits a WHERE a.organization_id = e.organization_id)
      ORDER BY e.ended_at LIMIT most - deleted FOR UPDATE SKIP LOCKED));
  GET DIAGNOSTICS found_rows = ROW_COUNT;
  RETURN deleted + found_rows;
END
$$;
REVOKE ALL ON FUNCTION purge_organization_audits FROM PUBLIC;
