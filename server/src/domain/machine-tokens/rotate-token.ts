/**
 * Operation rotateToken (contract/machine-credentials.md#rotation-of-a-token): a new secret beside the one before, for
 * an overlap. Rotating again replaces a newest one that was never used, whose answer was lost, or else the older.
 */
import { requireValidInput } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type Actor, holdsScope } from '../access/actor.ts';
import { liveTransaction, notAllowed, requireFactorOf, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { lockFamily } from '../credentials/credentials-store.ts';
import type { Caller } from '../credentials/issue-pair.ts';
import type { LastSeenRecorder } from '../credentials/last-seen.ts';
import { findAnyMembership, lockOrganization } from '../organizations/organizations-store.ts';
import { accountToIssueFor, type IssuedToken, issue, personalTokensForbidden } from './create-token.ts';
import { recordToken } from './token-log.ts';
import { notifyOfPersonalToken, notifyOfServiceToken } from './token-mails.ts';
import { findTokenPolicy } from './token-policy.ts';
import { lifetimeUntil, renewedLifetime, tokenNotFound } from './token-rules.ts';
import {
  endSecrets,
  findToken,
  type LiveSecretRow,
  limitSecret,
  lockLiveSecrets,
  type MachineTokenRow,
  replaceSecret,
} from './tokens-store.ts';

interface RotateTokenInput {
  readonly tokenId: string;
  /** Null: as long again as the token was given last, within the policy. */
  readonly expiresAt: Date | null;
  /** How long the secret of before lives on. */
  readonly overlapSeconds: number;
}

type RotationDeps = Deps<'database' | 'limits' | 'logger'> &
  MailDeps & { readonly lastSeen: Pick<LastSeenRecorder, 'flush'> };

const maxOverlapSeconds = 604_800;

/**
 * @throws Refusal BAD_USER_INPUT: names expiresAt or overlapSeconds; NOT_FOUND: none, or it has ended; FORBIDDEN:
 *   another person's, a scope of its account is missing, or no personal tokens; SECOND_FACTOR_REQUIRED: the
 *   organization of a personal token requires one; REAUTHENTICATION_REQUIRED; RATE_LIMITED; UNAUTHENTICATED. Nothing
 *   changes then
 */
export const rotateToken = async (
  deps: RotationDeps,
  actor: Actor,
  { tokenId, expiresAt, overlapSeconds }: RotateTokenInput,
  caller: Caller,
): Promise<IssuedToken> => {
  const isOverlap = Number.isInteger(overlapSeconds) && overlapSeconds >= 0 && overlapSeconds <= maxOverlapSeconds;
  requireValidInput({ overlapSeconds: isOverlap ? null : `It must be 0 to ${maxOverlapSeconds} seconds.` });
  if (!isId(tokenId)) throw tokenNotFound();
  // Whether the newest secret was used decides which of two ends; uses elsewhere in the last two seconds are not known.
  await deps.lastSeen.flush();
  return liveTransaction(deps.database, actor, async (transaction) => {
    const token = await rotatableToken(transaction, actor, tokenId);
    const lifetime = await newLifetime(transaction, token, expiresAt);
    await deps.limits.consumeIn(transaction, rateLimits.tokenIssue, actor.user.id);
    const kept = await makeRoom(transaction, tokenId, overlapSeconds);
    const kind = token.userId === null ? 'service_token' : 'personal_token';
    const issued = await issue(transaction, { kind, lifetime, caller, tokenId }, async (secret) => {
      const facts = [secret.credentialId, secret.lastCharacters, lifetime, actor.user.id, kept] as const;
      await transaction.execute(replaceSecret, [tokenId, ...facts]);
    });
    const tell = token.userId === null ? notifyOfServiceToken : notifyOfPersonalToken;
    await tell(deps, transaction, actor, { token: issued.token, caller, event: 'rotated' });
    recordToken(transaction, deps.logger, 'token.rotated', actor, issued.token);
    return issued;
  });
};

/** Locks the token's organization, and reads the token again under the lock. */
const rotatableToken = async (transaction: Transaction, actor: Actor, tokenId: string): Promise<MachineTokenRow> => {
  const seen = await transaction.maybeOne(findToken, [tokenId]);
  if (seen === null) throw tokenNotFound();
  if (seen.serviceAccountId !== null) await requireAccount(transaction, actor, seen, seen.serviceAccountId);
  else await requireOwn(transaction, actor, seen);
  await transaction.many(lockFamily, [tokenId]);
  const token = await transaction.maybeOne(findToken, [tokenId]);
  if (token === null || token.status === 'REVOKED' || token.status === 'EXPIRED') throw tokenNotFound();
  return token;
};

const requireAccount = async (
  transaction: Transaction,
  actor: Actor,
  token: MachineTokenRow,
  serviceAccountId: string,
): Promise<void> => {
  if (token.organizationId !== actor.membership?.organization.id) throw tokenNotFound();
  await accountToIssueFor(transaction, actor, serviceAccountId);
};

const requireOwn = async (transaction: Transaction, actor: Actor, token: MachineTokenRow): Promise<void> => {
  if (token.userId !== actor.user.id) throw isManagedBy(actor, token) ? notAllowed() : tokenNotFound();
  await transaction.maybeOne(lockOrganization, [token.organizationId]);
  const membership = await transaction.maybeOne(findAnyMembership, [actor.user.id, token.organizationId]);
  if (membership === null) throw tokenNotFound();
  await requireFactorOf(membership, transaction, actor);
  await requireRecentAuthentication(transaction, actor);
};

/** Whether the caller sees the token among those of the active organization. */
export const isManagedBy = (actor: Actor, { organizationId }: Pick<MachineTokenRow, 'organizationId'>): boolean =>
  actor.membership?.organization.id === organizationId && holdsScope(actor, 'TOKENS_MANAGE');

const newLifetime = async (
  transaction: Transaction,
  { organizationId, lifetimeSeconds, userId }: MachineTokenRow,
  expiresAt: Date | null,
): Promise<number> => {
  const { personalTokens, maxTokenLifetimeDays } = await transaction.one(findTokenPolicy, [organizationId]);
  if (userId !== null && personalTokens === 'FORBIDDEN') throw personalTokensForbidden();
  return expiresAt === null
    ? renewedLifetime(lifetimeSeconds, maxTokenLifetimeDays)
    : lifetimeUntil(transaction, expiresAt, maxTokenLifetimeDays);
};

/** Ends one of two live secrets and limits the other to the overlap. @returns the one that lives on, or null */
const makeRoom = async (transaction: Transaction, tokenId: string, overlapSeconds: number): Promise<string | null> => {
  const live = await transaction.many(lockLiveSecrets, [tokenId]);
  const kept = overlapSeconds === 0 ? null : keptOf(live);
  for (const { id } of live) if (id !== kept?.id) await transaction.execute(endSecrets, [tokenId, id]);
  await transaction.execute(endSecrets, [tokenId, null]);
  if (kept !== null) await transaction.execute(limitSecret, [kept.id, overlapSeconds]);
  return kept?.id ?? null;
};

const keptOf = (live: readonly LiveSecretRow[]): LiveSecretRow | null => {
  const newest = live.find(({ isNewest }) => isNewest) ?? null;
  const older = live.find(({ isNewest }) => !isNewest) ?? null;
  return older !== null && newest?.wasUsed !== true ? older : newest;
};
