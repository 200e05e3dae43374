-- Organizations, their members and invitations, and what they pay for.

CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When a deleted organization is gone for good; null for every other. Until then an owner can restore it.
  deletes_at timestamptz,
  -- Whether members hold scopes and roles only in sessions with a second factor.
  require_second_factor boolean NOT NULL DEFAULT false,
  -- What the organization allows its machine tokens, and which MCP clients it lets in. Its version counts a change, so that
  -- neither a token nor a call is judged by an old policy.
  personal_tokens text NOT NULL DEFAULT 'ALLOWED'
    CONSTRAINT organizations_personal_tokens_check CHECK (personal_tokens IN ('ALLOWED', 'APPROVAL', 'FORBIDDEN')),
  max_token_lifetime_days integer NOT NULL DEFAULT 366
    CONSTRAINT organizations_max_token_lifetime_check CHECK (max_token_lifetime_days BETWEEN 1 AND 366),
  token_networks text[] NOT NULL DEFAULT '{}'
    CONSTRAINT organizations_token_networks_check CHECK (cardinality(token_networks) <= 50),
  mcp_clients text NOT NULL DEFAULT 'ANY'
    CONSTRAINT organizations_mcp_clients_check CHECK (mcp_clients IN ('ANY', 'LISTED', 'NONE')),
  mcp_client_ids text[] NOT NULL DEFAULT '{}'
    CONSTRAINT organizations_mcp_client_ids_check CHECK (cardinality(mcp_client_ids) <= 100),
  mcp_redirect_hosts text[] NOT NULL DEFAULT '{}'
    CONSTRAINT organizations_mcp_redirect_hosts_check CHECK (cardinality(mcp_redirect_hosts) <= 100)
);
CREATE INDEX organizations_deleted ON organizations (deletes_at) WHERE deletes_at IS NOT NULL;
CREATE INDEX organizations_by_name ON organizations (name, id);
CREATE INDEX organizations_by_grams ON organizations USING gin (text_grams(lower(name))) WITH (fastupdate = off);
CREATE TRIGGER organizations_version BEFORE UPDATE ON organizations FOR EACH ROW EXECUTE FUNCTION count_version();

-- A row is an invitation until it is accepted, and a membership from then on: never both, never neither. What an accepted
-- link leaves behind lets its page say that it was used.
CREATE TABLE organization_members (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- The application defines roles beside OWNER, ADMIN and MEMBER, so the database knows only their form.
  role text NOT NULL CHECK (role ~ '^[A-Z][A-Z0-9_]{1,31}$'),
  joined_at timestamptz,
  invitation_token_hash bytea UNIQUE,
  invitation_expires_at timestamptz,
  invitation_accepted_at timestamptz,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  spent_invitation_token_hash bytea UNIQUE,
  UNIQUE (user_id, organization_id),
  CHECK ((invitation_token_hash IS NULL) = (invitation_expires_at IS NULL)),
  CHECK ((joined_at IS NULL) = (invitation_token_hash IS NOT NULL)),
  CHECK (invitation_accepted_at IS NULL OR joined_at IS NOT NULL),
  CHECK (spent_invitation_token_hash IS NULL OR invitation_accepted_at IS NOT NULL)
);
CREATE INDEX organization_members_by_organization ON organization_members (organization_id);
-- Each start looks for roles that the definition no longer has.
CREATE INDEX organization_members_with_defined_role ON organization_members (role)
  WHERE role NOT IN ('OWNER', 'ADMIN', 'MEMBER');
CREATE TRIGGER organization_members_version BEFORE UPDATE ON organization_members
  FOR EACH ROW EXECUTE FUNCTION count_version();

-- Deletes the reference of a user whose active membership is deleted, in the same transaction. It first waits for a switch
-- in progress, which holds the user's row, and then sees its result; a later switch does not find the membership.
CREATE FUNCTION clear_current_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM users WHERE id = OLD.user_id FOR NO KEY UPDATE;
  UPDATE users SET current_membership = NULL WHERE id = OLD.user_id AND current_membership = OLD.id;
  RETURN NULL;
END
$$;
-- An invitation is never the active membership, and a transaction that accepts one locks the user before the invitation: its
-- deletion must not lock the user after it.
CREATE TRIGGER organization_members_clear_current AFTER DELETE ON organization_members
  FOR EACH ROW WHEN (OLD.joined_at IS NOT NULL) EXECUTE FUNCTION clear_current_membership();

CREATE TABLE subscriptions (
  organization_id uuid PRIMARY KEY REFERENCES organizations ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('ACTIVE', 'TRIALING', 'PAST_DUE', 'CANCELED', 'NONE')),
  product text,
  current_period_ends_at timestamptz,
  -- The product that the organization had before its first payment event: what it goes on with when it turns out that no
  -- subscription was ever in use. It is noted when a subscription first replaces it: empty is none, null is not noted.
  initial_product text,
  -- Id at the payment provider of the organization's running subscription whose price names no product; null when there is
  -- none. The console and `gatehouse doctor` show it.
  unread_subscription text
);
CREATE FUNCTION count_organization_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE organizations SET name = name WHERE id = coalesce(NEW.organization_id, OLD.organization_id);
  RETURN NULL;
END
$$;
CREATE TRIGGER subscriptions_version AFTER INSERT OR UPDATE OR DELETE ON subscriptions
  FOR EACH ROW EXECUTE FUNCTION count_organization_version();

-- What the payment provider told us: one row for each of its events, with the few facts that decide what an organization
-- pays for. Rows are only ever added; `subscriptions` is computed from them, in whatever order they came.
CREATE TABLE payment_events (
  event_id text COLLATE "C" PRIMARY KEY,
  type text NOT NULL,
  -- The provider's clock, in whole seconds.
  created_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  customer text,
  -- As the event names it; whether there is such an organization is another question.
  organization_id uuid,
  subscription_id text,
  status text CHECK (status IN ('ACTIVE', 'TRIALING', 'PAST_DUE', 'CANCELED')),
  product text,
  current_period_ends_at timestamptz,
  -- Among events of one second: whether the subscription is over, and how far it has come.
  is_final boolean,
  lifecycle smallint,
  CHECK ((subscription_id IS NULL) = (status IS NULL)),
  CHECK ((subscription_id IS NULL) = (is_final IS NULL)),
  CHECK ((subscription_id IS NULL) = (lifecycle IS NULL)),
  CHECK (subscription_id IS NULL OR customer IS NOT NULL)
);
CREATE INDEX payment_events_of_subscription ON payment_events (subscription_id) WHERE subscription_id IS NOT NULL;
CREATE INDEX payment_events_of_customer ON payment_events (customer) WHERE customer IS NOT NULL;
CREATE INDEX payment_events_of_organization ON payment_events (organization_id) WHERE organization_id IS NOT NULL;
