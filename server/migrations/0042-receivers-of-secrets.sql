-- Whom each live secret of a token was shown to: `issued_to` says it of the newest one, the new column of the one that lives on
-- until the overlap ends. What `issued_to` says stays true. Of a secret that is in its overlap during the migration the
-- receiver is not known any more; it ends within seven days.
ALTER TABLE machine_tokens ADD COLUMN previous_issued_to uuid;

-- The deletion of a person, and the mail about a person who left, look for the tokens of which they saw a secret.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX machine_tokens_by_previous_receiver ON machine_tokens (previous_issued_to)
  WHERE previous_issued_to IS NOT NULL;

-- At the end: it blocks writes to `users`, while it reads the tokens once more.
-- squawk-ignore adding-foreign-key-constraint, constraint-missing-not-valid
ALTER TABLE machine_tokens ADD CONSTRAINT machine_tokens_previous_issued_to_fkey
  FOREIGN KEY (previous_issued_to) REFERENCES users (id) ON DELETE SET NULL;
