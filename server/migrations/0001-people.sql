-- People: their accounts, addresses and suspensions. docs/storage.md says for each table what it means, what always holds and
-- how long a row lives.

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
  -- The active membership. A foreign key would need an index of the column, and a switch of organization would then write
  -- to every index of the table; the trigger organization_members_clear_current does its work (decision 0039).
  current_membership uuid,
  credentials_revision integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the account was asked for, which every mail about it says, and by which browser, as SHA-256 of a random id in a
  -- sealed cookie. Null for accounts of other kinds.
  signed_up_at timestamptz,
  sign_up_browser_hash bytea,
  -- The user handle of the person's passkeys (WebAuthn level 3, section 5.4.3): random bytes, made with the first of them.
  passkey_user_handle bytea,
  -- Null for a person who is not suspended.
  suspended_at timestamptz,
  -- The language that the person has chosen for their account, as a BCP 47 tag; null until they choose one.
  language text,
  CHECK ((email_validation_token_hash IS NULL) = (email_validation_expires_at IS NULL))
) WITH (fillfactor = 90);
CREATE INDEX users_super_admins ON users (email) WHERE is_super_admin;
CREATE INDEX users_unverified ON users (email_validation_expires_at) WHERE email_validation_token_hash IS NOT NULL;
CREATE INDEX users_with_replaced_validation ON users (account_mail_sent_at)
  WHERE replaced_validation_token_hash IS NOT NULL;

-- The parts of a text: what follows each of its places, three characters long and shorter at its end. A text of three
-- characters or more can only occur where all of its parts do; a shorter one is the beginning of a part (decision 0039).
CREATE FUNCTION text_grams(searched text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array_agg(substr(searched, place, 3))) FROM generate_series(1, length(searched)) AS place
$$;

-- Without a pending list, which every search would read to its end.
CREATE INDEX users_by_grams ON users USING gin (text_grams(email || E'\n' || lower(name))) WITH (fastupdate = off);

-- Versions: what a cached actor was built from. The database counts them, so that no statement can forget to.
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END
$$;
CREATE TRIGGER users_version BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION count_version();

CREATE FUNCTION count_user_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE users SET name = name WHERE id = coalesce(NEW.user_id, OLD.user_id);
  RETURN NULL;
END
$$;

CREATE TABLE external_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  linked_at timestamptz NOT NULL DEFAULT now(),
  -- The provider's address for the person, when it was linked: for the person to recognise it, and for nothing else.
  email text,
  -- Whether the identity was linked by its address to an account that had a password, and its person has not been asked yet
  -- whether the password is theirs.
  password_in_question boolean NOT NULL DEFAULT false,
  PRIMARY KEY (issuer, subject),
  UNIQUE (user_id, issuer)
);
CREATE TRIGGER external_identities_version AFTER INSERT OR UPDATE OR DELETE ON external_identities
  FOR EACH ROW EXECUTE FUNCTION count_user_version();

-- A transaction that signs in with an identity, links it or creates an account by it holds its lock until it ends: two of one
-- identity come one after the other, although there is no row yet that either could hold. The seed is not that of the users'
-- lock, so that an identity never waits for a person whom it has nothing to do with.
CREATE FUNCTION lock_external_identity(issuer text, subject text) RETURNS boolean LANGUAGE sql VOLATILE AS $$
  SELECT pg_advisory_xact_lock(hashtextextended(issuer || ' ' || subject, 2)) IS NOT NULL
$$;

-- The newest change of each person's e-mail address: a request until its link is used, and from then on what undoing it
-- puts back. Until it can no longer be undone, no other account can have the old address.
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
  -- When the link to confirm expires, and once it is confirmed, the link to undo.
  expires_at timestamptz NOT NULL,
  -- When the old address was last told of a sign-up with it.
  notice_sent_at timestamptz,
  CHECK ((confirmed_at IS NULL) = (undo_token_hash IS NULL))
);
CREATE INDEX email_changes_by_old_email ON email_changes (old_email) WHERE confirmed_at IS NOT NULL;
CREATE INDEX email_changes_by_expiry ON email_changes (expires_at);

-- A sign-up that was deleted and whose address got a mail within the last hour: the next sign-up with it waits for the rest of
-- the hour (decision 0029).
CREATE TABLE rejected_sign_ups (
  address_digest text PRIMARY KEY,
  mailed_at timestamptz NOT NULL
);
CREATE INDEX rejected_sign_ups_by_mail ON rejected_sign_ups (mailed_at);

-- Suspensions of people, with their reasons, for super admins. The ids of those who acted outlive their accounts.
CREATE TABLE suspensions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  suspended_at timestamptz NOT NULL,
  suspended_by uuid NOT NULL,
  reason text NOT NULL,
  -- Null while the suspension lasts. `reinstated_by` is null as well where an operator ended it.
  reinstated_at timestamptz,
  reinstated_by uuid
);
CREATE INDEX suspensions_of_user ON suspensions (user_id, suspended_at);
