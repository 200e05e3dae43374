-- Credentials: one row for each token of a session pair, of an OAuth client and of a machine.

CREATE TABLE credentials (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('user_session', 'user_refresh', 'machine')),
  session_family_id uuid NOT NULL,
  pair_id uuid NOT NULL,
  -- Null for a secret of a service token, which belongs to no person.
  user_id uuid REFERENCES users ON DELETE CASCADE,
  credentials_revision integer NOT NULL,
  audience text NOT NULL,
  auth_method text NOT NULL,
  scopes text[] NOT NULL DEFAULT '{}',
  organization_id uuid,
  membership_id uuid,
  issued_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  family_expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revocation_reason text,
  issue_ip text,
  issue_user_agent text,
  last_seen_at timestamptz,
  last_seen_ip text,
  -- The family whose place this one took when its person switched organizations: a sign-out of that one at the same moment
  -- means this one too.
  succeeds_family_id uuid,
  client_id uuid REFERENCES oauth_clients,
  -- When the person of a session last authenticated, and when with a second factor. Null for those of OAuth clients.
  authenticated_at timestamptz,
  second_factor_at timestamptz,
  service_account_id uuid,
  -- Two secrets of a machine's token are live while one replaces the other.
  slot smallint NOT NULL DEFAULT 0,
  -- The host of the redirect URI that a client used, for the policy of an organization; null for Platform MCP.
  redirect_host text,
  -- Of a pair that replaced another one: that pair, until the first use of this one.
  unused_after uuid,
  -- When another pair was issued in its place before any use, or when it was itself issued in such a place.
  recovered_at timestamptz,
  CHECK (expires_at <= family_expires_at),
  CHECK ((revoked_at IS NULL) = (revocation_reason IS NULL)),
  -- A client's credential is limited to scopes that a person consented to. Beside Platform MCP, it is bound to a membership.
  CONSTRAINT credentials_of_clients CHECK ((audience = 'mcp') = (client_id IS NOT NULL AND redirect_host IS NULL)
    AND (client_id IS NULL OR cardinality(scopes) > 0)
    AND (redirect_host IS NULL OR (client_id IS NOT NULL AND membership_id IS NOT NULL AND organization_id IS NOT NULL))),
  CONSTRAINT credentials_owner_check CHECK ((user_id IS NULL) = (service_account_id IS NOT NULL)
    AND (service_account_id IS NULL OR kind = 'machine') AND slot IN (0, 1) AND (slot = 0 OR kind = 'machine'))
);

-- At most one live pair of a session, and two live secrets of a machine's token, whatever the code above does.
CREATE UNIQUE INDEX credentials_live_in_slot ON credentials (session_family_id, kind, slot) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX credentials_one_successor ON credentials (succeeds_family_id, kind)
  WHERE succeeds_family_id IS NOT NULL;

-- A transaction that writes rows of a session family holds its lock until it ends. A revocation that waited for a rotation
-- thus sees the new pair, and two of them never wait for each other's rows in a circle.
CREATE FUNCTION lock_session_family(family uuid) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(family::text, 0)) IS NOT NULL
$$;

-- Lists of live credentials, newest first (decision 0039). Credentials of similar lifetime are listed together, so that expired
-- ones that were not revoked form the end of each range and are not read: those of class N were issued within
-- longest_lifetime(N), or have expired.
CREATE FUNCTION lifetime_class(issued timestamptz, expires timestamptz) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT width_bucket(expires - issued - interval '1 microsecond',
    '{15 minutes,1 hour,6 hours,1 day,3 days,7 days,15 days,30 days}'::interval[])
$$;
CREATE FUNCTION longest_lifetime(class integer) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(('{15 minutes,1 hour,6 hours,1 day,3 days,7 days,15 days,30 days}'::interval[])[class + 1],
    interval '1000 years')
$$;
CREATE INDEX credentials_live_in_range ON credentials
  (audience, kind, lifetime_class(issued_at, expires_at), issued_at, id) INCLUDE (expires_at) WHERE revoked_at IS NULL;
CREATE INDEX credentials_live_in_organization ON credentials
  (organization_id, audience, kind, lifetime_class(issued_at, expires_at), issued_at, id) INCLUDE (expires_at)
  WHERE revoked_at IS NULL AND organization_id IS NOT NULL;
