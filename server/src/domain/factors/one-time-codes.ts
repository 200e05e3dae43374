/**
 * Operations of a user on their one-time codes (contract/account.md#set-up-of-one-time-codes): beginTotp, confirmTotp,
 * disableTotp, regenerateRecoveryCodes; the SQL that adds and removes them.
 */
import { Refusal } from '../../kernel/errors.ts';
import { databaseNow, statement, type Transaction } from '../../platform/database/database.ts';
import { deletingExpired } from '../../platform/jobs/scheduled-jobs.ts';
import type { EventAt } from '../../platform/observability/events.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { Actor } from '../access/actor.ts';
import { liveTransaction, notAllowed, requireNoPendingUndo } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { endRequestedChange } from '../users/email-changes-store.ts';
import { lockUserRow } from '../users/users-store.ts';
import {
  type CodeDeps,
  openTotpSecret,
  type PresentedCode,
  sealTotpSecret,
  withCodePermits,
  wrongCode,
} from './check-code.ts';
import { hashRecoveryCode, keyUriOf, newRecoveryCodes, newTotpSecret, timeStepOf, typedCode } from './codes.ts';
import { authorizeFactorChange, findOneTimeCodes, recordSecondFactor, secondFactorsOf } from './second-factors.ts';

type OneTimeCodesDeps = CodeDeps & Deps<'application' | 'database'> & Settings<'relyingParty'>;

/** The source object of the GraphQL type TotpEnrolment. */
export interface TotpEnrolment {
  readonly expiresAt: Date;
  /** Base32 (RFC 4648). */
  readonly secret: string;
  /** Key URI, `otpauth://`. */
  readonly uri: string;
}

