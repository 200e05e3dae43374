-- Live credentials are found by network, method, user agent and client (decision 0055).

-- On tables of millions of rows the indexes are built beforehand, by hand (docs/upgrading.md).

-- The address of a text; null for any other text, which an index over a cast would refuse to store.
CREATE OR REPLACE FUNCTION address_of(written text) RETURNS inet LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN written ~ '^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$' THEN written::inet
    WHEN written ~* '^(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,7}:|([0-9a-f]{1,4}:){1,6}:[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,5}(:[0-9a-f]{1,4}){1,2}|([0-9a-f]{1,4}:){1,4}(:[0-9a-f]{1,4}){1,3}|([0-9a-f]{1,4}:){1,3}(:[0-9a-f]{1,4}){1,4}|([0-9a-f]{1,4}:){1,2}(:[0-9a-f]{1,4}){1,5}|[0-9a-f]{1,4}:(:[0-9a-f]{1,4}){1,6}|:(:[0-9a-f]{1,4}){1,7}|::)$'
      THEN written::inet
  END
$$;

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_live_by_address ON credentials (address_of(issue_ip)) WHERE revoked_at IS NULL;
-- The few that were last used from another address than they were issued to. The first use from it writes one of each index of the row, as any change of an indexed column does.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_live_by_other_address ON credentials (address_of(last_seen_ip))
  WHERE revoked_at IS NULL AND last_seen_ip IS DISTINCT FROM issue_ip;
-- Without a unique column, so that equal entries share one key: its distinct values are read by skipping.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_live_by_user_agent ON credentials (auth_method, (coalesce(issue_user_agent, '')))
  WHERE revoked_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_live_of_client ON credentials (client_id)
  WHERE revoked_at IS NULL AND client_id IS NOT NULL;
