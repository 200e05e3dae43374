/** Operations of an invited user: preview, acceptance with an account, completion of a profile with a sign-in. */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { type Keyring, sha256 } from '../../kernel/secrets.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { nameParty } from '../../platform/observability/context.ts';
import type { Actor } from '../access/actor.ts';
import { liveTransaction } from '../access/authorize.ts';
import type { Deps, Settings } from '../access/deps.ts';
import { type ActorPair, authenticatedNow, beginSession, type SignInContext } from '../credentials/issue-pair.ts';
import { revokeAllOfUser } from '../credentials/revoke.ts';
import { findMember, lockOrganization, type MemberRow } from '../organizations/organizations-store.ts';
import { hasSeats, requireSeats } from '../organizations/seats.ts';
import type { Application } from '../scopes/application.ts';
import { nameReason, normalizeName, passwordReason } from '../users/text-rules.ts';
import {
  accountSuspended,
  bumpCredentialsRevision,
  completeProfile,
  lockUserRow,
  setCurrentMembership,
} from '../users/users-store.ts';
import {
  type AcceptedRow,
  acceptForCompletion,
  acceptOpenInvitation,
  findInvitedPerson,
  findPreview,
  type PreviewRow,
} from './invitations-store.ts';
import {
  invitationNotOpen,
  isVTokenOf,
  isWellFormedInvitationToken,
  recordInvitation,
  vTokenOf,
} from './invite-member.ts';

/**
 * Operation acceptInvitation (contract/organizations.md#acceptance-with-an-account): the caller becomes a member, with
 * that membership active. The session keeps its snapshot until switchOrganization.
 * @param token raw, from the link
 * @throws Refusal SEATS_EXHAUSTED and ACCOUNT_MISMATCH, of another user: it stays open; INVITATION_NOT_OPEN: any other
 */
export const acceptInvitation = async (
  { application, database, logger }: Deps<'application' | 'database' | 'logger'>,
  actor: Actor,
  token: string,
): Promise<MemberRow> => {
  if (!isWellFormedInvitationToken(token)) throw invitationNotOpen();
  const tokenHash = sha256(token);
  const seats = hasSeats(application) ? seatsOf(await database.maybeOne(findInvitedPerson, [tokenHash])) : null;
  return liveTransaction(database, actor, async (transaction) => {
    const { memberId, organizationId } = await accept(transaction, application, actor.user.id, tokenHash, seats);
    const facts = { userId: actor.user.id, organizationId, memberId };
    recordInvitation(logger, transaction, 'invitation.accepted', facts);
    return transaction.one(findMember, [memberId, organizationId]);
  });
};

const accept = async (
  transaction: Transaction,
  application: Application,
  userId: string,
  tokenHash: Buffer,
  seats: LockedSeats,
): Promise<AcceptedRow> => {
  await lockSeats(transaction, seats);
  // Lock order: the organization, the user, the membership.
  await transaction.maybeOne(lockUserRow, [userId]);
  const accepted = await transaction.maybeOne(acceptOpenInvitation, [tokenHash, userId]);
  if (accepted === null) throw await notAcceptable(transaction, userId, tokenHash);
  await requireSeats(transaction, application, accepted.organizationId, 'members');
  await transaction.execute(setCurrentMembership, [userId, accepted.memberId]);
  return accepted;
};

/** The organization that an acceptance locks, so that acceptances count each other; null where no product has seats. */
type LockedSeats = string | null;

/** Names the organization before the transaction, which waits its turn there (decision 0073). */
const seatsOf = (invited: { readonly organizationId: string } | null): string => {
  if (invited === null) throw invitationNotOpen();
  nameParty({ organization: invited.organizationId });
  return invited.organizationId;
};

const lockSeats = async (transaction: Transaction, seats: LockedSeats): Promise<void> => {
  if (seats !== null) await transaction.maybeOne(lockOrganization, [seats]);
};

const notAcceptable = async (transaction: Transaction, userId: string, tokenHash: Buffer): Promise<Refusal> => {
  const invited = await transaction.maybeOne(findInvitedPerson, [tokenHash]);
  return invited === null || invited.userId === userId
    ? invitationNotOpen()
    : new Refusal('ACCOUNT_MISMATCH', 'This invitation is for another account. Sign in with that one to accept it.');
};

// Operation completeInvitedProfile (contract/organizations.md#acceptance-with-a-new-profile).
//
// The link proves control of the mailbox and therefore verifies the address. A password that was set without that proof
// is replaced, and its sessions end: a person who signs up with an address before its owner does gains nothing by it.

