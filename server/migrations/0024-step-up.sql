-- When the person of a session last authenticated, and when with a second factor. Null for sessions of before, and for
-- those of OAuth clients.
ALTER TABLE credentials ADD COLUMN authenticated_at timestamptz, ADD COLUMN second_factor_at timestamptz;

-- The user handle of a person's passkeys (WebAuthn level 3, section 5.4.3): random bytes, made with the first of them.
ALTER TABLE users ADD COLUMN passkey_user_handle bytea;

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
  last_used_at timestamptz
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
  PRIMARY KEY (user_id, code_hash)
);

-- The user's version counts that a second factor was added or removed, not that one was used.
-- survived by 0.1.0: it writes no row of either table.
CREATE TRIGGER passkeys_version AFTER INSERT OR DELETE ON passkeys
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
-- survived by 0.1.0: as above.
CREATE TRIGGER totp_secrets_version AFTER INSERT OR DELETE ON totp_secrets
  FOR EACH ROW EXECUTE FUNCTION count_user_version();
