-- What is over is deleted by jobs that run once across all processes (decision 0020).

CREATE TABLE scheduled_jobs (
  name text PRIMARY KEY,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- The run that has the job, and how long it may be silent before another takes it over.
  run_id uuid,
  lease_ends_at timestamptz,
  -- In a row.
  failures integer NOT NULL DEFAULT 0,
  last_succeeded_at timestamptz,
  -- Of all runs that came to an end.
  deleted_rows bigint NOT NULL DEFAULT 0,
  CHECK ((run_id IS NULL) = (lease_ends_at IS NULL))
);

-- The oldest of what is over is found at once, however much is not. Many rows share an instant, so this index is small.
CREATE INDEX credentials_by_family_expiry ON credentials (family_expires_at);
CREATE INDEX users_with_replaced_validation ON users (account_mail_sent_at)
  WHERE replaced_validation_token_hash IS NOT NULL;
-- A client takes its requests and codes along when it is deleted.
CREATE INDEX oauth_requests_of_client ON oauth_requests (client_id);
CREATE INDEX oauth_codes_of_client ON oauth_codes (client_id);

-- When a credential was last seen of those that are deleted by now.
ALTER TABLE oauth_clients ADD COLUMN last_used_at timestamptz;

-- A seed of its own: with that of the users' lock an identity could wait for a person whom it has nothing to do with.
CREATE OR REPLACE FUNCTION lock_external_identity(issuer text, subject text) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(issuer || ' ' || subject, 2)) IS NOT NULL
$$;
