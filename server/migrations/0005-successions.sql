-- A family that took the place of another one, when its person switched organizations, says of which: whoever signs that
-- one out at the same moment means this one too.
ALTER TABLE credentials ADD COLUMN succeeds_family_id uuid;
CREATE UNIQUE INDEX credentials_one_successor ON credentials (succeeds_family_id, kind)
  WHERE succeeds_family_id IS NOT NULL;

-- Whoever deletes a membership has the database look for people in whom it is the active one.
CREATE INDEX users_in_membership ON users (current_membership) WHERE current_membership IS NOT NULL;
