-- Indexes of the credentials of machines. A migration of its own, since 0035 needs a lock that excludes readers, which would
-- last as long as these are built. On tables of millions of rows they are built beforehand, by hand (docs/upgrading.md).

-- A token of a machine has two live secrets at most, a session one pair.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX IF NOT EXISTS credentials_live_in_slot ON credentials (session_family_id, kind, slot)
  WHERE revoked_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_of_service_account ON credentials (service_account_id)
  WHERE service_account_id IS NOT NULL;
-- The tokens that ended long ago are found by their newest secrets, which no rotation has replaced.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_of_machines_by_end ON credentials (coalesce(revoked_at, expires_at))
  WHERE kind = 'machine' AND revocation_reason IS DISTINCT FROM 'rotated';
