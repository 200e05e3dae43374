-- The authorization server: its clients, what they ask a person for, and the codes that they are handed.

CREATE TABLE oauth_clients (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT now(),
  registered_ip text,
  last_authorized_at timestamptz,
  revoked_at timestamptz,
  -- The last use of the credentials that are deleted by now.
  last_used_at timestamptz,
  -- Of a client that names itself by the URL of a metadata document (decision 0066): its row has what the document said last.
  metadata_url text,
  -- Null: there is no document to use, because its site said that it is gone or no longer valid.
  document_fresh_until timestamptz
);
CREATE INDEX oauth_clients_by_registration ON oauth_clients (registered_at, id);
-- What reaping looks for, however many clients are in use.
CREATE INDEX oauth_clients_never_authorized ON oauth_clients (registered_at) WHERE last_authorized_at IS NULL;
CREATE UNIQUE INDEX oauth_clients_by_metadata_url ON oauth_clients (metadata_url) WHERE metadata_url IS NOT NULL;

-- The last attempt to fetch a document, where it failed: until then, no process fetches it again. Apart from the clients,
-- because a document that never arrived makes none.
CREATE TABLE oauth_document_failures (
  metadata_url text PRIMARY KEY,
  rule text NOT NULL,
  reason text NOT NULL,
  failed_until timestamptz NOT NULL
);

CREATE TABLE oauth_requests (
  id uuid PRIMARY KEY,
  client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  state text,
  -- Null asks for everything that the person holds.
  scopes text[],
  code_challenge text NOT NULL,
  browser_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- The resource, by the audience of the tokens that follow; `mcp` is Platform MCP.
  audience text NOT NULL DEFAULT 'mcp'
);
CREATE INDEX oauth_requests_by_expiry ON oauth_requests (expires_at);
CREATE INDEX oauth_requests_of_client ON oauth_requests (client_id);

CREATE TABLE oauth_codes (
  code_hash bytea PRIMARY KEY,
  client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credentials_revision integer NOT NULL,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  session_family_id uuid,
  -- As of the request.
  audience text NOT NULL DEFAULT 'mcp',
  -- The organization that the person chose; null for Platform MCP.
  organization_id uuid,
  membership_id uuid,
  CHECK (session_family_id IS NULL OR consumed_at IS NOT NULL),
  CONSTRAINT oauth_codes_membership_check
    CHECK ((audience = 'mcp') = (membership_id IS NULL) AND (organization_id IS NULL) = (membership_id IS NULL))
);
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);
CREATE INDEX oauth_codes_of_client ON oauth_codes (client_id);