/** Work of a change of factors: under the user's row, authorized, in a session that is live at its end. */
const changingFactors = <Result>(
  { database, settings }: Deps<'database'> & Settings<'relyingParty'>,
  actor: Actor,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> =>
  liveTransaction(database, actor, async (transaction) => {
    await transaction.maybeOne(lockUserRow, [actor.user.id]);
    await authorizeFactorChange(transaction, actor, settings);
    return work(transaction);
  });

/** A secret for {@link confirmTotp}, for 10 minutes. @throws Refusal as {@link disableTotp}, except FORBIDDEN */
export const beginTotp = (deps: OneTimeCodesDeps, actor: Actor): Promise<TotpEnrolment> => {
  const { id: userId, email } = actor.user;
  const secret = newTotpSecret();
  return changingFactors(deps, actor, async (transaction) => {
    const sealed = sealTotpSecret(deps.keyring, userId, secret);
    const { expiresAt } = await transaction.one(insertEnrolment, [userId, sealed]);
    return { expiresAt, secret, uri: keyUriOf(secret, deps.application.name, email) };
  });
};

/**
 * Adds or replaces the secret, once a code shows that the app has it. A first factor also counts for this session.
 * @returns recovery codes, in place of those before
 * @throws Refusal CHALLENGE_REFUSED: nothing was begun, or it expired; INVALID_CREDENTIALS; FORBIDDEN: codes older than
 *   a change of address that can be undone; RATE_LIMITED; REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED,
 *   UNAUTHENTICATED
 */
export const confirmTotp = (
  deps: OneTimeCodesDeps,
  actor: Actor,
  presented: Omit<PresentedCode, 'userId'>,
): Promise<readonly string[]> =>
  withCodePermits(
    deps,
    { ...presented, userId: actor.user.id },
    () => changingFactors(deps, actor, (transaction) => confirm(deps, transaction, actor, presented.code)),
    rateLimits.oneTimeCodeSetUp,
  );

const confirm = async (
  deps: OneTimeCodesDeps,
  transaction: Transaction,
  actor: Actor,
  code: string,
): Promise<readonly string[]> => {
  const { id: userId } = actor.user;
  const begun = await transaction.maybeOne(takeEnrolment, [userId]);
  const secret = begun === null ? null : openTotpSecret(deps.keyring, userId, begun.sealedSecret);
  if (secret === null) throw nothingBegun();
  const step = timeStepOf(secret, typedCode(code), await databaseNow(transaction));
  if (step === null) throw wrongCode();
  const { hasOneTimeCodes: isReplacement, passkeys } = await secondFactorsOf(transaction, userId, deps.settings);
  if (isReplacement) await releaseCodes(transaction, userId);
  await transaction.execute(setTotpSecret, [userId, sealTotpSecret(deps.keyring, userId, secret), step]);
  const codes = await replaceRecoveryCodes(transaction, userId);
  // A code of a new secret proves nothing of an account that has a factor already.
  if (!isReplacement && passkeys === 0) await recordSecondFactor(transaction, actor);
  await announce(deps, transaction, actor, {
    mail: isReplacement ? 'oneTimeCodesReplaced' : 'oneTimeCodesAdded',
    event: 'auth.one_time_codes_added',
    message: 'A person added one-time codes to their account',
  });
  return codes;
};

/**
 * Before codes go: an undo of a change of address must leave those of before. A change that is only requested ends.
 * @throws Refusal FORBIDDEN: a change of address can still be undone
 */
const releaseCodes = async (transaction: Transaction, userId: string): Promise<void> => {
  await requireNoPendingUndo(transaction, userId, await transaction.one(findConfirmation, [userId]));
  await transaction.execute(endRequestedChange, [userId]);
};

const nothingBegun = (): Refusal =>
  new Refusal('CHALLENGE_REFUSED', 'This set-up has expired. Start it again, with a new QR code.');

/**
 * Removes one-time codes and recovery codes, if there are any.
 * @throws Refusal FORBIDDEN: a change of address can still be undone; REAUTHENTICATION_REQUIRED,
 *   SECOND_FACTOR_REQUIRED, UNAUTHENTICATED
 */
export const disableTotp = (deps: OneTimeCodesDeps, actor: Actor): Promise<void> =>
  changingFactors(deps, actor, async (transaction) => {
    await transaction.execute(deleteEnrolment, [actor.user.id]);
    await requireNoPendingUndo(transaction, actor.user.id, { addedAt: null });
    if ((await transaction.execute(deleteTotpSecret, [actor.user.id])) === 0) return;
    await transaction.execute(endRequestedChange, [actor.user.id]);
    await announce(deps, transaction, actor, {
      mail: 'oneTimeCodesRemoved',
      event: 'auth.one_time_codes_removed',
      message: 'A person removed the one-time codes of their account',
    });
  });

/**
 * Replaces the recovery codes.
 * @throws Refusal FORBIDDEN: no one-time codes, or a change of address can still be undone; REAUTHENTICATION_REQUIRED,
 *   SECOND_FACTOR_REQUIRED, UNAUTHENTICATED
 */
export const regenerateRecoveryCodes = (deps: OneTimeCodesDeps, actor: Actor): Promise<readonly string[]> =>
  changingFactors(deps, actor, async (transaction) => {
    const { hasOneTimeCodes } = await transaction.one(findOneTimeCodes, [actor.user.id]);
    if (!hasOneTimeCodes) throw notAllowed();
    await releaseCodes(transaction, actor.user.id);
    const codes = await replaceRecoveryCodes(transaction, actor.user.id);
    await announce(deps, transaction, actor, {
      mail: 'recoveryCodesRenewed',
      event: 'auth.recovery_codes_renewed',
      message: 'A person replaced their recovery codes',
    });
    return codes;
  });

const replaceRecoveryCodes = async (transaction: Transaction, userId: string): Promise<readonly string[]> => {
  const codes = newRecoveryCodes();
  await transaction.execute(deleteRecoveryCodes, [userId]);
  const hashes = codes.map((code) => `\\x${hashRecoveryCode(code).toString('hex')}`);
  await transaction.execute(insertRecoveryCodes, [userId, hashes]);
  return codes;
};

interface Announcement {
  readonly mail: 'oneTimeCodesAdded' | 'oneTimeCodesReplaced' | 'oneTimeCodesRemoved' | 'recoveryCodesRenewed';
  readonly event: EventAt<'info'>;
  readonly message: string;
}

/** Tells the user by mail, and logs the change. */
const announce = async (
  { mail, logger, settings }: OneTimeCodesDeps,
  transaction: Transaction,
  { user, credential }: Actor,
  { mail: kind, event, message }: Announcement,
): Promise<void> => {
  const values = { name: user.name, at: await databaseNow(transaction) };
  const links = [`${settings.frontendUrl}/account/security`] as const;
  await mail.enqueue(transaction, { mail: kind, to: user.email, values, links });
  transaction.afterCommit(() => logger.info({ event, userId: user.id, credentialId: credential.id }, message));
};

const insertEnrolment = statement<{ readonly expiresAt: Date }, [userId: string, sealedSecret: Buffer]>(
  'totp_enrolments.insert',
  `INSERT INTO totp_enrolments (user_id, sealed_secret, expires_at) VALUES ($1, $2, now() + interval '10 minutes')
   ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, expires_at = excluded.expires_at
   RETURNING expires_at AS "expiresAt"`,
);

/** Consumes an enrolment: it is confirmed once. */
const takeEnrolment = statement<{ readonly sealedSecret: Buffer }, [userId: string]>(
  'totp_enrolments.take',
  `DELETE FROM totp_enrolments WHERE user_id = $1 AND expires_at > now() RETURNING sealed_secret AS "sealedSecret"`,
);

const deleteEnrolment = statement<unknown, [userId: string]>(
  'totp_enrolments.delete',
  'DELETE FROM totp_enrolments WHERE user_id = $1',
);

export const purgeEnrolments = deletingExpired('totp_enrolments', 'user_id', 'expires_at', ['expires_at < now()']);

/** @param lastStep time step of the code that confirmed it */
const setTotpSecret = statement<unknown, [userId: string, sealedSecret: Buffer, lastStep: number]>(
  'totp_secrets.set',
  `INSERT INTO totp_secrets (user_id, sealed_secret, last_step) VALUES ($1, $2, $3)
   ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = excluded.last_step,
     confirmed_at = now()`,
);

/** The recovery codes go with it. */
const deleteTotpSecret = statement<unknown, [userId: string]>(
  'totp_secrets.delete',
  'DELETE FROM totp_secrets WHERE user_id = $1',
);

const findConfirmation = statement<{ readonly addedAt: Date }, [userId: string]>(
  'totp_secrets.find_confirmation',
  'SELECT confirmed_at AS "addedAt" FROM totp_secrets WHERE user_id = $1',
);

const deleteRecoveryCodes = statement<unknown, [userId: string]>(
  'recovery_codes.delete',
  'DELETE FROM recovery_codes WHERE user_id = $1',
);

const insertRecoveryCodes = statement<unknown, [userId: string, codeHashes: readonly string[]]>(
  'recovery_codes.insert',
  'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::bytea[])',
);
