/** The end of a token that was reported as leaked: revocation, mails, audit and log, in one transaction. */
import type { Transaction } from '../../platform/database/database.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { appendOrganizationAudit } from '../audit/organization-audits.ts';
import { revokeSession } from '../credentials/revoke.ts';
import type { CredentialKind } from '../credentials/token.ts';
import {
  endMachineToken,
  type Finding,
  findMachineToken,
  findPersonOfSession,
  listHoldersOfRoles,
  lockMachineToken,
} from './report-leaks-store.ts';
import { personalTokenReportedMail, serviceTokenReportedMail, sessionReportedMail } from './report-mails.ts';

export type ReportDeps = Deps<'application' | 'database' | 'logger'> & MailDeps;

interface ReportedFamily {
  readonly kind: CredentialKind;
  readonly sessionFamilyId: string;
}

const reason = 'reported_leaked';

/**
 * Ends the token or session that a reported secret belongs to, with its successors. Does nothing when none of its
 * credentials is live any more, so a repeated report sends no second mail.
 * @param finding where the reporter found it; only the audit of an organization has it
 * @throws DatabaseUnavailable
 */
export const endReported = (deps: ReportDeps, family: ReportedFamily, finding: Finding): Promise<void> =>
  deps.database.transaction((transaction) =>
    family.kind === 'machine'
      ? endToken(deps, transaction, family.sessionFamilyId, finding)
      : endSession(deps, transaction, family.sessionFamilyId),
  );

const endSession = async (
  { logger, mail, settings: { frontendUrl } }: ReportDeps,
  transaction: Transaction,
  reported: string,
): Promise<void> => {
  const { revokedCredentials, sessionFamilyId } = await revokeSession(transaction, reported, reason);
  if (revokedCredentials === 0) return;
  const { userId, at, ...person } = await transaction.one(findPersonOfSession, [sessionFamilyId]);
  await mail.enqueue(transaction, sessionReportedMail(person, { frontendUrl, at }));
  const facts = { userId, sessionFamilyId, revoked: revokedCredentials };
  transaction.afterCommit(() =>
    logger.warn(
      { event: 'auth.session_reported_leaked', ...facts },
      'A session ended: its token was reported as leaked',
    ),
  );
};

const endToken = async (
  deps: ReportDeps,
  transaction: Transaction,
  tokenId: string,
  { url, source }: Finding,
): Promise<void> => {
  await transaction.many(lockMachineToken, [tokenId]);
  const { revokedCredentials: revoked, at } = await transaction.one(endMachineToken, [tokenId, reason]);
  if (revoked === 0) return;
  transaction.count('revocations', [reason]);
  transaction.count('revokedCredentials', [reason], revoked);
  const token = await transaction.one(findMachineToken, [tokenId]);
  const { organizationId, userId, serviceAccountId } = token;
  await tellOf(deps, transaction, token, at);
  await appendOrganizationAudit(transaction, {
    organizationId,
    event: 'TOKEN_REPORTED',
    actor: null,
    subjectId: tokenId,
    subjectUserId: userId,
    details: { url, source },
  });
  const facts = { userId, serviceAccountId, organizationId, tokenId, revoked };
  transaction.afterCommit(() =>
    deps.logger.warn({ event: 'tokens.reported_leaked', ...facts }, 'A token was revoked: it was reported as leaked'),
  );
};

interface Told {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly name: string;
  readonly email: string | null;
  readonly userName: string | null;
}

const tellOf = async (
  { application, mail, settings: { frontendUrl } }: ReportDeps,
  transaction: Transaction,
  { organizationId, organizationName: organization, name, email, userName }: Told,
  at: Date,
): Promise<void> => {
  if (email !== null) {
    const about = { token: name, organization, frontendUrl, at };
    await mail.enqueue(transaction, personalTokenReportedMail({ email, name: userName ?? '' }, about));
    return;
  }
  const about = { serviceAccount: name, organization, frontendUrl, at };
  for (const manager of await transaction.many(listHoldersOfRoles, [organizationId, managingRoles(application)])) {
    await mail.enqueue(transaction, serviceTokenReportedMail(manager, about));
  }
};

/** The roles that manage tokens, also while the operations for it are off. */
const managingRoles = (application: ReportDeps['application']): readonly string[] => [
  ...new Set(['OWNER', 'ADMIN', ...application.rolesGranting('TOKENS_MANAGE')]),
];
