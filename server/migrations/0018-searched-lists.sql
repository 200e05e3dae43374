-- Lists of sessions and searches by part of a text cost the same with millions of rows (decision 0039).

-- The indexes come first: the locks of what follows are short, and would otherwise last as long as they take. On tables of
-- millions of rows they are built beforehand, by hand (docs/upgrading.md).

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
-- unused since 0.1.0: credentials_live_of_user_by_issue begins with the same column and serves the same statements.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX credentials_live_of_user;
-- unused since 0.1.0: the ranges above list the same rows, and each index makes every rotation dearer.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX credentials_live_by_issue;

-- A switch of organization writes `current_membership` and no other column of an index, so that it leaves the indexes of
-- `users` alone (a heap-only update), those of the search included. A foreign key would need an index of the column.
ALTER TABLE users SET (fillfactor = 90);

-- Deletes the reference of a user whose active membership is deleted, in the same transaction. It first waits for a switch
-- in progress, which holds the user's row, and then sees its result; a later switch does not find the membership.
CREATE FUNCTION clear_current_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = OLD.user_id FOR NO KEY UPDATE;
  UPDATE users SET current_membership = NULL WHERE id = OLD.user_id AND current_membership = OLD.id;
  RETURN NULL;
END
$$;
-- survived by 0.1.0: it refuses no row, and clears what the foreign key cleared. An invitation is never the active
-- membership, and whoever accepts one locks the user before the invitation: its deletion must not lock the user after it.
CREATE TRIGGER organization_members_clear_current AFTER DELETE ON organization_members
  FOR EACH ROW WHEN (OLD.joined_at IS NOT NULL) EXECUTE FUNCTION clear_current_membership();

-- unused since 0.1.0: the trigger above clears the reference, and every statement that sets it names a membership that its
-- transaction reads under the lock of the user's row.
ALTER TABLE users DROP CONSTRAINT users_current_membership_fkey;
-- unused since 0.1.0: only the foreign key read it.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX users_in_membership;
