-- Machine credentials: personal tokens, service accounts and their tokens (decision 0063). Their secrets are rows of
-- `credentials`; a token's row says what they share over its life.

CREATE TABLE service_accounts (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  description text NOT NULL,
  scopes text[] NOT NULL CHECK (cardinality(scopes) > 0),
  created_by uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Kept as long as its tokens are listed.
  deleted_at timestamptz,
  version integer NOT NULL DEFAULT 0
);
CREATE INDEX service_accounts_of_organization ON service_accounts (organization_id) WHERE deleted_at IS NULL;
CREATE INDEX service_accounts_by_creator ON service_accounts (created_by) WHERE created_by IS NOT NULL;
CREATE TRIGGER service_accounts_version BEFORE UPDATE ON service_accounts
  FOR EACH ROW EXECUTE FUNCTION count_version();

-- A token of a machine. Its id is the session family of its secrets, so that a revocation ends both of them.
CREATE TABLE machine_tokens (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- A personal token has a person and their membership, a service token its account.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  membership_id uuid,
  service_account_id uuid REFERENCES service_accounts (id) ON DELETE CASCADE,
  -- Of a personal token alone.
  name text,
  scopes text[] CHECK (cardinality(scopes) > 0),
  is_pending boolean NOT NULL DEFAULT false,
  -- The person to whom the newest secret was shown.
  issued_to uuid REFERENCES users (id) ON DELETE SET NULL,
  -- The newest secret: its row in `credentials`, and the characters by which its owner recognizes it.
  credential_id uuid NOT NULL,
  last_characters text NOT NULL,
  lifetime_seconds integer NOT NULL CHECK (lifetime_seconds > 0),
  created_at timestamptz NOT NULL DEFAULT now(),
  rotated_at timestamptz,
  -- The last use of the secrets that were replaced; that of a live one is in its own row.
  last_used_at timestamptz,
  last_used_ip text,
  -- Days before its expiry for which the last reminder was sent.
  reminded_days integer,
  -- The person to whom the secret was shown that lives on until the overlap ends.
  previous_issued_to uuid REFERENCES users (id) ON DELETE SET NULL,
  CHECK ((user_id IS NULL) = (service_account_id IS NOT NULL)),
  CHECK ((user_id IS NULL) = (membership_id IS NULL)),
  CHECK ((user_id IS NULL) = (name IS NULL)),
  CHECK ((user_id IS NULL) = (scopes IS NULL))
);
CREATE INDEX machine_tokens_of_organization ON machine_tokens (organization_id, created_at, id);
CREATE INDEX machine_tokens_of_user ON machine_tokens (user_id, created_at, id) WHERE user_id IS NOT NULL;
CREATE INDEX machine_tokens_of_service_account ON machine_tokens (service_account_id) WHERE service_account_id IS NOT NULL;
-- The deletion of a person, and the mail about a person who left, look for the tokens of which they saw a secret.
CREATE INDEX machine_tokens_by_receiver ON machine_tokens (issued_to) WHERE issued_to IS NOT NULL;
CREATE INDEX machine_tokens_by_previous_receiver ON machine_tokens (previous_issued_to)
  WHERE previous_issued_to IS NOT NULL;

-- A token that goes with its organization leaves no live secret behind, which lists would show without an owner.
CREATE FUNCTION delete_secrets_of_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM credentials WHERE session_family_id = OLD.id AND kind = 'machine' AND revoked_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER machine_tokens_secrets AFTER DELETE ON machine_tokens
  FOR EACH ROW EXECUTE FUNCTION delete_secrets_of_token();

-- The networks that a token was used from (docs/machine-tokens.md): the first use from each is a row of the audit of the
-- organization. It ends with the token.
CREATE TABLE machine_token_networks (
  token_id uuid NOT NULL REFERENCES machine_tokens (id) ON DELETE CASCADE,
  -- A /24, or a /48 of IPv6.
  network text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (token_id, network)
);

-- Reports of leaked tokens that were accepted and are not worked off yet (decision 0065).
CREATE TABLE token_reports (
  id uuid PRIMARY KEY,
  received_at timestamptz NOT NULL DEFAULT now(),
  correlation_id uuid NOT NULL,
  -- For each token its SHA-256 in hex, and where it was found: {hash, url, source}.
  entries jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX token_reports_due ON token_reports (next_attempt_at);
