-- What the service needs to run: mail that waits, jobs that run once across all processes, and where the database is.

CREATE TABLE mail_outbox (
  id uuid PRIMARY KEY,
  sealed_message bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at);

-- A job runs once across all processes (decision 0020).
CREATE TABLE scheduled_jobs (
  name text PRIMARY KEY,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- The run that has the job, and how long it may be silent before another takes it over.
  run_id uuid,
  lease_ends_at timestamptz,
  -- In a row.
  failures integer NOT NULL DEFAULT 0,
  last_succeeded_at timestamptz,
  -- Of all runs that came to an end.
  deleted_rows bigint NOT NULL DEFAULT 0,
  CHECK ((run_id IS NULL) = (lease_ends_at IS NULL))
);

-- Where the database is, and when a process last found it there: a backup that was restored shows as another place (decision
-- 0087).
CREATE TABLE database_origin (
  -- One row.
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  system_identifier text NOT NULL,
  timeline text NOT NULL,
  -- Of the database and of this table: a dump that is loaded gets others.
  object_ids text NOT NULL,
  seen_at timestamptz NOT NULL,
  -- A change that may be a restored backup, until `gatehouse after-restore` settles it, and `seen_at` as of before.
  change text CHECK (change IN ('DUMP', 'SERVER', 'TIMELINE')),
  changed_after timestamptz,
  CHECK ((change IS NULL) = (changed_after IS NULL))
);
