/**
 * Owns: second factors: passkeys, one-time codes and recovery codes, and who may add or remove them.
 * Promises: A stolen password, or a session of before, adds no factor to an account that has one.
 */
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Actor } from '../access/actor.ts';
import { requireRecentAuthentication, secondFactorRequired, sessionOver } from '../access/authorize.ts';
import type { Deps } from '../access/deps.ts';
import { lockFamily } from '../credentials/credentials-store.ts';
import { type AuthenticationRow, findAuthentication, noteAuthentication } from '../credentials/sessions-store.ts';

/** The second factors of a user. */
interface SecondFactorsRow {
  readonly passkeys: number;
  readonly hasOneTimeCodes: boolean;
  readonly recoveryCodesLeft: number;
}

/** What completes a sign-in by password or by a provider (contract, `SecondFactorMethod`). */
export const secondFactorMethods = ['PASSKEY', 'RECOVERY_CODE', 'TOTP'] as const;
type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** The columns of {@link SecondFactorsRow}; the user's id is $1. */
const secondFactorColumns = `(SELECT count(*)::integer FROM passkeys WHERE user_id = $1) AS passkeys,
     EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = $1) AS "hasOneTimeCodes",
     (SELECT count(*)::integer FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL) AS "recoveryCodesLeft"`;

export const findSecondFactors = statement<SecondFactorsRow, [userId: string]>(
  'factors.find_second_factors',
  `SELECT ${secondFactorColumns}`,
);

export const methodsOf = ({ passkeys, hasOneTimeCodes, recoveryCodesLeft }: SecondFactorsRow): SecondFactorMethod[] =>
  secondFactorMethods.filter((method) => {
    if (method === 'PASSKEY') return passkeys > 0;
    return method === 'TOTP' ? hasOneTimeCodes : recoveryCodesLeft > 0;
  });

/** The source object of the GraphQL type SecondFactorState. */
export type SecondFactorState = SecondFactorsRow & AuthenticationRow;

/** The caller's second factors, and how this session authenticated. */
export const findOwnSecondFactors = async (
  { database }: Deps<'database'>,
  { user, credential }: Actor,
): Promise<SecondFactorState> => {
  const factors = await database.one(findSecondFactors, [user.id]);
  const session = await database.maybeOne(findAuthentication, [credential.sessionFamilyId]);
  return { ...factors, ...(session ?? unknownAuthentication) };
};

/** Of a session that ended meanwhile. */
const unknownAuthentication: AuthenticationRow = { authenticatedAt: null, isRecent: false, hasSecondFactor: false };

/**
 * Requires that the caller may add, renew or remove a second factor: a recent authentication, and where the account has
 * one already, a session that used one. It counts where the caller of this function holds the user's row.
 * @throws Refusal REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED, UNAUTHENTICATED
 */
export const authorizeFactorChange = async (
  queryable: Pick<Queryable, 'one' | 'maybeOne'>,
  actor: Actor,
): Promise<void> => {
  // Before the session: the first factor and the session's second instant are committed at once.
  const hasFactor = await hasAnyFactor(queryable, actor.user.id);
  const { hasSecondFactor } = await requireRecentAuthentication(queryable, actor);
  if (hasFactor && !hasSecondFactor) throw secondFactorRequired();
};

const hasAnyFactor = async (queryable: Pick<Queryable, 'one'>, userId: string): Promise<boolean> => {
  const { passkeys, hasOneTimeCodes } = await queryable.one(findSecondFactors, [userId]);
  return passkeys > 0 || hasOneTimeCodes;
};

/** The session that set up the account's first factor has used it. */
export const noteSecondFactor = async (transaction: Transaction, { user, credential }: Actor): Promise<void> => {
  await transaction.maybeOne(lockFamily, [credential.sessionFamilyId]);
  const noted = await transaction.maybeOne(noteAuthentication, [credential.sessionFamilyId, user.id, true]);
  if (noted === null) throw sessionOver();
};
