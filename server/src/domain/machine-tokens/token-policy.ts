/**
 * Operations tokenPolicy and setTokenPolicy (contract/machine-credentials.md#policy-of-an-organization): what an
 * organization allows its tokens. A change counts from the next request of each token; it blocks tokens, and revokes
 * none.
 */
import { requireValidInput } from '../../kernel/errors.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { rateLimits } from '../../platform/rate-limit/rate-limit-table.ts';
import type { ActiveMembership, Actor } from '../access/actor.ts';
import { authorizeInOrganization, inLiveSession, requireRecentAuthentication } from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import type { PersonalTokenPolicy } from '../credentials/machine-holder-store.ts';
import { findTokenPolicy, type TokenPolicyRow, updateTokenPolicy } from './policy-store.ts';
import { recordTokenPolicy } from './token-log.ts';
import { tellOfPolicy } from './token-mails.ts';
import { readNetworks } from './token-rules.ts';

interface TokenPolicyInput {
  readonly personalTokens: PersonalTokenPolicy | null;
  readonly maxTokenLifetimeDays: number | null;
  readonly allowedNetworks: readonly string[] | null;
}

const maxDays = 366;

/** The caller's guard has already required the scope TOKENS_MANAGE. */
export const getTokenPolicy = (
  { database }: { readonly database: Queryable },
  { organization }: ActiveMembership,
): Promise<TokenPolicyRow> => database.one(findTokenPolicy, [organization.id]);

/**
 * Changes the policy; null leaves a value as it is.
 * @throws Refusal BAD_USER_INPUT: names maxTokenLifetimeDays or allowedNetworks; MEMBERSHIP_REQUIRED; FORBIDDEN: the
 *   scope TOKENS_MANAGE is missing; REAUTHENTICATION_REQUIRED; RATE_LIMITED; UNAUTHENTICATED: the session ended
 *   meanwhile. Nothing changes then
 */
export const setTokenPolicy = (
  deps: Deps<'database' | 'limits' | 'logger'> & MailDeps,
  actor: Actor,
  { personalTokens, maxTokenLifetimeDays: days, allowedNetworks }: TokenPolicyInput,
): Promise<TokenPolicyRow> => {
  const isAllowed = days === null || (Number.isInteger(days) && days >= 1 && days <= maxDays);
  requireValidInput({ maxTokenLifetimeDays: isAllowed ? null : `It must be 1 to ${maxDays} days.` });
  const networks = allowedNetworks === null ? null : readNetworks(allowedNetworks);
  return deps.database.transaction(
    inLiveSession(actor, async (transaction) => {
      const { organization } = await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
      await requireRecentAuthentication(transaction, actor);
      await deps.limits.consumeIn(transaction, rateLimits.tokenIssue, actor.user.id);
      const changed = await transaction.maybeOne(updateTokenPolicy, [organization.id, personalTokens, days, networks]);
      if (changed === null) return transaction.one(findTokenPolicy, [organization.id]);
      await tellOfPolicy(deps, transaction, actor, organization);
      recordTokenPolicy(transaction, deps.logger, actor, organization.id, changed);
      return changed;
    }),
  );
};
