-- The authorization server of Platform MCP: the clients that registered themselves, what they ask a person for, the codes
-- they are handed, and the credentials that come of it.

CREATE TABLE oauth_clients (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT now(),
  registered_ip text,
  last_authorized_at timestamptz,
  revoked_at timestamptz
);
CREATE INDEX oauth_clients_by_registration ON oauth_clients (registered_at, id);
-- What reaping looks for, however many clients are in use.
CREATE INDEX oauth_clients_never_authorized ON oauth_clients (registered_at) WHERE last_authorized_at IS NULL;

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
  decided_at timestamptz
);
CREATE INDEX oauth_requests_by_expiry ON oauth_requests (expires_at);

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
  CHECK (session_family_id IS NULL OR consumed_at IS NOT NULL)
);
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);

-- A credential of Platform MCP names its client and is limited to scopes that a person consented to; no other does.
ALTER TABLE credentials ADD COLUMN client_id uuid REFERENCES oauth_clients;
ALTER TABLE credentials ADD CONSTRAINT credentials_of_clients
  CHECK ((audience = 'mcp') = (client_id IS NOT NULL) AND (audience <> 'mcp' OR cardinality(scopes) > 0));
-- The revoked ones too: deleting a client asks whether it ever had a credential.
CREATE INDEX credentials_of_client ON credentials (client_id) WHERE client_id IS NOT NULL;
