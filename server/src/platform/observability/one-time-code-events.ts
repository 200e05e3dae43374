/** The log's events of one-time codes and recovery codes, a part of `events.ts`. */
import { type EventFacts, operation, security } from './event-facts.ts';

export const oneTimeCodeEvents = {
  'auth.one_time_codes_added': security(
    'info',
    'userId credentialId',
    'a person added one-time codes to their account, or replaced their authenticator app',
  ),
  'auth.one_time_codes_removed': security(
    'info',
    'userId credentialId',
    'a person removed the one-time codes and recovery codes of their account',
  ),
  'auth.recovery_codes_renewed': security('info', 'userId credentialId', 'a person replaced their recovery codes'),
  'auth.recovery_code_used': security('info', 'userId left', 'a person used a recovery code; `left` were left'),
  'auth.totp_unreadable': operation(
    'error',
    'userId',
    'the secret of one-time codes cannot be decrypted: `GATEHOUSE_SECRET` lacks the secret that it was sealed with',
  ),
} as const satisfies Readonly<Record<string, EventFacts>>;
