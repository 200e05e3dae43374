/** The end of a token that was reported as leaked: revocation, mails, audit and log, in one transaction. */
import type { Transaction } from '../../platform/database/database.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { addAudit } from '../audit/audits-of-transaction.ts';
import { revokeSession, type SessionRevocation } from '../credentials/revoke.ts';
import type { CredentialKind } from '../credentials/token.ts';
import { type Finding, findPersonOfSession, findReportedToken } from './report-leaks-store.ts';
import { notifyOfReportedSession, notifyOfReportedToken } from './token-mails.ts';

export type ReportDeps = Deps<'application' | 'database' | 'logger'> & MailDeps;

/**
 * Ends the token or session of a reported secret, with its successors, if it is live: a second report sends no mail.
 * @param finding where it was found, for the audit of an organization alone
 * @throws DatabaseUnavailable
 */
export const endReported = (
  deps: ReportDeps,
  { kind, sessionFamilyId }: { readonly kind: CredentialKind; readonly sessionFamilyId: string },
  finding: Finding,
): Promise<void> =>
  deps.database.transaction(async (transaction) => {
    const ended = await revokeSession(transaction, sessionFamilyId, 'reported_leaked');
    if (ended.revokedCredentials === 0) return;
    if (kind === 'machine') await tellOfToken(deps, transaction, ended, finding);
    else await tellOfSession(deps, transaction, ended);
  });

const tellOfSession = async (
  deps: ReportDeps,
  transaction: Transaction,
  { sessionFamilyId, revokedCredentials: revoked }: SessionRevocation,
): Promise<void> => {
  const { userId, ...person } = await transaction.one(findPersonOfSession, [sessionFamilyId]);
  await notifyOfReportedSession(deps, transaction, person);
  const facts = { userId, sessionFamilyId, revoked };
  const line = { event: 'auth.session_reported_leaked', ...facts } as const;
  transaction.afterCommit(() => deps.logger.warn(line, 'A session ended: its token was reported as leaked'));
};

const tellOfToken = async (
  deps: ReportDeps,
  transaction: Transaction,
  { sessionFamilyId: tokenId, revokedCredentials: revoked }: SessionRevocation,
  { url, source }: Finding,
): Promise<void> => {
  const token = await transaction.one(findReportedToken, [tokenId]);
  const { organizationId, name, userId, serviceAccountId } = token;
  await notifyOfReportedToken(deps, transaction, token);
  // Beside the row of the revocation.
  addAudit(transaction, {
    organizationId,
    event: 'TOKEN_REPORTED',
    subjectId: tokenId,
    subjectUserId: userId,
    details: { name, url, source },
  });
  const facts = { userId, serviceAccountId, organizationId, tokenId, revoked };
  transaction.afterCommit(() =>
    deps.logger.warn({ event: 'token.reported_leaked', ...facts }, 'A token was revoked: it was reported as leaked'),
  );
};
