/** Owns the events of reports of leaked tokens, a part of the closed list in `events.ts`. */
import { operation, security } from './event-facts.ts';

export const tokenReportEvents = {
  'token.report_accepted': security(
    'info',
    'ip strings wellFormed',
    'a report of leaked tokens was accepted, with `strings` of which `wellFormed` have the format of a token; those that are live end in a moment',
  ),
  'token.reported_leaked': security(
    'warn',
    'userId serviceAccountId organizationId tokenId revoked',
    'a token of a person or of a service account was reported as leaked, so it was revoked, with `revoked` live secrets',
  ),
  'auth.session_reported_leaked': security(
    'warn',
    'userId sessionFamilyId revoked',
    'an access or refresh token was reported as leaked, so its session ended, also where it had been refreshed or switched',
  ),
  'token.report_failed': operation(
    'error',
    'err attempts',
    'a reported token could not be ended: it was tried `attempts` times and is tried again until it succeeds',
  ),
  'token.reports_unavailable': operation(
    'warn',
    'err',
    'reports of leaked tokens cannot be read or worked off: the database does not answer. They are kept, and tried again every few seconds',
  ),
} as const;
