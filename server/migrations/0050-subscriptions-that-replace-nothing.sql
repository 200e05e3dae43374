-- The product that an organization had before its first payment event: what it goes on with when it turns out that no
-- subscription was ever in use. It is noted when a subscription first replaces it: empty is none, null is not noted.
ALTER TABLE subscriptions ADD COLUMN initial_product text;

-- Id at the payment provider of the organization's running subscription whose price names no product; null when there is
-- none. The console and `gatehouse doctor` show it.
ALTER TABLE subscriptions ADD COLUMN unread_subscription text;
