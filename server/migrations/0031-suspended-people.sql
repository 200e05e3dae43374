-- Since when a person is suspended; null for every other person.
ALTER TABLE users ADD COLUMN suspended_at timestamptz;

-- Suspensions of people, with their reasons, for super admins. The ids of those who acted outlive their accounts.
CREATE TABLE suspensions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  suspended_at timestamptz NOT NULL,
  suspended_by uuid NOT NULL,
  reason text NOT NULL,
  -- Null while the suspension lasts. `reinstated_by` is null as well where an operator ended it.
  reinstated_at timestamptz,
  reinstated_by uuid
);
CREATE INDEX suspensions_of_user ON suspensions (user_id, suspended_at);

-- A super admin who holds every platform scope of before holds the new one too.
UPDATE users SET platform_scopes = platform_scopes || '{users:suspend}'
WHERE is_super_admin AND platform_scopes @> '{mcp:whoami,mcp:catalog:view,mcp:audit:view,mcp:access:view,sessions:view,sessions:revoke,users:view,organizations:view,invitations:manage}';
