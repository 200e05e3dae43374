-- A sign-up that its owner never confirmed comes to an end: it is rejected from the mail's second link, or deleted once its
-- last link has been dead for a week (decision 0029).

-- On a table of very many people it is built beforehand, by hand (docs/upgrading.md). It comes
-- first: the locks of what follows are short, and would otherwise last as long as it takes.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS users_unverified ON users (email_validation_expires_at) WHERE email_validation_token_hash IS NOT NULL;

-- When the account was asked for, which every mail about it says, and by which browser, as SHA-256 of a random id in a
-- sealed cookie. Null for accounts of other kinds, and of before.
ALTER TABLE users ADD COLUMN signed_up_at timestamptz, ADD COLUMN sign_up_browser_hash bytea;

-- A deleted sign-up whose address got a mail within the last hour: the next sign-up with it waits for the rest of the hour.
CREATE TABLE rejected_sign_ups (
  address_digest text PRIMARY KEY,
  mailed_at timestamptz NOT NULL
);
CREATE INDEX rejected_sign_ups_by_mail ON rejected_sign_ups (mailed_at);

-- Whether the identity was linked by its address to an account that had a password, and its person has not been asked yet
-- whether the password is theirs.
ALTER TABLE external_identities ADD COLUMN password_in_question boolean NOT NULL DEFAULT false;
