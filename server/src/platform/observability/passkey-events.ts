/** The log's events of passkeys, a part of `events.ts`. */
import { type EventFacts, operation, security } from './event-facts.ts';

export const passkeyEvents = {
  'auth.passkey_added': security('info', 'userId credentialId passkeyId', 'a person added a passkey to their account'),
  'auth.passkey_removed': security(
    'info',
    'userId credentialId passkeyId',
    'a person removed a passkey from their account',
  ),
  'auth.passkey_copied': security(
    'warn',
    'userId passkeyId ip',
    'a passkey was refused because its signature counter did not exceed the last one: there may be a copy of it. Its owner should remove it',
  ),
  'passkeys.other_relying_party': operation(
    'warn',
    'passkeys',
    'at the start: so many `passkeys` were created with another WEBAUTHN_RP_ID and do not work with this one',
  ),
  'passkeys.not_counted': operation(
    'warn',
    'err',
    'at the start, the passkeys of other relying parties were not counted',
  ),
} as const satisfies Readonly<Record<string, EventFacts>>;
