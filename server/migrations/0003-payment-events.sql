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
