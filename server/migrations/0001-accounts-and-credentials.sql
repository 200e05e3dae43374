-- People, the tenants they belong to, what those pay for, the credentials they carry, and the mail that waits for them.
-- docs/storage.md says for each table what it means, what always holds and how long a row lives.

CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  name text NOT NULL,
  password_hash text,
  email_validated_at timestamptz,
  email_validation_token_hash bytea UNIQUE,
  email_validation_expires_at timestamptz,
  email_validation_redirect text,
  replaced_validation_token_hash bytea UNIQUE,
  account_mail_sent_at timestamptz,
  is_super_admin boolean NOT NULL DEFAULT false,
  platform_scopes text[] NOT NULL DEFAULT '{}',
  current_membership uuid,
  credentials_revision integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((email_validation_token_hash IS NULL) = (email_validation_expires_at IS NULL))
);

CREATE TABLE external_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  linked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
);

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE subscriptions (
  organization_id uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'TRIALING', 'PAST_DUE', 'CANCELED', 'NONE')),
  product text,
  current_period_ends_at timestamptz
);

CREATE TABLE organization_members (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('OWNER', 'ADMIN', 'MEMBER')),
  joined_at timestamptz,
  invitation_token_hash bytea UNIQUE,
  invitation_expires_at timestamptz,
  invitation_accepted_at timestamptz,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, organization_id),
  CHECK ((invitation_token_hash IS NULL) = (invitation_expires_at IS NULL))
);
CREATE INDEX organization_members_by_organization ON organization_members (organization_id);

ALTER TABLE users ADD CONSTRAINT users_current_membership_fkey
  FOREIGN KEY (current_membership) REFERENCES organization_members ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE credentials (
  id uuid PRIMARY KEY,
  token_hash bytea NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('user_session', 'user_refresh')),
  session_family_id uuid NOT NULL,
  pair_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  credentials_revision integer NOT NULL,
  audience text NOT NULL,
  auth_method text NOT NULL,
  scopes text[] NOT NULL DEFAULT '{}',
  organization_id uuid,
  membership_id uuid,
  issued_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  family_expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  revocation_reason text,
  issue_ip text,
  issue_user_agent text,
  last_seen_at timestamptz,
  last_seen_ip text,
  CHECK (expires_at <= family_expires_at),
  CHECK ((revoked_at IS NULL) = (revocation_reason IS NULL))
);
-- At most one live pair of a family, whatever the code above does.
CREATE UNIQUE INDEX credentials_live_in_family ON credentials (session_family_id, kind) WHERE revoked_at IS NULL;
CREATE INDEX credentials_live_of_user ON credentials (user_id) WHERE revoked_at IS NULL;

-- Whoever writes rows of a session family holds its lock until the transaction ends. A revocation that waited for a
-- rotation thus sees the new pair, and two of them never wait for each other's rows in a circle.
CREATE FUNCTION lock_session_family(family uuid) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(family::text, 0)) IS NOT NULL
$$;

CREATE TABLE mail_outbox (
  id uuid PRIMARY KEY,
  sealed_message bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);

-- Versions: what a cached actor was built from. The database counts them, so that no statement can forget to.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER users_version BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER organizations_version BEFORE UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER organization_members_version BEFORE UPDATE ON organization_members
  FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE FUNCTION count_organization_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE organizations SET name = name WHERE id = coalesce(NEW.organization_id, OLD.organization_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER subscriptions_version AFTER INSERT OR UPDATE OR DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION count_organization_version();

CREATE FUNCTION count_user_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET name = name WHERE id = coalesce(NEW.user_id, OLD.user_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER external_identities_version AFTER INSERT OR UPDATE OR DELETE ON external_identities
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