CREATE INDEX credentials_live_of_user_by_issue ON credentials (user_id, issued_at, id)
  INCLUDE (expires_at, credentials_revision) WHERE revoked_at IS NULL;

-- Searches of live credentials by network, method, user agent and client (decision 0055).

-- The address of a text; null for any other text, which an index over a cast would refuse to store.
CREATE FUNCTION address_of(written text) RETURNS inet LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN written ~ '^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$' THEN written::inet
    WHEN written ~* '^(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,7}:|([0-9a-f]{1,4}:){1,6}:[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,5}(:[0-9a-f]{1,4}){1,2}|([0-9a-f]{1,4}:){1,4}(:[0-9a-f]{1,4}){1,3}|([0-9a-f]{1,4}:){1,3}(:[0-9a-f]{1,4}){1,4}|([0-9a-f]{1,4}:){1,2}(:[0-9a-f]{1,4}){1,5}|[0-9a-f]{1,4}:(:[0-9a-f]{1,4}){1,6}|:(:[0-9a-f]{1,4}){1,7}|::)$'
      THEN written::inet
  END
$$;
CREATE INDEX credentials_live_by_address ON credentials (address_of(issue_ip)) WHERE revoked_at IS NULL;
-- The few that were last used from another address than they were issued to. The first use from it writes an entry in each
-- index of the row, as any change of an indexed column does.
CREATE INDEX credentials_live_by_other_address ON credentials (address_of(last_seen_ip))
  WHERE revoked_at IS NULL AND last_seen_ip IS DISTINCT FROM issue_ip;
-- Without a unique column, so that equal entries share one key: its distinct values are read by skipping.
CREATE INDEX credentials_live_by_user_agent ON credentials (auth_method, (coalesce(issue_user_agent, '')))
  WHERE revoked_at IS NULL;
CREATE INDEX credentials_live_of_client ON credentials (client_id) WHERE revoked_at IS NULL AND client_id IS NOT NULL;

-- The clients that people let into an organization (docs/organization-mcp.md): one live refresh credential for each.
CREATE INDEX credentials_connected_of_user ON credentials (user_id, session_family_id)
  WHERE redirect_host IS NOT NULL AND kind = 'user_refresh' AND revoked_at IS NULL;
CREATE INDEX credentials_connected_of_organization ON credentials (organization_id, session_family_id)
  WHERE redirect_host IS NOT NULL AND kind = 'user_refresh' AND revoked_at IS NULL;

-- The revoked ones too: deleting a client asks whether it ever had a credential.
CREATE INDEX credentials_of_client ON credentials (client_id) WHERE client_id IS NOT NULL;
CREATE INDEX credentials_of_service_account ON credentials (service_account_id) WHERE service_account_id IS NOT NULL;
-- The sessions that ended are counted by time. A rotation writes no entry.
CREATE INDEX credentials_ended ON credentials (revoked_at)
  WHERE kind = 'user_refresh' AND revoked_at IS NOT NULL
    AND revocation_reason NOT IN ('rotated', 'switched_organization', 'replaced_by_sign_in');
-- The tokens that ended long ago are found by their newest secrets, which no rotation has replaced.
CREATE INDEX credentials_of_machines_by_end ON credentials (coalesce(revoked_at, expires_at))
  WHERE kind = 'machine' AND revocation_reason IS DISTINCT FROM 'rotated';
-- Reminders look for the secrets that expire soon.
CREATE INDEX credentials_of_machines_by_expiry ON credentials (expires_at)
  WHERE kind = 'machine' AND revoked_at IS NULL;
-- The oldest of what is over is found at once, however much is not. Many rows share an instant, so this index is small.
CREATE INDEX credentials_by_family_expiry ON credentials (family_expires_at);

-- A grant that is bound to an organization ends with it: no list shows it as live once the organization is gone.
CREATE FUNCTION end_grants_of_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE credentials SET revoked_at = now(), revocation_reason = 'membership_removed'
    WHERE session_family_id IN (
      SELECT session_family_id FROM credentials
      WHERE organization_id = OLD.id AND redirect_host IS NOT NULL AND kind = 'user_refresh' AND revoked_at IS NULL)
      AND revoked_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER organizations_grants AFTER DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION end_grants_of_organization();
