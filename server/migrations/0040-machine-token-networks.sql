-- The networks that a token was used from (docs/machine-tokens.md): the first use from each is a row of the audit of the
-- organization. It ends with the token.
CREATE TABLE machine_token_networks (
  token_id uuid NOT NULL REFERENCES machine_tokens (id) ON DELETE CASCADE,
  -- A /24, or a /48 of IPv6.
  network text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  PRIMARY KEY (token_id, network)
);

-- Reminders look for the secrets that expire soon.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS credentials_of_machines_by_expiry ON credentials (expires_at)
  WHERE kind = 'machine' AND revoked_at IS NULL;
