-- The lists of 0018 need neither the indexes before them nor the foreign key of `users.current_membership` (decision 0039).

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
