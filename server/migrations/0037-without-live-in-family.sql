-- The index that credentials_live_in_slot (0036) replaces is dropped by a migration of its own: it needs a lock that excludes
-- readers, and nothing that took minutes is repeated while it waits for one.

-- survived by 0.1.0: it reads the catalog and changes nothing. 0036 skips an index that exists, also an invalid one, which
-- a build by hand leaves when it is cut off: without the index dropped below, a session could then have two live pairs.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_index
    WHERE indexrelid = to_regclass(quote_ident(current_schema()) || '.credentials_live_in_slot') AND indisunique AND indisvalid)
  THEN
    RAISE EXCEPTION 'the index credentials_live_in_slot is missing, not unique or invalid: drop it, and build it again'
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
END
$$;

-- unused since 0.1.0: credentials_live_in_slot allows no more to a session, whose rows are all in the first slot.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX credentials_live_in_family;
