/**
 * Operations createPersonalToken and createServiceToken (contract/machine-credentials.md#who-may-manage-tokens). No
 * input names another person as owner (CVE-2025-61928).
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { type Actor, scopesOfActor } from '../access/actor.ts';
import {
  authorizeInOrganization,
  liveTransaction,
  lockedMember,
  type MemberActor,
  requireRecentAuthentication,
  scopesMissing,
  scopesRefused,
  secondFactorRequired,
} from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import type { Caller } from '../credentials/issue-pair.ts';
import { hashToken, type MachineTokenKind, newToken } from '../credentials/token.ts';
import { nameReason, normalizeName } from '../users/text-rules.ts';
import { findServiceAccount, type ServiceAccountRow } from './service-accounts-store.ts';
import { recordToken } from './token-log.ts';
import { notifyOfPersonalToken, notifyOfServiceToken } from './token-mails.ts';
import { findTokenPolicy } from './token-policy.ts';
import { accountNotFound, lifetimeUntil, limits, orderedScopes, scopesReason } from './token-rules.ts';
import {
  countLiveTokens,
  findToken,
  insertPersonalToken,
  insertSecret,
  insertServiceToken,
  type MachineTokenRow,
} from './tokens-store.ts';

/** The only time that a secret is seen. */
export interface IssuedToken {
  readonly secret: string;
  readonly token: MachineTokenRow;
}

type TokenDeps = Deps<'database' | 'limits' | 'logger'> & MailDeps;

