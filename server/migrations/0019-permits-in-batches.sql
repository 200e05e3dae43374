-- Permits of one limit that several requests take at the same time are counted by one statement, each subject in one row
-- (`platform/rate-limit/permit-batches.ts`). The statement writes here how many it granted to the subject: RETURNING
-- shows only the new row, from which that number cannot be told. No other statement reads it.
ALTER TABLE rate_limits ADD COLUMN granted integer;
