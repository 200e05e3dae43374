/**
 * SQL of an organization's policy for the tokens of machines, in the table `organizations`, and of decisions on tokens.
 */
import { statement } from '../../platform/database/statement.ts';
import type { PersonalTokenPolicy } from '../credentials/machine-holder-store.ts';

/** The policy of an organization for the tokens that are bound to it. */
export interface TokenPolicyRow {
  readonly personalTokens: PersonalTokenPolicy;
  readonly maxTokenLifetimeDays: number;
  /** CIDRs; none is any address. */
  readonly allowedNetworks: readonly string[];
}

const columns = `personal_tokens AS "personalTokens", max_token_lifetime_days AS "maxTokenLifetimeDays",
     token_networks AS "allowedNetworks"`;

export const findTokenPolicy = statement<TokenPolicyRow, [organizationId: string]>(
  'organizations.find_token_policy',
  `SELECT ${columns} FROM organizations WHERE id = $1`,
);

/** Null leaves a value as it is. Affects no row where nothing changes. */
export const updateTokenPolicy = statement<
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

/** Approves a token that waits for it. Affects no row where it does not, or has ended. */
export const approveToken = statement<unknown, [tokenId: string, organizationId: string]>(
  'machine_tokens.approve',
  `UPDATE machine_tokens t SET is_pending = false FROM credentials c
   WHERE t.id = $1 AND t.organization_id = $2 AND t.is_pending AND c.id = t.credential_id AND c.revoked_at IS NULL
     AND c.expires_at > now()`,
);
