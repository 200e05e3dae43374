-- Of a pair that replaced another one: that pair, until the first use of this one; and when another pair was issued in its
-- place before any use, or when it was itself issued in such a place.
ALTER TABLE credentials ADD COLUMN unused_after uuid, ADD COLUMN recovered_at timestamptz;
