-- The application defines roles beside OWNER, ADMIN and MEMBER, so the database knows only their form. The index holds
-- the few rows with a defined role: each start looks for roles that the definition no longer has.
-- unused since 0.1.0: the next statement checks less, so what 0.1.0 writes passes it too.
ALTER TABLE organization_members DROP CONSTRAINT IF EXISTS organization_members_role_check;
ALTER TABLE organization_members ADD CONSTRAINT organization_members_role_check
  CHECK (role ~ '^[A-Z][A-Z0-9_]{1,31}$') NOT VALID;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS organization_members_with_defined_role ON organization_members (role)
  WHERE role NOT IN ('OWNER', 'ADMIN', 'MEMBER');
