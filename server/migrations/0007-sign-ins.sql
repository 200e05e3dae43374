-- Attempts to sign in, and what the service remembers for a browser between two requests.

-- What was typed is not stored.
CREATE TABLE sign_ins (
  -- A success has the id of the access credential that it was issued.
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT now(),
  -- Null where the attempt names no known person.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  method text NOT NULL,
  -- `success`, or the code of the refusal.
  outcome text NOT NULL,
  ip inet,
  user_agent text,
  session_family_id uuid,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ins_by_time ON sign_ins (at, id);
CREATE INDEX sign_ins_of_user ON sign_ins (user_id, at, id);
CREATE INDEX sign_ins_by_outcome ON sign_ins (outcome, at, id);
CREATE INDEX sign_ins_by_method ON sign_ins (method, at, id);
-- By the first 24 bits of an IPv4 address and the first 48 of an IPv6 address.
CREATE INDEX sign_ins_by_site ON sign_ins (
  network(set_masklen(ip, CASE family(ip) WHEN 4 THEN 24 ELSE 48 END)), at, id);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);

-- How many attempts were refused on a day, by its number since 1970 (UTC): of a person, or with a null id of no known person.
-- Those beyond a limit are counted here alone.
CREATE TABLE refused_sign_ins (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  day integer NOT NULL,
  attempts integer NOT NULL,
  -- How many of them have a row in `sign_ins`.
  listed integer NOT NULL,
  expires_at timestamptz NOT NULL,
  UNIQUE NULLS NOT DISTINCT (user_id, day)
);
CREATE INDEX refused_sign_ins_by_expiry ON refused_sign_ins (expires_at);

-- What the service remembers for a browser.
CREATE TABLE helper_session_entries (
  session_hash bytea NOT NULL,
  name text NOT NULL,
  sealed_value bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (session_hash, name)
);
CREATE INDEX helper_session_entries_by_expiry ON helper_session_entries (expires_at);

-- Identities that a provider has proved and that wait for the portal to fetch them.
CREATE TABLE external_exchanges (
  secret_hash bytea PRIMARY KEY,
  sealed_identity bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX external_exchanges_by_expiry ON external_exchanges (expires_at);
