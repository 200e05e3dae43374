-- A row of organization_members is an invitation until it is accepted, and a membership from then on: never both, never
-- neither. What an accepted link leaves behind lets its page say that it was used.
ALTER TABLE organization_members
  ADD COLUMN spent_invitation_token_hash bytea UNIQUE,
  ADD CHECK ((joined_at IS NULL) = (invitation_token_hash IS NOT NULL)),
  ADD CHECK (invitation_accepted_at IS NULL OR joined_at IS NOT NULL),
  ADD CHECK (spent_invitation_token_hash IS NULL OR invitation_accepted_at IS NOT NULL);
