-- When a deleted organization is gone for good; null for every other. Until then an owner can restore it.
ALTER TABLE organizations ADD COLUMN deletes_at timestamptz;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX IF NOT EXISTS organizations_deleted ON organizations (deletes_at) WHERE deletes_at IS NOT NULL;
