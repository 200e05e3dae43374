/**
 * Service accounts (contract/machine-credentials.md#service-account): an account survives its creator, and is given no
 * scope that the giver does not hold.
 */
import { Refusal, requireValidInput } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import { TurnBatch } from '../../platform/turn-batch.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import {
  authorizeInOrganization,
  inLiveSession,
  liveTransaction,
  requireRecentAuthentication,
} from '../access/authorize.ts';
import type { Deps, MailDeps, ReadDeps } from '../access/deps.ts';
import { type RevocationReceipt, revokeDurably, revokeSessionFamily } from '../credentials/revoke.ts';
import { nameReason, normalizeName } from '../users/text-rules.ts';
import { getAccount, requireScopesOf } from './create-token.ts';
import {
  countServiceAccounts,
  findServiceAccount,
  insertServiceAccount,
  listLiveTokensOfAccount,
  listServiceAccounts,
  listServiceAccountsByIds,
  markServiceAccountDeleted,
  type ServiceAccountRow,
  updateServiceAccountRow,
} from './service-accounts-store.ts';
import { recordServiceAccount } from './token-log.ts';
import { notifyOfAddedScopes } from './token-mails.ts';
import { descriptionReason, limits, orderedScopes, scopesReason } from './token-rules.ts';

type AccountDeps = Deps<'database' | 'logger'>;

interface CreateServiceAccountInput {
  readonly name: string;
  readonly description: string;
  readonly scopes: readonly string[];
}

/**
 * @throws Refusal BAD_USER_INPUT: names name, description or scopes; MEMBERSHIP_REQUIRED; FORBIDDEN: TOKENS_MANAGE, or
 *   a given scope, is missing; REAUTHENTICATION_REQUIRED; LIMIT_REACHED; RATE_LIMITED; UNAUTHENTICATED
 */
export const createServiceAccount = (
  { database, limits: rates, logger }: AccountDeps & Deps<'limits'>,
  actor: Actor,
  input: CreateServiceAccountInput,
): Promise<ServiceAccountRow> => {
  const { name, description, scopes } = readAccount(actor, input);
  return liveTransaction(database, actor, async (transaction) => {
    const membership = await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
    requireScopesOf({ ...actor, membership }, scopes);
    await requireRecentAuthentication(transaction, actor);
    const organizationId = membership.organization.id;
    const { total } = await transaction.one(countServiceAccounts, [organizationId]);
    if (total >= limits.serviceAccounts) throw tooManyAccounts();
    await rates.consumeIn(transaction, rateLimits.tokenIssue, actor.user.id);
    const id = newId();
    await transaction.execute(insertServiceAccount, [id, organizationId, name, description, scopes, actor.user.id]);
    const account = await transaction.one(findServiceAccount, [id, organizationId]);
    recordServiceAccount(transaction, logger, 'service_account.created', actor, account);
    return account;
  });
};

const readAccount = ({ application }: Actor, input: CreateServiceAccountInput): CreateServiceAccountInput => {
  const [name, description] = [normalizeName(input.name), input.description.trim()];
  requireValidInput({
    name: nameReason(name),
    description: descriptionReason(description),
    scopes: scopesReason(application, input.scopes),
  });
  return { name, description, scopes: orderedScopes(application, input.scopes) };
};

const tooManyAccounts = (): Refusal =>
  new Refusal('LIMIT_REACHED', `There are ${limits.serviceAccounts} service accounts already: delete one first.`);

interface UpdateServiceAccountInput {
  readonly serviceAccountId: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly scopes: readonly string[] | null;
}

/**
 * Null leaves a value as it is; its tokens have the new scopes from the next request on.
 * @throws Refusal as {@link createServiceAccount}, for scopes that are added; NOT_FOUND: no such account here
 */
