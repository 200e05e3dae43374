-- Passkeys, one-time codes and recovery codes, the challenges that prove them, and those that an account had before.

CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Chosen by the authenticator.
  credential_id bytea NOT NULL UNIQUE,
  -- COSE (RFC 9052).
  public_key bytea NOT NULL,
  signature_counter bigint NOT NULL,
  transports text[] NOT NULL,
  -- The passkey works only where the service's relying party id is this one.
  relying_party_id text NOT NULL,
  is_backed_up boolean NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz,
  -- Whether the passkey may be copied to other devices, which never changes (WebAuthn level 3, section 6.1.3). Null where
  -- that is not known until its next use.
  is_backup_eligible boolean
);
CREATE INDEX passkeys_of_user ON passkeys (user_id, created_at);

-- One-time codes (RFC 6238) that their person has not confirmed yet; the newest alone.
CREATE TABLE totp_enrolments (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed_secret bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX totp_enrolments_by_expiry ON totp_enrolments (expires_at);

CREATE TABLE totp_secrets (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  sealed_secret bytea NOT NULL,
  confirmed_at timestamptz NOT NULL DEFAULT now(),
  -- The newest time step of which a code was accepted: no code of it, or of an earlier one, is accepted again.
  last_step bigint NOT NULL
);

CREATE TABLE recovery_codes (
  user_id uuid NOT NULL REFERENCES totp_secrets (user_id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  -- Undoing a change of address takes away the codes that are newer than its request.
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, code_hash)
);

-- The user's version counts that a second factor was added or removed, not that one was used.
CREATE TRIGGER passkeys_version AFTER INSERT OR DELETE ON passkeys
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
CREATE TRIGGER totp_secrets_version AFTER INSERT OR DELETE ON totp_secrets
  FOR EACH ROW EXECUTE FUNCTION count_user_version();

-- Challenges of passkeys (WebAuthn level 3, section 13.4.3), by their hash, until they are used or expire.
CREATE TABLE passkey_challenges (
  -- SHA-256 of the challenge as base64url.
  challenge_hash bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('register', 'sign_in', 'reauthenticate')),
  -- The person who is signed in; null for a sign-in.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  CHECK ((user_id IS NULL) = (purpose = 'sign_in'))
);
CREATE INDEX passkey_challenges_by_expiry ON passkey_challenges (expires_at);
CREATE INDEX passkey_challenges_of_user ON passkey_challenges (user_id) WHERE user_id IS NOT NULL;

-- Sign-ins that wait for a second factor: the first one was proved, and no pair was issued.
CREATE TABLE second_factor_challenges (
  -- SHA-256 of the challenge, whose text the client alone has.
  challenge_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The first factor's; the session which the second one begins has the same.
  auth_method text NOT NULL,
  -- When the first factor was proved.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The challenge ends when either of these is no longer the user's. The digest is SHA-256 of the password's hash; null
  -- for a user without a password.
  credentials_revision integer NOT NULL,
  password_digest bytea,
  tries_left smallint NOT NULL DEFAULT 5 CHECK (tries_left >= 0),
  expires_at timestamptz NOT NULL
);
CREATE INDEX second_factor_challenges_by_expiry ON second_factor_challenges (expires_at);
CREATE INDEX second_factor_challenges_of_user ON second_factor_challenges (user_id);

-- Passwords, passkeys, one-time codes, recovery codes and links to a provider that an account had and lost, as they were
-- stored: undoing a change of address puts back those of 72 hours before its request.
CREATE TABLE former_authenticators (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Name of the table that had it.
  kind text NOT NULL,
  -- Null for a password.
  added_at timestamptz,
  -- Not the beginning of the transaction, which may have waited for another change of the account.
  replaced_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The row; of a person their `password_hash` alone, which may be null.
  stored jsonb NOT NULL
);
CREATE INDEX former_authenticators_of_user ON former_authenticators (user_id, replaced_at);
CREATE INDEX former_authenticators_by_time ON former_authenticators (replaced_at);

-- Argument: the column that says when the row was added. With an account goes all that is kept of it.
CREATE FUNCTION keep_former_authenticator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_authenticators (user_id, kind, added_at, stored)
    SELECT u.id, TG_TABLE_NAME, (to_jsonb(OLD) ->> TG_ARGV[0])::timestamptz, to_jsonb(OLD)
    FROM users u WHERE u.id = OLD.user_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER passkeys_former AFTER DELETE ON passkeys
  FOR EACH ROW EXECUTE FUNCTION keep_former_authenticator('created_at');
CREATE TRIGGER totp_secrets_former AFTER DELETE ON totp_secrets
  FOR EACH ROW EXECUTE FUNCTION keep_former_authenticator('confirmed_at');
-- A use of a code, which seals the same secret again, replaces nothing.
CREATE TRIGGER totp_secrets_replaced AFTER UPDATE OF sealed_secret ON totp_secrets FOR EACH ROW
  WHEN (OLD.confirmed_at IS DISTINCT FROM NEW.confirmed_at)
  EXECUTE FUNCTION keep_former_authenticator('confirmed_at');
CREATE TRIGGER recovery_codes_former AFTER DELETE ON recovery_codes
  FOR EACH ROW EXECUTE FUNCTION keep_former_authenticator('created_at');
CREATE TRIGGER external_identities_former AFTER DELETE ON external_identities
  FOR EACH ROW EXECUTE FUNCTION keep_former_authenticator('linked_at');

CREATE FUNCTION keep_former_password() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_authenticators (user_id, kind, stored)
    VALUES (OLD.id, TG_TABLE_NAME, jsonb_build_object('password_hash', OLD.password_hash));
  RETURN NULL;
END
$$;
-- A password of an address that was not proven is no earlier state of the account: its owner may not have set it.
CREATE TRIGGER users_former_password AFTER UPDATE OF password_hash ON users FOR EACH ROW
  WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash AND OLD.email_validated_at IS NOT NULL)
  EXECUTE FUNCTION keep_former_password();
