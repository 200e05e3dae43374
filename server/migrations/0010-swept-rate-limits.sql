-- Rows whose instant is past mean nothing, and anybody can leave one: they are swept, the oldest first.
CREATE INDEX rate_limits_by_due_at ON rate_limits (due_at);
