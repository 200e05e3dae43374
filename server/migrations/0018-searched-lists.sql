-- Lists of sessions and searches by part of a text cost the same with millions of rows (decision 0039).

-- On tables of millions of rows the indexes are built beforehand, by hand (docs/upgrading.md). What needs a lock that
-- excludes readers is a migration of its own (0021): while it waits for one, nothing that took minutes is repeated.

-- The parts of a text: what follows each of its places, three characters long and shorter at its end. A text of three
-- characters or more can only occur where all of its parts do; a shorter one is the beginning of a part.
CREATE OR REPLACE FUNCTION text_grams(searched text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_agg(substr(searched, place, 3))) FROM generate_series(1, length(searched)) AS place
$$;

-- Without a pending list, which every search would read to its end.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS users_by_grams ON users USING gin (text_grams(email || E'\n' || lower(name)))
  WITH (fastupdate = off);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS organizations_by_grams ON organizations USING gin (text_grams(lower(name)))
  WITH (fastupdate = off);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS organizations_by_name ON organizations (name, id);
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS users_super_admins ON users (email) WHERE is_super_admin;

-- Credentials of similar lifetime are listed together, so that expired ones that nobody revoked form the end of each range
-- and are not read: those of class N were issued within longest_lifetime(N), or have expired.
CREATE OR REPLACE FUNCTION lifetime_class(issued timestamptz, expires timestamptz) RETURNS integer
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT width_bucket(expires - issued - interval '1 microsecond',
    '{15 minutes,1 hour,6 hours,1 day,3 days,7 days,15 days,30 days}'::interval[])
$$;
CREATE OR REPLACE FUNCTION longest_lifetime(class integer) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(('{15 minutes,1 hour,6 hours,1 day,3 days,7 days,15 days,30 days}'::interval[])[class + 1],
    interval '1000 years')
$$;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_live_in_range ON credentials
  (audience, kind, lifetime_class(issued_at, expires_at), issued_at, id) INCLUDE (expires_at) WHERE revoked_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_live_in_organization ON credentials
  (organization_id, audience, kind, lifetime_class(issued_at, expires_at), issued_at, id) INCLUDE (expires_at)
  WHERE revoked_at IS NULL AND organization_id IS NOT NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_live_of_user_by_issue ON credentials (user_id, issued_at, id)
  INCLUDE (expires_at, credentials_revision) WHERE revoked_at IS NULL;
