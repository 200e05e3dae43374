/** Removal of a user's second factors by others than the user: all of them, or those that are newer than an instant. */
import { statement, type Transaction } from '../../platform/database/database.ts';
import { forgetFormer } from './former-authenticators.ts';

/** Counts of what was removed. */
export interface RemovedFactors {
  readonly passkeys: number;
  readonly oneTimeCodes: boolean;
  readonly recoveryCodes: number;
}

type Since = [userId: string, since: Date | null];

const deleting = (table: string, addedAt: string) =>
  statement<unknown, Since>(
    `factors.delete_${table}`,
    `DELETE FROM ${table} WHERE user_id = $1 AND ($2::timestamptz IS NULL OR ${addedAt} > $2)`,
  );

const deletePasskeys = deleting('passkeys', 'created_at');
const deleteRecoveryCodes = deleting('recovery_codes', 'created_at');
const deleteSecrets = deleting('totp_secrets', 'confirmed_at');

/** A set-up that was begun and not confirmed counts as new: it lives for minutes. */
const deleteEnrolments = statement<unknown, [userId: string]>(
  'factors.delete_enrolments',
  'DELETE FROM totp_enrolments WHERE user_id = $1',
);

/**
 * Deletes passkeys, one-time codes, recovery codes and enrolments; the caller holds the user's row.
 * @param since added later; null: all, and none comes back when a change of address is undone
 */
export const removeFactors = async (
  transaction: Transaction,
  userId: string,
  since: Date | null,
): Promise<RemovedFactors> => {
  const passkeys = await transaction.execute(deletePasskeys, [userId, since]);
  const recoveryCodes = await transaction.execute(deleteRecoveryCodes, [userId, since]);
  const secrets = await transaction.execute(deleteSecrets, [userId, since]);
  await transaction.execute(deleteEnrolments, [userId]);
  if (since === null) await transaction.execute(forgetFormer, [userId, ['passkeys', 'totp_secrets', 'recovery_codes']]);
  return { passkeys, oneTimeCodes: secrets > 0, recoveryCodes };
};