export const updateServiceAccount = (
  deps: AccountDeps & MailDeps,
  actor: Actor,
  { serviceAccountId, ...changes }: UpdateServiceAccountInput,
): Promise<ServiceAccountRow> =>
  liveTransaction(deps.database, actor, async (transaction) => {
    const membership = await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
    const account = await getAccount(transaction, serviceAccountId, membership.organization.id);
    const next = changedAccount(actor, account, changes);
    const added = next.scopes.filter((scope) => !account.scopes.includes(scope));
    requireScopesOf({ ...actor, membership }, added);
    if (added.length > 0) await requireRecentAuthentication(transaction, actor);
    const values = [next.name, next.description, next.scopes] as const;
    if ((await transaction.execute(updateServiceAccountRow, [account.id, ...values])) === 0) return account;
    const changed = await transaction.one(findServiceAccount, [account.id, account.organizationId]);
    if (added.length > 0) {
      const organizationName = membership.organization.name;
      await notifyOfAddedScopes(deps, transaction, actor, { account: changed, organizationName, scopes: added });
    }
    recordServiceAccount(transaction, deps.logger, 'service_account.updated', actor, changed);
    return changed;
  });

/** Scopes that the application no longer has stay where scopes are left as they are. */
const changedAccount = (
  actor: Actor,
  account: ServiceAccountRow,
  { name, description, scopes }: Omit<UpdateServiceAccountInput, 'serviceAccountId'>,
): CreateServiceAccountInput => {
  const kept = { name: name ?? account.name, description: description ?? account.description };
  if (scopes !== null) return readAccount(actor, { ...kept, scopes });
  const anyScopes = actor.application.scopes.slice(0, 1).map((scope) => scope.name);
  return { ...readAccount(actor, { ...kept, scopes: anyScopes }), scopes: account.scopes };
};

/**
 * Deletes an account, and ends its tokens.
 * @throws Refusal MEMBERSHIP_REQUIRED; FORBIDDEN: without TOKENS_MANAGE; NOT_FOUND: none here; UNAUTHENTICATED
 */
export const deleteServiceAccount = (
  { database, logger }: AccountDeps,
  actor: Actor,
  serviceAccountId: string,
): Promise<RevocationReceipt> =>
  revokeDurably(
    database,
    inLiveSession(actor, async (transaction) => {
      const membership = await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
      const account = await getAccount(transaction, serviceAccountId, membership.organization.id);
      await transaction.execute(markServiceAccountDeleted, [account.id]);
      const ended: string[] = [];
      for (const { tokenId } of await transaction.many(listLiveTokensOfAccount, [account.id])) {
        const { credentialIds } = await revokeSessionFamily(transaction, tokenId, 'service_account_deleted');
        ended.push(...credentialIds);
      }
      recordServiceAccount(transaction, logger, 'service_account.deleted', actor, account);
      return { revokedCredentials: ended.length, credentialIds: ended };
    }),
  );

/** The accounts of an organization, by name. The caller's guard has already required the scope TOKENS_MANAGE. */
export const serviceAccountsOf = (
  { database }: ReadDeps,
  { organization }: ActiveMembership,
): Promise<ServiceAccountRow[]> => database.many(listServiceAccounts, [organization.id]);

/** Deleted or not; those asked for together share a statement. @returns null once it is gone */
export const serviceAccountOf = (
  { database }: Deps<'database'>,
  serviceAccountId: string,
): Promise<ServiceAccountRow | null> => {
  const known = accountsOf.get(database) ?? batchOfAccounts(database);
  accountsOf.set(database, known);
  return known.get(serviceAccountId);
};

const accountsOf = new WeakMap<Database, TurnBatch<ServiceAccountRow | null>>();

const batchOfAccounts = (database: Database): TurnBatch<ServiceAccountRow | null> =>
  new TurnBatch({
    maximumInFlight: 2,
    run: async (requests) => {
      const rows = await database.many(listServiceAccountsByIds, [[...requests.keys()]]);
      const byId = new Map(rows.map((row) => [row.id, row]));
      return (id) => byId.get(id) ?? null;
    },
  });
