/**
 * Owns the events of people who change their own account or end their sessions, a part of the closed list in
 * `events.ts`.
 */
import { type EventFacts, security } from './event-facts.ts';

export const ownAccountEvents = {
  'auth.language_changed': security('info', 'userId credentialId', 'a person changed their language'),
  'auth.name_changed': security('info', 'userId credentialId', 'a person changed their name'),
  'auth.account_deleted': security(
    'info',
    'userId revoked organizations',
    'a person deleted their account; `revoked` credentials ended, and `organizations` without another member went too',
  ),
  'auth.data_exported': security('info', 'userId credentialId', 'a person exported what is kept of them'),
  'auth.reauthenticated': security(
    'info',
    'userId credentialId method',
    'a person authenticated again in their session, by `method`',
  ),
  'auth.password_changed': security(
    'info',
    'userId credentialId revoked',
    'a person changed their password; `revoked` credentials of other sessions ended',
  ),
  'auth.password_set_by_operator': security(
    'warn',
    'userId revoked',
    'an operator set a generated password with `gatehouse set-password`; `revoked` credentials of the person ended',
  ),
  'auth.second_factor_removed_by_operator': security(
    'warn',
    'userId passkeys oneTimeCodes recoveryCodes',
    'an operator removed the second factors of a person with `gatehouse remove-second-factor`: so many `passkeys` and `recoveryCodes`, and one-time codes if there were any',
  ),
  'auth.super_admin_created': security(
    'warn',
    'userId scopes',
    'an operator created a super admin, with `gatehouse create-super-admin` or by SUPER_ADMIN_EMAIL at a start',
  ),
  'auth.email_change_requested': security(
    'info',
    'userId credentialId',
    'a person requested another address for their account; its mails were queued',
  ),
  'auth.email_changed': security(
    'info',
    'userId credentialId',
    'a person confirmed the new address of their account; it can be undone for 72 hours',
  ),
  'auth.email_change_undone': security(
    'warn',
    'userId revoked',
    'the former address of an account was put back with the link in its mail, with what signs in as it was 72 hours before the request; `revoked` credentials ended',
  ),
  'auth.password_reviewed': security(
    'info',
    'userId credentialId kept revoked',
    'after an identity was linked by its address, a person said whether the existing password of the account is theirs; if not `kept`, it was removed, and `revoked` credentials of other sessions ended',
  ),
  'auth.sign_out': security('info', 'userId credentialId revoked', 'a person ended their current session'),
  'auth.sign_out_everywhere': security('info', 'userId credentialId revoked', 'a person ended all their sessions'),
  'auth.session_revoked': security('info', 'userId credentialId revoked', 'a person ended one of their sessions'),
} as const satisfies Readonly<Record<string, EventFacts>>;
