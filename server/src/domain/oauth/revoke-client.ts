/** Operation of super admins: a client is shut out for good, with everything that it was ever issued. */
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Actor } from '../access/actor.ts';
import { authorizeSuperAdmin } from '../access/authorize.ts';
import { onBehalfOf } from '../access/on-behalf-of.ts';
import { listFamiliesOfClient, type RevocationRow } from '../credentials/credentials-store.ts';
import {
  type RevocationReceipt,
  rehearseRevocation,
  revokeDurably,
  revokeSessionFamily,
} from '../credentials/revoke.ts';
import { lockClient, revokeClientRow } from './clients-store.ts';

export interface ClientRevocationDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface ClientRevocation {
  readonly clientId: string;
  /** The same checks and the same answer, with nothing changed. */
  readonly dryRun: boolean;
}

/**
 * Revokes a client: from the commit on it is refused wherever it comes, and nothing accepts its credentials. One that
 * was revoked before answers 0 credentials.
 * @throws Refusal FORBIDDEN when the caller is no super admin with sessions:revoke by now; NOT_FOUND when there is no
 *   such client; UNAUTHENTICATED when the caller's session ended meanwhile
 */
export const revokeClient = async (
  { database, logger }: ClientRevocationDeps,
  actor: Actor,
  { clientId, dryRun }: ClientRevocation,
): Promise<RevocationReceipt> => {
  const run = dryRun ? rehearseRevocation : revokeDurably;
  const receipt = await run(onBehalfOf(database, actor), (transaction) => endClient(transaction, actor, clientId));
  if (!dryRun) {
    const facts = { userId: actor.user.id, clientId, revoked: receipt.revokedCredentials };
    logger.info({ event: 'oauth.client_revoked', ...facts }, 'A super admin revoked a client');
  }
  return receipt;
};

const endClient = async (transaction: Transaction, actor: Actor, clientId: string): Promise<RevocationRow> => {
  const client = isId(clientId) ? await transaction.maybeOne(lockClient, [clientId]) : null;
  await authorizeSuperAdmin(transaction, actor, 'sessions:revoke');
  if (client === null) throw new Refusal('NOT_FOUND', 'There is no such client.');
  await transaction.execute(revokeClientRow, [clientId]);
  return endFamilies(transaction, clientId);
};

/** Whoever issues to the client holds its row, so that none of its families is missing here. */
const endFamilies = async (transaction: Transaction, clientId: string): Promise<RevocationRow> => {
  const credentialIds: string[] = [];
  for (const { sessionFamilyId } of await transaction.many(listFamiliesOfClient, [clientId])) {
    credentialIds.push(...(await revokeSessionFamily(transaction, sessionFamilyId, 'client_revoked')).credentialIds);
  }
  return { revokedCredentials: credentialIds.length, credentialIds };
};
