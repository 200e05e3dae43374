-- Grants of MCP clients for one organization each (organization-mcp.md): what a request asks for, what a code was given
-- for, and what an organization allows.

-- The resource of a request and a code, by the audience of the tokens that follow; of Platform MCP until now.
ALTER TABLE oauth_requests ADD COLUMN audience text NOT NULL DEFAULT 'mcp';
ALTER TABLE oauth_codes
  ADD COLUMN audience text NOT NULL DEFAULT 'mcp',
  ADD COLUMN organization_id uuid,
  ADD COLUMN membership_id uuid,
  ADD CONSTRAINT oauth_codes_membership_check
    CHECK ((audience = 'mcp') = (membership_id IS NULL) AND (organization_id IS NULL) = (membership_id IS NULL)) NOT VALID;

ALTER TABLE credentials
  -- The host of the redirect URI that a client used, for the policy of an organization; null for Platform MCP.
  ADD COLUMN IF NOT EXISTS redirect_host text;
-- unused since 0.1.0: the next statement checks less of the audiences, so what 0.1.0 writes passes it too.
ALTER TABLE credentials DROP CONSTRAINT IF EXISTS credentials_of_clients;
-- A client's credential is limited to scopes that a person consented to. Beside Platform MCP, it is bound to a membership.
ALTER TABLE credentials ADD CONSTRAINT credentials_of_clients
  CHECK ((audience = 'mcp') = (client_id IS NOT NULL AND redirect_host IS NULL)
    AND (client_id IS NULL OR cardinality(scopes) > 0)
    AND (redirect_host IS NULL OR (client_id IS NOT NULL AND membership_id IS NOT NULL AND organization_id IS NOT NULL)))
  NOT VALID;

-- Which clients an organization lets in. Its version counts a change, so that no call is judged by an old policy.
ALTER TABLE organizations
  ADD COLUMN mcp_clients text NOT NULL DEFAULT 'ANY'
    CONSTRAINT organizations_mcp_clients_check CHECK (mcp_clients IN ('ANY', 'LISTED', 'NONE')),
  ADD COLUMN mcp_client_ids text[] NOT NULL DEFAULT '{}'
    CONSTRAINT organizations_mcp_client_ids_check CHECK (cardinality(mcp_client_ids) <= 100),
  ADD COLUMN mcp_redirect_hosts text[] NOT NULL DEFAULT '{}'
    CONSTRAINT organizations_mcp_redirect_hosts_check CHECK (cardinality(mcp_redirect_hosts) <= 100);
