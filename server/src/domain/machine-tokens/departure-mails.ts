/**
 * Mails about secrets of service tokens whose receiver is no longer a member: the tokens go on, so those who manage
 * them are told to rotate them (contract/machine-credentials.md#mails-about-tokens).
 */
import { databaseNow, statement, type Transaction } from '../../platform/database/database.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { tokenLinks, warnManagers } from './token-mails.ts';

/** An organization with the service accounts that a person was shown a live secret of. */
interface SeenSecretsRow {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly accounts: readonly string[];
}

/**
 * Service accounts, by organization, of which a person was shown a secret that is still accepted: a token's newest, or
 * the one in overlap. Read before the account is deleted, which forgets it. Organizations whose deletion waits count:
 * their tokens work again once they are restored.
 */
export const secretsSeenBy = (
  transaction: Transaction,
  userId: string,
  organizationIds: readonly string[],
): Promise<SeenSecretsRow[]> => transaction.many(listSeenSecrets, [userId, organizationIds]);

/** Tells those who still manage tokens, with one mail for each organization that names every account once. */
export const notifyOfDeparture = async (
  deps: MailDeps & Deps<'application'>,
  transaction: Transaction,
  person: { readonly email: string; readonly name: string },
  seen: readonly SeenSecretsRow[],
): Promise<void> => {
  if (seen.length === 0) return;
  const at = await databaseNow(transaction);
  for (const { organizationId, organizationName, accounts } of seen) {
    const facts = { at, organization: organizationName, accounts: accounts.join(', '), count: accounts.length };
    await warnManagers(deps, transaction, organizationId, ({ email, name }) => ({
      mail: 'serviceTokenHolderLeft',
      to: email,
      values: { ...facts, name, person: `${person.name} (${person.email})` },
      links: tokenLinks(deps.settings.frontendUrl).managed,
    }));
  }
};

const listSeenSecrets = statement<SeenSecretsRow, [userId: string, organizationIds: readonly string[]]>(
  'machine_tokens.list_seen_secrets',
  `SELECT o.id AS "organizationId", o.name AS "organizationName", array_agg(a.name ORDER BY a.name, a.id) AS accounts
   FROM (SELECT DISTINCT t.service_account_id AS id FROM machine_tokens t
     JOIN LATERAL (SELECT FROM credentials c
       WHERE c.session_family_id = t.id AND c.kind = 'machine' AND c.revoked_at IS NULL AND c.expires_at > now()
         AND CASE WHEN c.id = t.credential_id THEN t.issued_to ELSE t.previous_issued_to END = $1
       ORDER BY c.slot LIMIT 1) AS live ON true
     WHERE (t.issued_to = $1 OR t.previous_issued_to = $1) AND t.organization_id = ANY ($2::uuid[])
       AND t.service_account_id IS NOT NULL) AS seen
   JOIN service_accounts a ON a.id = seen.id AND a.deleted_at IS NULL
   JOIN organizations o ON o.id = a.organization_id AND (o.deletes_at IS NULL OR o.deletes_at > now())
   GROUP BY o.id ORDER BY o.id`,
);