interface CreatePersonalTokenInput {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

/**
 * Creates a token of the caller's own, bound to the active organization; it may have to wait for approval.
 * @throws Refusal BAD_USER_INPUT: names name, scopes or expiresAt; MEMBERSHIP_REQUIRED; SECOND_FACTOR_REQUIRED;
 *   REAUTHENTICATION_REQUIRED; FORBIDDEN: lists scopes not held, or no personal tokens; LIMIT_REACHED; RATE_LIMITED;
 *   UNAUTHENTICATED. Nothing is created then
 */
export const createPersonalToken = (
  deps: TokenDeps,
  actor: Actor,
  input: CreatePersonalTokenInput,
  caller: Caller,
): Promise<IssuedToken> => {
  const name = normalizeName(input.name);
  const { application } = actor;
  requireValidInput({ name: nameReason(name), scopes: scopesReason(application, input.scopes) });
  const scopes = orderedScopes(application, input.scopes);
  return liveTransaction(deps.database, actor, async (transaction) => {
    const own = await lockedMember(transaction, actor);
    if (own.membership.needsSecondFactor) throw secondFactorRequired();
    await requireRecentAuthentication(transaction, actor);
    requireHeld(own, scopes);
    const { personalTokens, maxTokenLifetimeDays } = await transaction.one(findTokenPolicy, [
      own.membership.organization.id,
    ]);
    if (personalTokens === 'FORBIDDEN') throw personalTokensForbidden();
    const lifetime = await lifetimeUntil(transaction, input.expiresAt, maxTokenLifetimeDays);
    const { live } = await transaction.one(countLiveTokens, [actor.user.id, own.membership.id, null]);
    if (live >= limits.ofMembership) throw tooManyTokens(limits.ofMembership);
    await deps.limits.consumeIn(transaction, rateLimits.tokenIssue, actor.user.id);
    const insert = async ({ tokenId, credentialId, lastCharacters }: NewSecret): Promise<void> => {
      const owner = [own.membership.organization.id, actor.user.id, own.membership.id] as const;
      const values = [name, scopes, personalTokens === 'APPROVAL', credentialId, lastCharacters, lifetime] as const;
      await transaction.execute(insertPersonalToken, [tokenId, ...owner, ...values]);
    };
    const issued = await issue(transaction, { kind: 'personal_token', lifetime, caller }, insert);
    await notifyOfPersonalToken(deps, transaction, actor, { token: issued.token, caller, event: 'created' });
    recordToken(transaction, deps.logger, 'token.created', actor, issued.token);
    return issued;
  });
};

/** @throws Refusal FORBIDDEN: lists the scopes that the caller does not hold now */
const requireHeld = (actor: MemberActor, scopes: readonly string[]): void => {
  const missing = notHeldBy(actor, scopes);
  if (missing.length > 0) throw scopesRefused(actor, missing);
};

const notHeldBy = (actor: MemberActor, scopes: readonly string[]): readonly string[] => {
  const held = scopesOfActor(actor);
  return scopes.filter((scope) => !held.has(scope));
};

/** The policy of the organization allows no personal tokens. */
export const personalTokensForbidden = (): Refusal =>
  new Refusal('FORBIDDEN', 'This organization does not allow personal tokens.');

const tooManyTokens = (most: number): Refusal =>
  new Refusal('LIMIT_REACHED', `There are ${most} live tokens already, which is the most: revoke one first.`);

/**
 * Creates a service token. Who sees its secret gains nothing: they hold every scope of the account.
 * @throws Refusal MEMBERSHIP_REQUIRED; SECOND_FACTOR_REQUIRED; FORBIDDEN: lists TOKENS_MANAGE or missing scopes of the
 *   account; NOT_FOUND: no such account here; REAUTHENTICATION_REQUIRED; BAD_USER_INPUT: names expiresAt;
 *   LIMIT_REACHED; RATE_LIMITED; UNAUTHENTICATED. Nothing is created then
 */
export const createServiceToken = (
  deps: TokenDeps,
  actor: Actor,
  { serviceAccountId, expiresAt }: { readonly serviceAccountId: string; readonly expiresAt: Date },
  caller: Caller,
): Promise<IssuedToken> =>
  liveTransaction(deps.database, actor, async (transaction) => {
    const { account, organizationId } = await accountToIssueFor(transaction, actor, serviceAccountId);
    const { maxTokenLifetimeDays } = await transaction.one(findTokenPolicy, [organizationId]);
    const lifetime = await lifetimeUntil(transaction, expiresAt, maxTokenLifetimeDays);
    if (account.liveTokens >= limits.ofServiceAccount) throw tooManyTokens(limits.ofServiceAccount);
    await deps.limits.consumeIn(transaction, rateLimits.tokenIssue, actor.user.id);
    const insert = async ({ tokenId, credentialId, lastCharacters }: NewSecret): Promise<void> => {
      const facts = [account.id, actor.user.id, credentialId, lastCharacters, lifetime] as const;
      await transaction.execute(insertServiceToken, [tokenId, organizationId, ...facts]);
    };
    const issued = await issue(transaction, { kind: 'service_token', lifetime, caller }, insert);
    await notifyOfServiceToken(deps, transaction, actor, { token: issued.token, caller, event: 'created' });
    recordToken(transaction, deps.logger, 'token.created', actor, issued.token);
    return issued;
  });

/** The account of a token that the caller is about to see. @throws Refusal as {@link createServiceToken} */
export const accountToIssueFor = async (
  transaction: Transaction,
  actor: Actor,
  serviceAccountId: string,
): Promise<{ readonly account: ServiceAccountRow; readonly organizationId: string }> => {
  const membership = await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
  const organizationId = membership.organization.id;
  const account = await getAccount(transaction, serviceAccountId, organizationId);
  requireScopesOf({ ...actor, membership }, account.scopes);
  await requireRecentAuthentication(transaction, actor);
  return { account, organizationId };
};

/** @throws Refusal NOT_FOUND: the id is unknown, malformed or of another organization */
export const getAccount = async (
  transaction: Transaction,
  id: string,
  organizationId: string,
): Promise<ServiceAccountRow> => {
  const account = isId(id) ? await transaction.maybeOne(findServiceAccount, [id, organizationId]) : null;
  if (account === null) throw accountNotFound();
  return account;
};

/** @throws Refusal FORBIDDEN: lists the scopes that the caller does not hold */
export const requireScopesOf = (actor: MemberActor, scopes: readonly string[]): void => {
  const missing = notHeldBy(actor, scopes);
  if (missing.length > 0) throw scopesMissing(missing);
};

// A new secret, of a new token or of one that is rotated.

interface NewSecret {
  readonly tokenId: string;
  readonly credentialId: string;
  /** By which its owner recognizes it. */
  readonly lastCharacters: string;
}

interface SecretWish {
  readonly kind: MachineTokenKind;
  /** In seconds. */
  readonly lifetime: number;
  readonly caller: Caller;
  /** Absent for a new token. */
  readonly tokenId?: string;
}

/** Issues a secret. @param write inserts or changes the token's row, before the secret's */
export const issue = async (
  transaction: Transaction,
  { kind, lifetime, caller, tokenId = newId() }: SecretWish,
  write: (secret: NewSecret) => Promise<void>,
): Promise<IssuedToken> => {
  const secret = newToken(kind);
  const credentialId = newId();
  await write({ tokenId, credentialId, lastCharacters: secret.slice(-4) });
  const issuedTo = [caller.ip, caller.userAgent] as const;
  await transaction.execute(insertSecret, [credentialId, hashToken(secret), tokenId, lifetime, kind, ...issuedTo]);
  return { secret, token: await transaction.one(findToken, [tokenId]) };
};
