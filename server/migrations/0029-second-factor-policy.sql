-- Whether members hold scopes and roles only in sessions with a second factor.
ALTER TABLE organizations ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;
