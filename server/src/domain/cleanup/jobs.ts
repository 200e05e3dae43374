/**
 * Owns: the cleanup jobs: which expired rows are deleted, and how often.
 * Promises: Only expired rows are deleted, in small batches that wait for no lock.
 *
 * Cleanup jobs: the expired rows that are deleted, and how often; docs/storage.md says for each table when a row
 * expires. Tables that are not named here lose rows only by an operation, or never: the records of payments and tool
 * calls are kept.
 */
import type { Statement } from '../../platform/database/database.ts';
import { purgeEntries } from '../../platform/helper-sessions.ts';
import { rowsAtOnce, type ScheduledJob } from '../../platform/jobs/scheduled-jobs.ts';
import { purgePermits } from '../../platform/rate-limit/database-rate-limits.ts';
import { purgeMailPauses } from '../accounts/unconfirmed-sign-ups-store.ts';
import { deleteAbandonedSignUps } from '../accounts/verify-email.ts';
import { purgeAudits } from '../audit/organization-audits-store.ts';
import { forgetConnections } from '../client-onboarding/connections-store.ts';
import { purgeCredentials } from '../credentials/sessions-store.ts';
import { purgeExchanges } from '../external-sign-in/open-exchange.ts';
import { purgeFormerAuthenticators } from '../factors/former-authenticators.ts';
import { purgeEnrolments } from '../factors/one-time-codes.ts';
import { purgePasskeyChallenges } from '../factors/passkey-challenges.ts';
import { purgeSignInChallenges } from '../factors/sign-in-challenges.ts';
import { purgeServiceAccounts, purgeTokens } from '../machine-tokens/token-jobs.ts';
import { purgeOrganizations } from '../memberships/delete-organization.ts';
import { purgeCodes, purgeRequests } from '../oauth/authorizations-store.ts';
import { purgeClients } from '../oauth/clients-store.ts';
import { purgeRefusedSignIns, purgeSignIns } from '../sign-ins/sign-in-history.ts';
import { purgeEmailChanges } from '../users/email-changes-store.ts';
import { forgetReplacedTokens } from '../users/users-store.ts';

const affecting =
  (statement: Statement<unknown, readonly []>): ScheduledJob['purge'] =>
  (database) =>
    database.execute(statement, []);

const minute = 60;
const hour = 3600;

/** @param signInHistoryDays how long attempts to sign in are kept now */
export const cleanupJobsFor = (signInHistoryDays: number): readonly ScheduledJob[] => [
  { name: 'rate_limits', everySeconds: minute, purge: affecting(purgePermits) },
  {
    name: 'mcp_connections',
    everySeconds: minute,
    purge: async (database) => (await database.one(forgetConnections, [rowsAtOnce])).deleted,
  },
  { name: 'external_exchanges', everySeconds: 10 * minute, purge: affecting(purgeExchanges) },
  { name: 'second_factor_challenges', everySeconds: 10 * minute, purge: affecting(purgeSignInChallenges) },
  { name: 'totp_enrolments', everySeconds: hour, purge: affecting(purgeEnrolments) },
  { name: 'passkey_challenges', everySeconds: 10 * minute, purge: affecting(purgePasskeyChallenges) },
  { name: 'helper_session_entries', everySeconds: 10 * minute, purge: affecting(purgeEntries) },
  { name: 'oauth_requests', everySeconds: hour, purge: affecting(purgeRequests) },
  { name: 'oauth_codes', everySeconds: hour, purge: affecting(purgeCodes) },
  { name: 'oauth_clients', everySeconds: hour, purge: affecting(purgeClients) },
  { name: 'organizations', everySeconds: hour, purge: affecting(purgeOrganizations) },
  {
    name: 'organization_audits',
    everySeconds: hour,
    purge: async (database) => (await database.one(purgeAudits, [rowsAtOnce])).deleted,
  },
  { name: 'machine_tokens', everySeconds: hour, purge: affecting(purgeTokens) },
  { name: 'service_accounts', everySeconds: hour, purge: affecting(purgeServiceAccounts) },
  { name: 'credentials', everySeconds: hour, purge: affecting(purgeCredentials) },
  { name: 'replaced_validation_tokens', everySeconds: hour, purge: affecting(forgetReplacedTokens) },
  { name: 'abandoned_sign_ups', everySeconds: hour, purge: deleteAbandonedSignUps },
  { name: 'email_changes', everySeconds: hour, purge: affecting(purgeEmailChanges) },
  { name: 'former_authenticators', everySeconds: hour, purge: affecting(purgeFormerAuthenticators) },
  { name: 'sign_ins', everySeconds: hour, purge: purgeSignIns(signInHistoryDays) },
  { name: 'refused_sign_ins', everySeconds: hour, purge: purgeRefusedSignIns(signInHistoryDays) },
  { name: 'rejected_sign_ups', everySeconds: hour, purge: affecting(purgeMailPauses) },
];
