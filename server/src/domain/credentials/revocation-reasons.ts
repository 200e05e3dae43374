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
] as const;

export type RevocationReason = (typeof revocationReasons)[number];
