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
-- survived by 0.1.0: it refuses no row, and what a process of before replaces is kept too.
CREATE TRIGGER passkeys_former AFTER DELETE ON passkeys
  FOR EACH ROW EXECUTE FUNCTION keep_former_authenticator('created_at');
-- survived by 0.1.0: as above.
CREATE TRIGGER totp_secrets_former AFTER DELETE ON totp_secrets
  FOR EACH ROW EXECUTE FUNCTION keep_former_authenticator('confirmed_at');
-- survived by 0.1.0: as above. A use of a code, which seals the same secret again, replaces nothing.
CREATE TRIGGER totp_secrets_replaced AFTER UPDATE OF sealed_secret ON totp_secrets FOR EACH ROW
  WHEN (OLD.confirmed_at IS DISTINCT FROM NEW.confirmed_at)
  EXECUTE FUNCTION keep_former_authenticator('confirmed_at');
-- survived by 0.1.0: as above.
CREATE TRIGGER recovery_codes_former AFTER DELETE ON recovery_codes
  FOR EACH ROW EXECUTE FUNCTION keep_former_authenticator('created_at');
-- survived by 0.1.0: as above.
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
-- survived by 0.1.0: as above.
CREATE TRIGGER users_former_password AFTER UPDATE OF password_hash ON users FOR EACH ROW
  WHEN (OLD.password_hash IS DISTINCT FROM NEW.password_hash AND OLD.email_validated_at IS NOT NULL)
  EXECUTE FUNCTION keep_former_password();
