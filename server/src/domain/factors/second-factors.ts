/**
 * Owns: second factors: passkeys, one-time codes and recovery codes, and who may add or remove them.
 * Promises: A stolen password, or a session of before, adds no factor to an account that has one.
 */
import { type Queryable, statement, type Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { requireRecentAuthentication, secondFactorRequired, sessionOver } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { lockFamily } from '../credentials/credentials-store.ts';
import { type AuthenticationRow, findAuthentication, recordAuthentication } from '../credentials/sessions-store.ts';

interface OneTimeCodesRow {
  readonly hasOneTimeCodes: boolean;
  readonly recoveryCodesLeft: number;
}

interface SecondFactorsRow extends OneTimeCodesRow {
  /** Those that work at the service's relying party: the others are no way to sign in and no factor. */
  readonly passkeys: number;
}

/** The factors that complete a sign-in by password or by a provider (contract/account.md#second-factor-at-sign-in). */
export const secondFactorMethods = ['PASSKEY', 'RECOVERY_CODE', 'TOTP'] as const;
type SecondFactorMethod = (typeof secondFactorMethods)[number];

/** The columns of {@link OneTimeCodesRow}; the user's id is $1. */
const oneTimeCodesColumns = `EXISTS (SELECT 1 FROM totp_secrets WHERE user_id = $1) AS "hasOneTimeCodes",
     (SELECT count(*)::integer FROM recovery_codes WHERE user_id = $1 AND used_at IS NULL) AS "recoveryCodesLeft"`;

export const findOneTimeCodes = statement<OneTimeCodesRow, [userId: string]>(
  'factors.find_one_time_codes',
  `SELECT ${oneTimeCodesColumns}`,
);

/** @param relyingPartyId the service's; null where it has no passkeys */
const findSecondFactors = statement<SecondFactorsRow, [userId: string, relyingPartyId: string | null]>(
  'factors.find_second_factors',
  `SELECT (SELECT count(*)::integer FROM passkeys WHERE user_id = $1 AND relying_party_id = $2) AS passkeys,
     ${oneTimeCodesColumns}`,
);

export const secondFactorsOf = (
  queryable: Pick<Queryable, 'one'>,
  userId: string,
  settings: Settings<'relyingParty'>['settings'],
): Promise<SecondFactorsRow> => queryable.one(findSecondFactors, [userId, settings.relyingParty?.id ?? null]);

export const methodsOf = ({ passkeys, hasOneTimeCodes, recoveryCodesLeft }: SecondFactorsRow): SecondFactorMethod[] =>
  secondFactorMethods.filter((method) => {
    if (method === 'PASSKEY') return passkeys > 0;
    return method === 'TOTP' ? hasOneTimeCodes : recoveryCodesLeft > 0;
  });

/** The source object of the GraphQL type SecondFactorState. */
export type SecondFactorState = SecondFactorsRow & AuthenticationRow;

/** The caller's second factors, and how this session authenticated. */
export const findOwnSecondFactors = async (
  { database, settings }: Deps<'database'> & Settings<'relyingParty'>,
  { user, credential }: Actor,
): Promise<SecondFactorState> => {
  const factors = await secondFactorsOf(database, user.id, settings);
  const session = await database.maybeOne(findAuthentication, [credential.sessionFamilyId]);
  return { ...factors, ...(session ?? unknownAuthentication) };
};

/** The authentication of a session that ended meanwhile. */
const unknownAuthentication: AuthenticationRow = { authenticatedAt: null, isRecent: false, hasSecondFactor: false };

/**
 * Requires a recent authentication and, where the account has a second factor, a session that used one. The caller
 * holds the user's row where it counts.
 * @param settings of the relying party whose passkeys are factors
 * @throws Refusal REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED, UNAUTHENTICATED
 */
export const authorizeFactorChange = async (
  queryable: Pick<Queryable, 'one' | 'maybeOne'>,
  actor: Actor,
  settings: Settings<'relyingParty'>['settings'],
): Promise<void> => {
  // Before the session: the first factor and the session's second instant are committed at once.
  const { passkeys, hasOneTimeCodes } = await secondFactorsOf(queryable, actor.user.id, settings);
  const hasFactor = passkeys > 0 || hasOneTimeCodes;
  const { hasSecondFactor } = await requireRecentAuthentication(queryable, actor);
  if (hasFactor && !hasSecondFactor) throw secondFactorRequired();
};

/** The session that set up the account's first factor has used it. */
export const recordSecondFactor = async (transaction: Transaction, { user, credential }: Actor): Promise<void> => {
  await transaction.maybeOne(lockFamily, [credential.sessionFamilyId]);
  const noted = await transaction.maybeOne(recordAuthentication, [credential.sessionFamilyId, user.id, true]);
  if (noted === null) throw sessionOver();
};
