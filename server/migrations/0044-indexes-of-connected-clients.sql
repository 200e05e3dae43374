-- The lists of the clients that people let into an organization (organization-mcp.md, "Connected clients"): one live refresh
-- credential for each, newest first by the id of its family. A migration of its own, since 0041 needs a lock that excludes
-- readers. On tables of millions of rows the indexes are built beforehand, by hand (docs/upgrading.md).

-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_connected_of_user ON credentials (user_id, session_family_id)
  WHERE redirect_host IS NOT NULL AND kind = 'user_refresh' AND revoked_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_connected_of_organization ON credentials (organization_id, session_family_id)
  WHERE redirect_host IS NOT NULL AND kind = 'user_refresh' AND revoked_at IS NULL;

-- A grant that is bound to an organization ends with it: no list shows it as live once the organization is gone.
CREATE OR REPLACE FUNCTION end_grants_of_organization() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE credentials SET revoked_at = now(), revocation_reason = 'membership_removed'
    WHERE session_family_id IN (
      SELECT session_family_id FROM credentials
      WHERE organization_id = OLD.id AND redirect_host IS NOT NULL AND kind = 'user_refresh' AND revoked_at IS NULL)
      AND revoked_at IS NULL;
  RETURN NULL;
END
$$;
-- survived by 0.1.0: it issues no grant of an organization, and deletes no organization that has one.
CREATE TRIGGER organizations_grants AFTER DELETE ON organizations
  FOR EACH ROW EXECUTE FUNCTION end_grants_of_organization();
