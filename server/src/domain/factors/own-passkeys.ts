/** Operations of a user on their own passkeys (contract/account.md#registration-of-a-passkey). */
import { randomBytes } from 'node:crypto';
import { invalidInput, Refusal, requireValidInput } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { databaseNow, type Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { liveTransaction, notAllowed, requireLiveSession, requireNoPendingUndo } from '../access/authorize.ts';
import type { Deps, RelyingParty, Settings } from '../access/deps.ts';
import { endRequestedChange } from '../users/email-changes-store.ts';
import { nameReason, normalizeName } from '../users/text-rules.ts';
import { lockUserRow } from '../users/users-store.ts';
import {
  beginRegistration,
  consumePasskeyChallenge,
  type PasskeyOptions,
  requirePasskeyChallenge,
} from './passkey-challenges.ts';
import {
  type NewPasskey,
  type RegistrationAnswer,
  readRegistration,
  VerificationFailed,
  verifyRegistration,
} from './passkey-verification.ts';
import {
  countPasskeys,
  deletePasskey,
  findOwnPasskey,
  giveUserHandle,
  insertPasskey,
  listDescriptors,
  listPasskeys,
  type PasskeyRow,
  setPasskeyName,
} from './passkeys-store.ts';
import { authorizeFactorChange, recordSecondFactor, secondFactorsOf } from './second-factors.ts';

const mostPasskeys = 20;
const userHandleBytes = 32;

type PasskeyDeps = Deps<'database' | 'logger' | 'mail'> & Settings<'frontendUrl' | 'relyingParty'>;

/** @throws Refusal FORBIDDEN: FRONTEND_URL has an IP address for a host; the operations are then not served */
export const requireRelyingParty = ({ relyingParty }: Settings<'relyingParty'>['settings']): RelyingParty => {
  if (relyingParty === null) throw notAllowed();
  return relyingParty;
};

/** The caller's passkeys, oldest first, with those that work at another relying party only. */
export const listOwnPasskeys = ({ database }: Deps<'database'>, { user }: Actor): Promise<readonly PasskeyRow[]> =>
  database.many(listPasskeys, [user.id]);

/**
 * @throws Refusal REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED: as for each change of a factor; LIMIT_REACHED: the
 *   caller has 20 passkeys; UNAUTHENTICATED
 */
export const beginPasskeyRegistration = (
  { database, application, settings }: Deps<'database' | 'application'> & Settings<'relyingParty'>,
  actor: Actor,
): Promise<PasskeyOptions> => {
  const relyingParty = requireRelyingParty(settings);
  const { id, email, name } = actor.user;
  return database.transaction(async (transaction) => {
    await authorizeAddition(transaction, actor, settings);
    const { userHandle } = await transaction.one(giveUserHandle, [id, randomBytes(userHandleBytes)]);
    const existing = await transaction.many(listDescriptors, [id, relyingParty.id]);
    const service = { relyingParty, title: application.name };
    return beginRegistration(transaction, service, { id, email, name, userHandle }, existing);
  });
};

interface PasskeyRegistration {
  readonly name: string;
  /** JSON text of RegistrationResponseJSON. */
  readonly response: string;
}

/**
 * Registers a passkey; an account's first second factor also gives this session its second instant.
 * @throws Refusal as {@link beginPasskeyRegistration}; CHALLENGE_REFUSED; BAD_USER_INPUT: the name, or a response that
 *   is malformed, forged, or of a registered passkey. Nothing is stored then
 */
export const registerPasskey = async (
  deps: PasskeyDeps,
  actor: Actor,
  { name: typed, response }: PasskeyRegistration,
): Promise<PasskeyRow> => {
  const { database } = deps;
  const relyingParty = requireRelyingParty(deps.settings);
  await authorizeFactorChange(database, actor, deps.settings);
  const name = normalizeName(typed);
  requireValidInput({ name: nameReason(name) });
  const answer = readRegistration(response);
  if (answer === null) throw invalidResponse();
  const issued = { challenge: answer.clientData.challenge, purpose: 'register', userId: actor.user.id } as const;
  await requirePasskeyChallenge(database, issued);
  const verified = await verifiedOrRefused(relyingParty, answer);
  return liveTransaction(database, actor, async (transaction) => {
    const isFirst = await authorizeAddition(transaction, actor, deps.settings);
    await consumePasskeyChallenge(transaction, issued);
    const added = await insert(transaction, actor, { ...verified, name, relyingPartyId: relyingParty.id });
    if (isFirst) await recordSecondFactor(transaction, actor);
    await tell(deps, transaction, actor, added, { ...changes.added, at: added.createdAt });
    return added;
  });
};

const invalidResponse = (): Refusal => invalidInput({ response: 'This is not the answer of a new passkey.' });

const verifiedOrRefused = async (relyingParty: RelyingParty, answer: RegistrationAnswer): Promise<NewPasskey> => {
  try {
    return await verifyRegistration(relyingParty, answer);
  } catch (error) {
    throw error instanceof VerificationFailed ? invalidResponse() : error;
  }
};

/** Locks the caller's row; requires room for one more passkey. @returns whether there is no second factor yet */
const authorizeAddition = async (
  transaction: Transaction,
  actor: Actor,
  settings: Settings<'relyingParty'>['settings'],
): Promise<boolean> => {
  const { id: userId } = actor.user;
  await transaction.maybeOne(lockUserRow, [userId]);
  await authorizeFactorChange(transaction, actor, settings);
  const { passkeys: stored } = await transaction.one(countPasskeys, [userId]);
  const { passkeys, hasOneTimeCodes } = await secondFactorsOf(transaction, userId, settings);
  if (stored < mostPasskeys) return passkeys === 0 && !hasOneTimeCodes;
  throw new Refusal('LIMIT_REACHED', `An account has at most ${mostPasskeys} passkeys: remove one first.`);
};

const insert = async (
  transaction: Transaction,
  { user }: Actor,
  passkey: NewPasskey & Pick<PasskeyRow, 'name' | 'relyingPartyId'>,
): Promise<PasskeyRow> => {
  const { credentialId, publicKey, signatureCounter, transports, relyingPartyId } = passkey;
  const added = await transaction.maybeOne(insertPasskey, [
    newId(),
    user.id,
    credentialId,
    publicKey,
    signatureCounter,
    transports,
    relyingPartyId,
    passkey.isBackupEligible,
    passkey.isBackedUp,
    passkey.name,
  ]);
  if (added === null) throw invalidInput({ response: 'This passkey is registered already.' });
  return added;
};

/** @throws Refusal BAD_USER_INPUT: the name; NOT_FOUND: the caller has no such passkey; UNAUTHENTICATED */
export const renamePasskey = (
  { database }: Deps<'database'>,
  actor: Actor,
  { id, name: typed }: { readonly id: string; readonly name: string },
): Promise<PasskeyRow> => {
  const name = normalizeName(typed);
  requireValidInput({ name: nameReason(name) });
  if (!isId(id)) throw unknownPasskey();
  return database.transaction(async (transaction) => {
    await transaction.maybeOne(lockUserRow, [actor.user.id]);
    await requireLiveSession(transaction, actor);
    const renamed = await transaction.maybeOne(setPasskeyName, [id, actor.user.id, name]);
    if (renamed === null) throw unknownPasskey();
    return renamed;
  });
};

/**
 * Removes a passkey; its sessions continue. One of another relying party can always go: it is no way to sign in.
 * @throws Refusal REAUTHENTICATION_REQUIRED, SECOND_FACTOR_REQUIRED: as for each change of a factor; NOT_FOUND: no such
 *   passkey; FORBIDDEN: the last way to sign in; UNAUTHENTICATED
 */
export const removePasskey = async (
  deps: PasskeyDeps & Settings<'externalProvider'>,
  actor: Actor,
  id: string,
): Promise<void> => {
  const relyingParty = requireRelyingParty(deps.settings);
  await liveTransaction(deps.database, actor, async (transaction) => {
    await transaction.maybeOne(lockUserRow, [actor.user.id]);
    await authorizeFactorChange(transaction, actor, deps.settings);
    const passkey = isId(id) ? await transaction.maybeOne(findOwnPasskey, [id, actor.user.id]) : null;
    if (passkey === null) throw unknownPasskey();
    await requireNoPendingUndo(transaction, actor.user.id, { addedAt: passkey.createdAt });
    await removeUnlessLast(deps, transaction, actor, { passkey, relyingParty });
    await transaction.execute(endRequestedChange, [actor.user.id]);
    await tell(deps, transaction, actor, passkey, { ...changes.removed, at: await databaseNow(transaction) });
  });
};

/** @throws Refusal FORBIDDEN: it is the last way to sign in */
const removeUnlessLast = async (
  { settings }: Settings<'externalProvider'>,
  transaction: Transaction,
  { user }: Actor,
  { passkey, relyingParty }: { readonly passkey: PasskeyRow; readonly relyingParty: RelyingParty },
): Promise<void> => {
  const issuer = settings.externalProvider?.issuer ?? null;
  const removed = await transaction.maybeOne(deletePasskey, [passkey.id, user.id, relyingParty.id, issuer]);
  if (removed === null) throw notAllowed();
};

const changes = {
  added: { mail: 'passkeyAdded', event: 'auth.passkey_added', sentence: 'A person added a passkey to their account' },
  removed: {
    mail: 'passkeyRemoved',
    event: 'auth.passkey_removed',
    sentence: 'A person removed a passkey from their account',
  },
} as const;

/** Tells the user by mail, and logs the change. */
const tell = async (
  { mail, logger, settings }: PasskeyDeps,
  transaction: Transaction,
  { user, credential }: Actor,
  { id: passkeyId, name: passkey }: PasskeyRow,
  { mail: kind, event, sentence, at }: (typeof changes)[keyof typeof changes] & { readonly at: Date },
): Promise<void> => {
  const links = [`${settings.frontendUrl}/account/security`] as const;
  await mail.enqueue(transaction, { mail: kind, to: user.email, values: { name: user.name, passkey, at }, links });
  transaction.afterCommit(() =>
    logger.info({ event, userId: user.id, credentialId: credential.id, passkeyId }, sentence),
  );
};

const unknownPasskey = (): Refusal => new Refusal('NOT_FOUND', 'You have no such passkey.');
