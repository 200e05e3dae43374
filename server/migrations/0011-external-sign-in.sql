-- Sign-in by an outside provider: what the service remembers for a browser, and what waits for the portal to fetch it.

CREATE TABLE helper_session_entries (
  session_hash bytea NOT NULL,
  name text NOT NULL,
  sealed_value bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (session_hash, name)
);
CREATE INDEX helper_session_entries_by_expiry ON helper_session_entries (expires_at);

CREATE TABLE external_exchanges (
  secret_hash bytea PRIMARY KEY,
  sealed_identity bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX external_exchanges_by_expiry ON external_exchanges (expires_at);

-- The provider's address for the person, when it was linked: for the person to recognise it, and for nothing else.
ALTER TABLE external_identities ADD COLUMN email text;

-- Whoever signs in with an identity, links or creates by it holds its lock until the transaction ends: two of one
-- identity come one after the other, although there is no row yet that either could hold.
CREATE FUNCTION lock_external_identity(issuer text, subject text) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(issuer || ' ' || subject, 1)) IS NOT NULL
$$;
