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