interface CompleteProfileInput extends SignInContext {
  /** Raw, from the link. */
  readonly invitationToken: string;
  /** From the preview. */
  readonly vToken: string;
  readonly name: string;
  readonly password: string;
}

/**
 * Gives an invited user a name and a password, accepts the invitation and signs them in.
 * @throws Refusal BAD_USER_INPUT: name or password; SEATS_EXHAUSTED: as {@link acceptInvitation}; ACCOUNT_SUSPENDED;
 *   INVITATION_NOT_OPEN: also a wrong vToken, or a user with an account to sign in to
 */
export const completeInvitedProfile = (deps: CompletionDeps, input: CompleteProfileInput): Promise<ActorPair> =>
  deps.signIns.attempt({ method: 'invitation', ...input.caller }, () => completeProfileOf(deps, input));

type CompletionDeps = Deps<'application' | 'database' | 'keyring' | 'passwords' | 'logger' | 'lifetimes' | 'signIns'> &
  Settings<'passwordBlocklist'>;

const completeProfileOf = async (deps: CompletionDeps, input: CompleteProfileInput): Promise<ActorPair> => {
  const name = normalizeName(input.name);
  requireValidInput({
    name: nameReason(name),
    password: passwordReason(input.password, deps.settings.passwordBlocklist),
  });
  const tokenHash = checkedHash(deps.keyring, input);
  // Checked before the hash, so that a dead link costs no bcrypt; decided below.
  const invited = await deps.database.maybeOne(findInvitedPerson, [tokenHash]);
  if (invited?.mustComplete !== true) throw invitationNotOpen(invited?.userId);
  if (invited.isSuspended) throw accountSuspended(invited.userId);
  const passwordHash = await deps.passwords.hash(input.password, { ip: input.caller.ip });
  const seats = hasSeats(deps.application) ? seatsOf(invited) : null;
  const profile = { userId: invited.userId, tokenHash, name, passwordHash, seats };
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
  readonly seats: LockedSeats;
}

const complete = async (
  { application, lifetimes, logger }: Deps<'application' | 'lifetimes' | 'logger'>,
  transaction: Transaction,
  signInContext: SignInContext,
  { userId, tokenHash, name, passwordHash, seats }: Profile,
): Promise<ActorPair> => {
  await lockSeats(transaction, seats);
  // Lock order: the organization, the user, the membership.
  await transaction.maybeOne(lockUserRow, [userId]);
  const accepted = await transaction.maybeOne(acceptForCompletion, [tokenHash, userId]);
  if (accepted === null) throw invitationNotOpen(userId);
  await requireSeats(transaction, application, accepted.organizationId, 'members');
  await transaction.execute(bumpCredentialsRevision, [userId]);
  await revokeAllOfUser(transaction, userId, 'profile_completed');
  // Comes last: it changes a unique column, for which PostgreSQL also locks the row against the foreign key of a
  // rotation's new credentials, and a rotation in flight holds the lock that the revocation waits for.
  await transaction.execute(completeProfile, [userId, name, passwordHash, accepted.memberId]);
  const proven = { userId, authMethod: 'invitation', authentication: authenticatedNow };
  const pair = await beginSession(transaction, lifetimes, proven, signInContext);
  // The user was suspended since the link was looked at.
  if (pair === null) throw accountSuspended(userId);
  recordInvitation(logger, transaction, 'invitation.profile_completed', { userId, ...accepted });
  return pair;
};

// Query invitation (contract/organizations.md#preview-of-an-invitation).

/** Never contains the invited address: the person with the link may be another one. */
export interface InvitationPreview extends Pick<PreviewRow, 'organizationName' | 'role' | 'status' | 'expiresAt'> {
  /** Set only for an open invitation to a user who must complete a profile. */
  readonly vToken: string | null;
  /** Whether the signed-in user is the invited one; null when no user is signed in. */
  readonly isYours: boolean | null;
}

/** @param token raw, from the link @returns null for an unknown, malformed, replaced or cancelled one */
export const previewInvitation = async (
  { database, keyring }: Deps<'database' | 'keyring'>,
  actor: Actor | null,
  token: string,
): Promise<InvitationPreview | null> => {
  const row = isWellFormedInvitationToken(token) ? await database.maybeOne(findPreview, [sha256(token)]) : null;
  if (row === null) return null;
  const { organizationName, role, status, expiresAt } = row;
  const vToken = status === 'OPEN' && row.mustComplete ? vTokenOf(keyring, token) : null;
  const isYours = actor === null ? null : row.userId === actor.user.id;
  return { organizationName, role, status, expiresAt, vToken, isYours };
};
