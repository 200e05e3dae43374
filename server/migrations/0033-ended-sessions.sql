-- The sessions that ended are counted by time. A rotation writes no entry.

-- On tables of millions of rows the index is built beforehand, by hand (docs/upgrading.md).
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_ended ON credentials (revoked_at)
  WHERE kind = 'user_refresh' AND revoked_at IS NOT NULL
    AND revocation_reason NOT IN ('rotated', 'switched_organization', 'replaced_by_sign_in');
