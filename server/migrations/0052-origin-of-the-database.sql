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
