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

-- As in 0016: the functions find tables where they are now, and a temporary table comes last.
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
-- survived by 0.1.0: a trigger calls its function whatever the caller's rights on the function are.
REVOKE ALL ON FUNCTION note_end_of_organization FROM PUBLIC;
-- survived by 0.1.0: it refuses no row.
CREATE TRIGGER organizations_note_end AFTER DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION note_end_of_organization();

-- Whatever statement the service sends: a row loses at most its details, and goes only with a chain whose time is over.
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
    IF NEW IS NOT DISTINCT FROM erased THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'the rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
-- survived by 0.1.0: it writes no row of the table.
CREATE TRIGGER organization_audits_append_only BEFORE UPDATE OR DELETE ON organization_audits
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_organization_audit();
-- survived by 0.1.0: it never empties the table.
CREATE TRIGGER organization_audits_stay BEFORE TRUNCATE ON organization_audits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_record();

-- One transaction appends to a chain at a time.
CREATE FUNCTION lock_organization_audits(organization uuid) RETURNS void LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('the audit of organization ' || organization, 0))
$$;

-- The only way in; `domain/audit/verify-organization-audits.ts` computes the same hashes on its own. The locks of chains
-- come after all others of a transaction but that of tool calls, in the order of the organizations, so that the end of a
-- chain is read by a statement that began after every row before it was committed.
CREATE FUNCTION append_organization_audits(ids uuid[], organizations uuid[], events text[], outcomes text[],
  actor_kinds text[], actors uuid[], credentials uuid[], clients uuid[], tools text[], subjects uuid[],
  subject_users uuid[], correlations uuid[], all_details text[]) RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER
  SET search_path FROM CURRENT
  -- As in 0008: a plan made while the table was empty would read all of it for each row.
  SET enable_seqscan TO off AS $$
DECLARE
  entry record;
  chain uuid;
  place bigint;
  link bytea;
  own_hash bytea;
  moment timestamptz;
  salt uuid;
  digest text;
  is_erased boolean;
BEGIN
  FOR entry IN
    SELECT * FROM unnest(ids, organizations, events, outcomes, actor_kinds, actors, credentials, clients, tools, subjects,
        subject_users, correlations, all_details) WITH ORDINALITY
      AS e (id, organization, event, outcome, actor_kind, actor, credential, client, tool, subject, subject_user,
        correlation, details, turn)
      ORDER BY organization, turn
  LOOP
    IF chain IS DISTINCT FROM entry.organization THEN
      chain := entry.organization;
      PERFORM lock_organization_audits(chain);
      SELECT a.position, a.hash INTO place, link FROM organization_audits a
        WHERE a.organization_id = chain ORDER BY a.position DESC LIMIT 1;
      place := coalesce(place, 0);
      link := coalesce(link, decode(repeat('00', 32), 'hex'));
    END IF;
    place := place + 1;
    moment := clock_timestamp();
    salt := gen_random_uuid();
    digest := encode(sha256(convert_to(salt || entry.details, 'UTF8')), 'hex');
    -- Details of a person who is gone: the erasure of theirs held the lock of the chain before.
    is_erased := entry.actor_kind <> 'SERVICE_ACCOUNT' AND NOT EXISTS (SELECT FROM users u WHERE u.id = entry.actor)
      OR entry.subject_user IS NOT NULL AND NOT EXISTS (SELECT FROM users u WHERE u.id = entry.subject_user);
    -- Every column as text behind its length in bytes, and a null as a dash, so that no two rows are written alike.
    SELECT sha256(link || convert_to(string_agg(
        coalesce(octet_length(convert_to(part, 'UTF8')) || ':' || part, '-'), '' ORDER BY turn), 'UTF8'))
      INTO own_hash
      FROM unnest(ARRAY[chain::text, place::text, entry.id::text, entry.event, entry.outcome, entry.actor_kind,
        entry.actor::text, entry.credential::text, entry.client::text, entry.tool, entry.subject::text,
        entry.subject_user::text, entry.correlation::text, (extract(epoch FROM moment) * 1000000)::bigint::text,
        digest]) WITH ORDINALITY AS columns (part, turn);
    INSERT INTO organization_audits (organization_id, position, id, event, outcome, actor_kind, actor_id, credential_id,
        client_id, tool, subject_id, subject_user_id, correlation_id, created_at, details, details_salt, details_digest,
        previous_hash, hash)
      VALUES (chain, place, entry.id, entry.event, entry.outcome, entry.actor_kind, entry.actor, entry.credential,
        entry.client, entry.tool, entry.subject, entry.subject_user, entry.correlation, moment,
        CASE WHEN is_erased IS NOT TRUE THEN entry.details END, CASE WHEN is_erased IS NOT TRUE THEN salt END, digest,
        link, own_hash);
    link := own_hash;
  END LOOP;
END
$$;
-- survived by 0.1.0: it does not know the function.
REVOKE ALL ON FUNCTION append_organization_audits FROM PUBLIC;

-- Erases the details of what a person did and of what was done to them. The locks of the chains let no row of theirs pass
-- by; those of the organizations that they belong to are held whether there is such a row or not.
CREATE FUNCTION erase_organization_audits(person uuid, organizations uuid[]) RETURNS integer LANGUAGE plpgsql VOLATILE
  SECURITY DEFINER SET search_path FROM CURRENT SET enable_seqscan TO off AS $$
DECLARE
  chain uuid;
  erased integer;
BEGIN
  FOR chain IN
    SELECT unnest(organizations) AS organization UNION
    SELECT a.organization_id FROM organization_audits a
      WHERE a.actor_id = person OR a.subject_id = person OR a.subject_user_id = person ORDER BY organization
  LOOP
    PERFORM lock_organization_audits(chain);
  END LOOP;
  UPDATE organization_audits a SET details = NULL, details_salt = NULL
    WHERE (a.actor_id = person OR a.subject_id = person OR a.subject_user_id = person) AND a.details IS NOT NULL;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END
$$;
-- survived by 0.1.0: it does not know the function.
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
-- survived by 0.1.0: it does not know the function.
REVOKE ALL ON FUNCTION purge_organization_audits FROM PUBLIC;
