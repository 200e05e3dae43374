/** Owns what a suspended person learns who proved themself, and whether a person is suspended. */
import { Refusal } from '../../kernel/errors.ts';
import { statement } from '../../platform/database/statement.ts';

/** Only for a caller who proved that the account is theirs: others learn nothing of a suspension. */
export const accountSuspended = (userId: string): Refusal =>
  new Refusal('ACCOUNT_SUSPENDED', 'This account is suspended. Contact the operator of this service.', { userId });

/** A row exactly for a suspended person. */
export const findSuspended = statement<{ readonly suspendedAt: Date }, [userId: string]>(
  'users.find_suspended',
  'SELECT suspended_at AS "suspendedAt" FROM users WHERE id = $1 AND suspended_at IS NOT NULL',
);
