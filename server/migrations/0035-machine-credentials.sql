-- Machine credentials: personal tokens, service accounts and their tokens (decision 0063). Their secrets are rows of
-- `credentials`; a token's row says what they share over its life.

-- What an organization allows its machine tokens. Its version counts a change, so that no token is judged by an old one.
ALTER TABLE organizations
  ADD COLUMN personal_tokens text NOT NULL DEFAULT 'ALLOWED'
    CONSTRAINT organizations_personal_tokens_check CHECK (personal_tokens IN ('ALLOWED', 'APPROVAL', 'FORBIDDEN')),
  ADD COLUMN max_token_lifetime_days integer NOT NULL DEFAULT 366
    CONSTRAINT organizations_max_token_lifetime_check CHECK (max_token_lifetime_days BETWEEN 1 AND 366),
  ADD COLUMN token_networks text[] NOT NULL DEFAULT '{}'
    CONSTRAINT organizations_token_networks_check CHECK (cardinality(token_networks) <= 50);

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
-- survived by 0.1.0: it writes no row of the table.
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
  -- Whom the newest secret was shown to.
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
  CHECK ((user_id IS NULL) = (service_account_id IS NOT NULL)),
  CHECK ((user_id IS NULL) = (membership_id IS NULL)),
  CHECK ((user_id IS NULL) = (name IS NULL)),
  CHECK ((user_id IS NULL) = (scopes IS NULL))
);
CREATE INDEX machine_tokens_of_organization ON machine_tokens (organization_id, created_at, id);
CREATE INDEX machine_tokens_of_user ON machine_tokens (user_id, created_at, id) WHERE user_id IS NOT NULL;
CREATE INDEX machine_tokens_of_service_account ON machine_tokens (service_account_id) WHERE service_account_id IS NOT NULL;
CREATE INDEX machine_tokens_by_receiver ON machine_tokens (issued_to) WHERE issued_to IS NOT NULL;

-- On tables of millions of rows the columns and the indexes of 0036 are added beforehand, by hand (docs/upgrading.md).

-- A secret of a service token belongs to no person; 0.1.0 joins the person, and so never meets one.
-- squawk-ignore ban-drop-not-null
ALTER TABLE credentials ALTER COLUMN user_id DROP NOT NULL;
ALTER TABLE credentials
  ADD COLUMN IF NOT EXISTS service_account_id uuid,
  -- Two secrets of a token are live while one replaces the other.
  ADD COLUMN IF NOT EXISTS slot smallint NOT NULL DEFAULT 0;
-- unused since 0.1.0: the next statement checks less, so what 0.1.0 writes passes it too.
ALTER TABLE credentials DROP CONSTRAINT IF EXISTS credentials_kind_check;
ALTER TABLE credentials ADD CONSTRAINT credentials_kind_check
  CHECK (kind IN ('user_session', 'user_refresh', 'machine')) NOT VALID;
ALTER TABLE credentials ADD CONSTRAINT credentials_owner_check
  CHECK ((user_id IS NULL) = (service_account_id IS NOT NULL) AND (service_account_id IS NULL OR kind = 'machine')
    AND slot IN (0, 1) AND (slot = 0 OR kind = 'machine')) NOT VALID;

-- A token that goes with its organization leaves no live secret behind, which lists would show without an owner.
CREATE OR REPLACE FUNCTION delete_secrets_of_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM credentials WHERE session_family_id = OLD.id AND kind = 'machine' AND revoked_at IS NULL;
  RETURN NULL;
END
$$;
-- survived by 0.1.0: it deletes no row of the table but by cascades.
CREATE TRIGGER machine_tokens_secrets AFTER DELETE ON machine_tokens
  FOR EACH ROW EXECUTE FUNCTION delete_secrets_of_token();
