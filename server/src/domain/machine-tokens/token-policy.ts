/**
 * Operations tokenPolicy and setTokenPolicy (contract/machine-credentials.md#policy-of-an-organization). A change
 * counts from each token's next request; it blocks tokens, and revokes none.
 */
import { requireValidInput } from '../../kernel/errors.ts';
import { statement, type Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import { authorizeInOrganization, liveTransaction, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps, MailDeps, ReadDeps } from '../access/deps.ts';
import { addAudit } from '../audit/audits-of-transaction.ts';
import type { PersonalTokenPolicy } from '../credentials/machine-actor-store.ts';
import { notifyOfPolicy } from './token-mails.ts';
import { readNetworks } from './token-rules.ts';

/** The policy of an organization for the tokens that are bound to it. */
export interface TokenPolicyRow {
  readonly personalTokens: PersonalTokenPolicy;
  readonly maxTokenLifetimeDays: number;
  /** CIDRs; none is any address. */
  readonly allowedNetworks: readonly string[];
}

type TokenPolicyInput = { readonly [Field in keyof TokenPolicyRow]: TokenPolicyRow[Field] | null };

const maxDays = 366;

/** The caller's guard has already required the scope TOKENS_MANAGE. */
export const getTokenPolicy = ({ database }: ReadDeps, { organization }: ActiveMembership): Promise<TokenPolicyRow> =>
  database.one(findTokenPolicy, [organization.id]);

/**
 * Null leaves a value as it is.
 * @throws Refusal BAD_USER_INPUT: names maxTokenLifetimeDays or allowedNetworks; MEMBERSHIP_REQUIRED; FORBIDDEN:
 *   without TOKENS_MANAGE; REAUTHENTICATION_REQUIRED; RATE_LIMITED; UNAUTHENTICATED
 */
export const setTokenPolicy = (
  deps: Deps<'database' | 'limits' | 'logger'> & MailDeps,
  actor: Actor,
  { personalTokens, maxTokenLifetimeDays: days, allowedNetworks }: TokenPolicyInput,
): Promise<TokenPolicyRow> => {
  const isAllowed = days === null || (Number.isInteger(days) && days >= 1 && days <= maxDays);
  requireValidInput({ maxTokenLifetimeDays: isAllowed ? null : `It must be 1 to ${maxDays} days.` });
  const networks = allowedNetworks === null ? null : readNetworks(allowedNetworks);
  return liveTransaction(deps.database, actor, async (transaction) => {
    const { organization } = await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
    await requireRecentAuthentication(transaction, actor);
    await deps.limits.consumeIn(transaction, rateLimits.tokenIssue, actor.user.id);
    const changed = await transaction.maybeOne(updateTokenPolicy, [organization.id, personalTokens, days, networks]);
    if (changed === null) return transaction.one(findTokenPolicy, [organization.id]);
    await notifyOfPolicy(deps, transaction, actor, organization);
    recordTokenPolicy(transaction, deps.logger, actor, organization.id, changed);
    return changed;
  });
};

const recordTokenPolicy = (
  transaction: Transaction,
  logger: Logger,
  actor: Pick<Actor, 'user'>,
  organizationId: string,
  { personalTokens, maxTokenLifetimeDays, allowedNetworks }: TokenPolicyRow,
): void => {
  const event = 'organization.token_policy_changed';
  const facts = { userId: actor.user.id, organizationId };
  const sentence = 'The policy of an organization for tokens of machines was changed';
  transaction.afterCommit(() => logger.info({ event, ...facts }, sentence));
  const details = { personalTokens, maxTokenLifetimeDays, allowedNetworks };
  addAudit(transaction, { organizationId, event: 'TOKEN_POLICY_CHANGED', subjectId: null, details });
};

const columns = `personal_tokens AS "personalTokens", max_token_lifetime_days AS "maxTokenLifetimeDays",
     token_networks AS "allowedNetworks"`;

export const findTokenPolicy = statement<TokenPolicyRow, [organizationId: string]>(
  'organizations.find_token_policy',
  `SELECT ${columns} FROM organizations WHERE id = $1`,
);

/** Null leaves a value as it is. Affects no row where nothing changes. */
const updateTokenPolicy = statement<
  TokenPolicyRow,
  [
    organizationId: string,
    personalTokens: PersonalTokenPolicy | null,
    maxTokenLifetimeDays: number | null,
    allowedNetworks: readonly string[] | null,
  ]
>(
  'organizations.update_token_policy',
  `UPDATE organizations SET personal_tokens = coalesce($2, personal_tokens),
     max_token_lifetime_days = coalesce($3, max_token_lifetime_days), token_networks = coalesce($4::text[], token_networks)
   WHERE id = $1 AND (personal_tokens, max_token_lifetime_days, token_networks) IS DISTINCT FROM
     (coalesce($2, personal_tokens), coalesce($3, max_token_lifetime_days), coalesce($4::text[], token_networks))
   RETURNING ${columns}`,
);
