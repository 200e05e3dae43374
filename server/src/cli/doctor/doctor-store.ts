/** SQL used only by the doctor: the super admins who are not suspended, and subscriptions without a known price. */
import { statement } from '../../platform/database/database.ts';

export interface SuperAdminCounts {
  readonly superAdmins: number;
  /** The number of those with a scope of Platform MCP. */
  readonly withMcp: number;
  /** The number of those with a passkey that works here, or one-time codes. */
  readonly withSecondFactor: number;
}

/** @param relyingPartyId the service's: other passkeys do not work; null where it has none */
export const countSuperAdmins = statement<SuperAdminCounts, [relyingPartyId: string | null]>(
  'doctor.count_super_admins',
  `SELECT count(*)::int AS "superAdmins",
          count(*) FILTER (WHERE EXISTS (
            SELECT 1 FROM unnest(platform_scopes) AS scope WHERE scope LIKE 'mcp:%'))::int AS "withMcp",
          count(*) FILTER (WHERE EXISTS (SELECT 1 FROM passkeys p WHERE p.user_id = u.id AND p.relying_party_id = $1)
            OR EXISTS (SELECT 1 FROM totp_secrets t WHERE t.user_id = u.id))::int AS "withSecondFactor"
   FROM users u WHERE is_super_admin AND suspended_at IS NULL`,
);

export interface NamedAccount {
  readonly isSuperAdmin: boolean;
  /** The row is an unaccepted invitation; the next start makes it a super admin. */
  readonly isOnlyInvited: boolean;
}

export const findNamedAccount = statement<NamedAccount, [email: string]>(
  'doctor.find_named_account',
  `SELECT is_super_admin AS "isSuperAdmin",
          password_hash IS NULL AND email_validated_at IS NULL AND email_validation_token_hash IS NULL
            AND NOT EXISTS (SELECT 1 FROM external_identities i WHERE i.user_id = u.id) AS "isOnlyInvited"
   FROM users AS u WHERE email = $1`,
);

export interface UnreadSubscription {
  readonly organizationId: string;
  /** At the payment provider. */
  readonly subscriptionId: string;
  /** The number of all. */
  readonly total: number;
}

export const listUnreadSubscriptions = statement<UnreadSubscription, [limit: number]>(
  'doctor.list_unread_subscriptions',
  `SELECT organization_id AS "organizationId", unread_subscription AS "subscriptionId", count(*) OVER ()::int AS total
   FROM subscriptions WHERE unread_subscription IS NOT NULL ORDER BY organization_id LIMIT $1`,
);
