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
