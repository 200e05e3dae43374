-- How often something was done lately. One row for each limit and subject: the instant at which the subject would have
-- been due, had it kept to the limit's pace; nothing else needs to be remembered.
CREATE TABLE rate_limits (
  key text PRIMARY KEY,
  due_at timestamptz NOT NULL
);
