-- The newest change of each person's e-mail address: a request until its link is used, and from then on what undoing it
-- puts back. Until it can no longer be undone, nobody else can have the old address.
CREATE TABLE email_changes (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  new_email text NOT NULL,
  -- As of the request.
  old_email text NOT NULL,
  old_password_hash text,
  -- A request counts only while it is the person's: signing out everywhere ends it.
  credentials_revision integer NOT NULL,
  token_hash bytea NOT NULL UNIQUE,
  requested_at timestamptz NOT NULL DEFAULT now(),
  confirmed_at timestamptz,
  undo_token_hash bytea UNIQUE,
  -- Of the link to confirm, and once it is confirmed of the link to undo.
  expires_at timestamptz NOT NULL,
  -- When the old address was last told of a sign-up with it.
  notice_sent_at timestamptz,
  CHECK ((confirmed_at IS NULL) = (undo_token_hash IS NULL))
);
CREATE INDEX email_changes_by_old_email ON email_changes (old_email) WHERE confirmed_at IS NOT NULL;
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

-- Undoing a change takes away the codes that are newer than its request.
ALTER TABLE recovery_codes ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
