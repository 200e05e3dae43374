/** Owns the events of super admins and operators at an incident, a part of the closed list in `events.ts`. */
import { operation, security } from './event-facts.ts';

export const incidentEvents = {
  'auth.session_revoked_by_super_admin': security(
    'info',
    'userId credentialId sessionFamilyId revoked',
    'a super admin ended a session of another person, or their own',
  ),
  'auth.user_revoked_by_super_admin': security(
    'info',
    'userId revokedUserId revoked',
    'a super admin signed a person out everywhere',
  ),
  'auth.user_suspended': security(
    'warn',
    'userId suspendedUserId revoked',
    'a super admin suspended a person, whose `revoked` credentials ended; the reason is with the person, for super admins',
  ),
  'auth.user_reinstated': security('warn', 'userId reinstatedUserId', 'a super admin ended the suspension of a person'),
  'auth.user_reinstated_by_operator': security(
    'warn',
    'reinstatedUserId',
    'an operator ended the suspension of a person with `gatehouse reinstate-user`',
  ),
  'auth.sessions_revoked_by_super_admin': security(
    'info',
    'userId fields revokedUserId organizationId clientId sessions revoked',
    'a super admin ended all sessions that match a filter: `fields` names those that it had, the ids are theirs',
  ),
  'auth.organization_revoked_by_super_admin': security(
    'info',
    'userId organizationId sessions revoked',
    'a super admin ended every session that was issued in an organization',
  ),
  'database.restored': operation(
    'warn',
    'change changedAfter',
    'at the start, or when it is found: the database may have been restored from a backup since `changedAfter`, and `gatehouse after-restore` was not run. `change` is `DUMP`, `SERVER` or `TIMELINE`',
  ),
  'database.restore_settled': operation(
    'warn',
    'isRestored',
    'an operator settled it with `gatehouse after-restore`, or with `--nothing-restored`',
  ),
  'auth.ended_after_restore': security(
    'warn',
    'until keepsTokens sessions tokens people organizations isComplete',
    'an operator ended with `gatehouse after-restore` what began `until` an instant: `people` and the managers of `organizations` were told; without `isComplete` it failed before the end',
  ),
} as const;
