-- Session governance pages through the live credentials of everybody, the newest first.
CREATE INDEX credentials_live_by_issue ON credentials (issued_at, id) WHERE revoked_at IS NULL;
