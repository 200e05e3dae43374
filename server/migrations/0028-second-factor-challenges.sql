-- Sign-ins that wait for a second factor: the first one was proved, and no pair was issued.
CREATE TABLE second_factor_challenges (
  -- SHA-256 of the challenge, whose text the client alone has.
  challenge_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- Of the first factor; that of the session which the second one begins.
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
