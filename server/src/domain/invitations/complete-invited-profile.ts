/**
 * Operation completeInvitedProfile (specification, "Invitation", last row; "Credential pair", first row).
 *
 * The link proves the mailbox. So it verifies the address, and a password that somebody set without ever proving it goes,
 * with whatever it opened: who signs up with an address before its owner comes gains nothing by it.
 */
import { requireValidInput } from '../../kernel/errors.ts';
import { type Keyring, sha256 } from '../../kernel/secrets.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { PasswordHasher } from '../../platform/password-hasher.ts';
import { beginSession, type Entrance } from '../credentials/begin-session.ts';
import type { CredentialLifetimes, HeldPair } from '../credentials/issue-pair.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import { nameReason, normalizeName, passwordReason } from '../users/text-rules.ts';
import { bumpCredentialsRevision, completeProfile, lockUserRow } from '../users/users-store.ts';
import { isVTokenOf, isWellFormedInvitationToken } from './invitation-token.ts';
import { acceptForCompletion, findInvitedPerson } from './invitations-store.ts';
import { recordInvitation } from './record-invitation.ts';
import { invitationNotOpen } from './send-invitation.ts';

export interface CompleteProfileDeps {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly passwords: PasswordHasher;
  readonly logger: Logger;
  readonly lifetimes: CredentialLifetimes;
  readonly settings: { readonly passwordBlocklist: boolean };
}

export interface CompleteProfileInput extends Entrance {
  /** Raw, from the link. */
  readonly invitationToken: string;
  /** From the preview. */
  readonly vToken: string;
  readonly name: string;
  readonly password: string;
}

/**
 * Gives an invited person a name and a password, accepts the invitation and signs them in.
 * @throws Refusal BAD_USER_INPUT naming name or password; INVITATION_NOT_OPEN for every other reason: a wrong vToken, an
 *   invitation that is not open, a person who has an account to sign in to
 */
export const completeInvitedProfile = async (
  deps: CompleteProfileDeps,
  input: CompleteProfileInput,
): Promise<HeldPair> => {
  const name = normalizeName(input.name);
  requireValidInput({
    name: nameReason(name),
    password: passwordReason(input.password, deps.settings.passwordBlocklist),
  });
  const tokenHash = checkedHash(deps.keyring, input);
  // Asked before the hash, so that a dead link costs nobody a bcrypt; decided below.
  const invited = await deps.database.maybeOne(findInvitedPerson, [tokenHash]);
  if (invited?.mustComplete !== true) throw invitationNotOpen();
  const passwordHash = await deps.passwords.hash(input.password, { ip: input.caller.ip });
  const profile = { userId: invited.userId, tokenHash, name, passwordHash };
  return deps.database.transaction((transaction) => complete(deps, transaction, input, profile));
};

const checkedHash = (keyring: Keyring, { invitationToken, vToken }: CompleteProfileInput): Buffer => {
  if (!isWellFormedInvitationToken(invitationToken) || !isVTokenOf(keyring, invitationToken, vToken)) {
    throw invitationNotOpen();
  }
  return sha256(invitationToken);
};

interface Profile {
  readonly userId: string;
  readonly tokenHash: Buffer;
  readonly name: string;
  readonly passwordHash: string;
}

const complete = async (
  { lifetimes, logger }: CompleteProfileDeps,
  transaction: Transaction,
  entrance: Entrance,
  { userId, tokenHash, name, passwordHash }: Profile,
): Promise<HeldPair> => {
  // The person before the membership: whoever changes both locks them in this order.
  await transaction.maybeOne(lockUserRow, [userId]);
  const accepted = await transaction.maybeOne(acceptForCompletion, [tokenHash, userId]);
  if (accepted === null) throw invitationNotOpen();
  await transaction.execute(bumpCredentialsRevision, [userId]);
  await revokeAllOfUser(transaction, userId, 'profile_completed');
  // Only now: it changes a unique column, for which PostgreSQL locks the row also against the foreign key of a rotation's
  // new credentials, and a rotation in flight holds what the revocation waits for.
  await transaction.execute(completeProfile, [userId, name, passwordHash, accepted.memberId]);
  const pair = await beginSession(transaction, lifetimes, { userId, authMethod: 'invitation' }, entrance);
  if (pair === null) throw invitationNotOpen();
  recordInvitation(logger, transaction, 'invitation.profile_completed', { userId, ...accepted });
  return pair;
};
