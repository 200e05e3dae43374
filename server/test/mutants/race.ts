/** Faults in the statements that decide between concurrent callers. */
import type { Fault } from './mutant.ts';

export const race: readonly Fault[] = [
  {
    rule: 'A refresh token is rotated only for the first caller.',
    file: 'server/src/domain/credentials/rotation-store.ts',
    find: 'AND c.id IN (p.refresh_id, p.access_id) AND c.revoked_at IS NULL',
    replace: 'AND c.id IN (p.refresh_id, p.access_id)',
    tests: ['server/test/credentials/credential-pair.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'An expired refresh token is not rotated.',
    file: 'server/src/domain/credentials/rotation-store.ts',
    find: "AND r.kind = 'user_refresh' AND r.expires_at > now() AND",
    replace: "AND r.kind = 'user_refresh' AND",
    tests: ['server/test/credentials/credential-pair.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'Of several concurrent redemptions of an authorization code, one gets tokens.',
    file: 'server/src/domain/oauth/authorizations-store.ts',
    find: 'AND c.consumed_at IS NULL AND c.expires_at > now()',
    replace: 'AND c.expires_at > now()',
    tests: ['server/test/races/sessions/code.test.ts'],
    command: 'npm run test:all',
  },
  {
    rule: 'A request for consent is answered once.',
    file: 'server/src/domain/oauth/authorizations-store.ts',
    find: 'browser_hash = $2 AND decided_at IS NULL AND expires_at > now()',
    replace: 'browser_hash = $2 AND expires_at > now()',
    tests: ['server/test/oauth/consent.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'An exchange secret works once.',
    file: 'server/src/domain/external-sign-in/open-exchange.ts',
    find: `DELETE FROM external_exchanges WHERE secret_hash = $1 AND expires_at > now()
   RETURNING sealed_identity AS "sealedIdentity"`,
    replace: `SELECT sealed_identity AS "sealedIdentity" FROM external_exchanges
   WHERE secret_hash = $1 AND expires_at > now()`,
    tests: ['server/test/external/exchange-secret.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A callback of the provider works once.',
    file: 'server/src/platform/helper-sessions.ts',
    find: `DELETE FROM helper_session_entries WHERE session_hash = $1 AND name = $2 AND expires_at > now()
   RETURNING sealed_value AS "sealedValue"`,
    replace: `SELECT sealed_value AS "sealedValue" FROM helper_session_entries
   WHERE session_hash = $1 AND name = $2 AND expires_at > now()`,
    tests: ['server/test/external/forged-callbacks.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'Of many concurrent sign-ups with one address, one creates an account.',
    file: 'server/src/domain/users/users-store.ts',
    find: `sign_up_browser_hash = excluded.sign_up_browser_hash
   WHERE \${onlyInvitedSql}`,
    replace: 'sign_up_browser_hash = excluded.sign_up_browser_hash',
    tests: ['server/test/accounts/email-verification.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A verification link confirms once.',
    file: 'server/src/domain/users/users-store.ts',
    find: `SET email_validated_at = now(), \${endVerificationSql}
   WHERE email_validation_token_hash = $1`,
    replace: `SET email_validated_at = now()
   WHERE email_validation_token_hash = $1`,
    tests: ['server/test/accounts/email-verification.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A payment event is applied once.',
    file: 'server/src/domain/billing/billing-store.ts',
    find: 'ON CONFLICT (event_id) DO NOTHING',
    replace: 'ON CONFLICT (event_id) DO UPDATE SET status = excluded.status, product = excluded.product',
    tests: ['server/test/billing/payment-webhook.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'A mail claimed by one process is not claimed by another.',
    file: 'server/src/platform/mail/outbox.ts',
    find: "next_attempt_at = now() + least(30 * power(2, least(attempts, 10)), 1800) * interval '1 second'",
    replace: 'next_attempt_at = now()',
    tests: ['server/test/mail/outbox.engine.test.ts'],
    command: 'npm test',
  },
  {
    rule: 'Of changes of a password at once, one wins and the others are told so.',
    file: 'server/src/domain/sessions/own-account.ts',
    find: 'if (replaced === 0) throw wrongPassword();',
    replace: '',
    tests: ['server/test/accounts/own-account.engine.test.ts'],
    command: 'npm test',
  },
];
