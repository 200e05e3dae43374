/**
 * Why credentials end; and the audit of what is bound to an organization and ends, however it does: tokens of machines,
 * and the connections of MCP clients. Each revocation of their credentials notes it.
 */
import { statement, type Transaction } from '../../platform/database/database.ts';
import { addAudit } from '../audit/audits-of-transaction.ts';

/** Why the credentials of a session were revoked, as the rows keep it. A rotation is no revocation. */
export const revocationReasons = [
  'signed_out',
  'signed_out_everywhere',
  'replaced_by_sign_in',
  'refresh_reuse',
  'switched_organization',
  'membership_removed',
  'profile_completed',
  'external_identity_linked',
  'password_removed',
  'password_changed',
  'email_change_undone',
  'password_set_by_operator',
  'suspended',
  'account_deleted',
  'revoked_by_super_admin',
  'revoked_by_client',
  'client_revoked',
  'code_replayed',
  'reported_leaked',
  'connection_ended',
  'token_revoked',
  'token_refused',
  'service_account_deleted',
  'revoked_by_operator',
  'ended_after_restore',
] as const;

export type RevocationReason = (typeof revocationReasons)[number];

interface EndedTokenRow {
  readonly tokenId: string;
  readonly organizationId: string;
  /** Null for a token of a service account. */
  readonly userId: string | null;
}

/** Audits the end of tokens. @param tokenIds of which this transaction revoked a live secret */
export const auditEndedTokens = async (
  transaction: Transaction,
  tokenIds: readonly string[],
  reason: RevocationReason,
): Promise<void> => {
  if (tokenIds.length === 0) return;
  for (const { tokenId, organizationId, userId } of await transaction.many(findEndedTokens, [tokenIds])) {
    const subject = { subjectId: tokenId, subjectUserId: userId };
    addAudit(transaction, { organizationId, event: 'TOKEN_REVOKED', ...subject, details: { reason } });
  }
};

const findEndedTokens = statement<EndedTokenRow, [tokenIds: readonly string[]]>(
  'machine_tokens.find_ended',
  `SELECT id AS "tokenId", organization_id AS "organizationId", user_id AS "userId" FROM machine_tokens
   WHERE id = ANY ($1::uuid[]) ORDER BY organization_id, id`,
);

/** A grant that is bound to an organization, live or not. */
export interface GrantRow {
  readonly sessionFamilyId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly clientId: string;
}

/** Audits the end of connections with an organization. @param sessionFamilyIds with a live credential revoked */
export const auditEndedGrants = async (
  transaction: Transaction,
  sessionFamilyIds: readonly string[],
  reason: RevocationReason,
): Promise<void> => {
  if (sessionFamilyIds.length === 0) return;
  const grants = await transaction.many(findEndedGrants, [sessionFamilyIds]);
  for (const { organizationId, userId: subjectUserId, clientId, ...connection } of grants) {
    const details = { reason, ...connection };
    addAudit(transaction, {
      organizationId,
      event: 'MCP_CLIENT_ENDED',
      subjectId: clientId,
      subjectUserId,
      clientId,
      details,
    });
  }
};

/** By the first refresh credential of each family, which has its id. */
const findEndedGrants = statement<GrantRow & { readonly redirectHost: string }, [sessionFamilyIds: readonly string[]]>(
  'credentials.find_ended_grants',
  `SELECT id AS "sessionFamilyId", organization_id AS "organizationId", user_id AS "userId", client_id AS "clientId",
     redirect_host AS "redirectHost"
   FROM credentials WHERE id = ANY ($1::uuid[]) AND redirect_host IS NOT NULL ORDER BY organization_id, id`,
);
