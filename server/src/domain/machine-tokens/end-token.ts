/**
 * Operations revokeToken (contract/machine-credentials.md#end-of-a-token), which ends both secrets, and decideToken
 * (contract/machine-credentials.md#approval-of-a-token).
 */
import { isId } from '../../kernel/ids.ts';
import { statement, type Transaction } from '../../platform/database/database.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeInOrganization, inLiveSession, liveTransaction, notAllowed } from '../access/authorize.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { type RevocationReceipt, revokeOnce, revokeSessionFamily } from '../credentials/revoke.ts';
import { isManagedBy } from './rotate-token.ts';
import { recordToken, tokenFields } from './token-log.ts';
import { notifyOfDecision } from './token-mails.ts';
import { tokenNotFound } from './token-rules.ts';
import { findToken, type MachineTokenRow } from './tokens-store.ts';

/**
 * Revokes the caller's own token, or one of the active organization by those who manage tokens. Again, it returns 0
 * credentials and the instant of the end.
 * @throws Refusal NOT_FOUND: none, elsewhere, or another person's that the caller does not manage; FORBIDDEN: a service
 *   account's, without TOKENS_MANAGE; UNAUTHENTICATED
 */
export const revokeToken = (
  { database, logger }: Deps<'database' | 'logger'>,
  actor: Actor,
  tokenId: string,
): Promise<RevocationReceipt> => {
  const work = inLiveSession(actor, async (transaction) => {
    const token = await revocableToken(transaction, actor, tokenId);
    const ended = await revokeSessionFamily(transaction, token.id, 'token_revoked');
    if (ended.revokedCredentials > 0) {
      const facts = { userId: actor.user.id, ...tokenFields(token) };
      transaction.afterCommit(() =>
        logger.info({ event: 'token.revoked', ...facts }, 'A token of a machine was revoked'),
      );
    }
    return { ...ended, endedAt: token.revokedAt };
  });
  return revokeOnce(database, work, ({ endedAt }) => ({ endedAt }));
};

const revocableToken = async (transaction: Transaction, actor: Actor, tokenId: string): Promise<MachineTokenRow> => {
  const token = isId(tokenId) ? await transaction.maybeOne(findToken, [tokenId]) : null;
  if (token === null) throw tokenNotFound();
  if (token.userId === actor.user.id) return token;
  const isServiceTokenHere = token.userId === null && token.organizationId === actor.membership?.organization.id;
  if (!isServiceTokenHere && !isManagedBy(actor, token)) throw tokenNotFound();
  await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
  return token;
};

/**
 * Approves a waiting personal token, or refuses it for good; only an OWNER decides on their own.
 * @throws Refusal MEMBERSHIP_REQUIRED; FORBIDDEN: without TOKENS_MANAGE, or the caller's own; NOT_FOUND: none waits
 *   here; UNAUTHENTICATED
 */
export const decideToken = (
  deps: Deps<'database' | 'logger'> & MailDeps,
  actor: Actor,
  { tokenId, approve }: { readonly tokenId: string; readonly approve: boolean },
): Promise<MachineTokenRow> =>
  liveTransaction(deps.database, actor, async (transaction) => {
    const { organization, role } = await authorizeInOrganization(transaction, actor, 'TOKENS_MANAGE');
    const token = await waitingToken(transaction, tokenId, organization.id);
    if (token.userId === actor.user.id && role !== 'OWNER') throw notAllowed();
    if (approve) {
      if ((await transaction.execute(approveToken, [tokenId, organization.id])) === 0) throw tokenNotFound();
    } else await refuse(transaction, tokenId);
    await notifyOfDecision(deps, transaction, token, approve);
    recordToken(transaction, deps.logger, approve ? 'token.approved' : 'token.refused', actor, token);
    return transaction.one(findToken, [tokenId]);
  });

/** @throws Refusal NOT_FOUND: it was revoked meanwhile */
const refuse = async (transaction: Transaction, tokenId: string): Promise<void> => {
  const { revokedCredentials } = await revokeSessionFamily(transaction, tokenId, 'token_refused');
  if (revokedCredentials === 0) throw tokenNotFound();
};

/** @throws Refusal NOT_FOUND: no such token waits in this organization */
const waitingToken = async (
  transaction: Transaction,
  tokenId: string,
  organizationId: string,
): Promise<MachineTokenRow> => {
  const token = isId(tokenId) ? await transaction.maybeOne(findToken, [tokenId]) : null;
  if (token === null || token.status !== 'PENDING' || token.organizationId !== organizationId) throw tokenNotFound();
  return token;
};

/** Approves a token that waits for it. Affects no row where it does not, or has ended. */
const approveToken = statement<unknown, [tokenId: string, organizationId: string]>(
  'machine_tokens.approve',
  `UPDATE machine_tokens t SET is_pending = false FROM credentials c
   WHERE t.id = $1 AND t.organization_id = $2 AND t.is_pending AND c.id = t.credential_id AND c.revoked_at IS NULL
     AND c.expires_at > now()`,
);

interface EndedTokens {
  readonly tokenId: string;
  /** 0 for a token that had ended before. */
  readonly revokedCredentials: number;
}

/**
 * Ends tokens from the operator's shell, all or none; their audits are noted where the secrets are revoked.
 * @param tokenIds ids, each once
 * @returns what ended, or the first unknown id
 */
export const revokeTokensByOperator = (
  { database, logger }: Deps<'database' | 'logger'>,
  tokenIds: readonly string[],
): Promise<{ readonly ended: readonly EndedTokens[] } | { readonly unknownId: string }> =>
  database.transaction(async (transaction) => {
    const tokens: MachineTokenRow[] = [];
    // In the order in which all code locks several families.
    for (const tokenId of tokenIds.toSorted()) {
      const token = await transaction.maybeOne(findToken, [tokenId]);
      if (token === null) return { unknownId: tokenId };
      tokens.push(token);
    }
    const ended: EndedTokens[] = [];
    for (const token of tokens) {
      const { revokedCredentials } = await revokeSessionFamily(transaction, token.id, 'revoked_by_operator');
      ended.push({ tokenId: token.id, revokedCredentials });
      if (revokedCredentials === 0) continue;
      const facts = { event: 'token.revoked_by_operator', ...tokenFields(token) } as const;
      transaction.afterCommit(() => logger.warn(facts, 'An operator revoked a token of a machine'));
    }
    return { ended };
  });
