/**
 * Mails to those who manage the tokens of an organization: the members whose role grants TOKENS_MANAGE while the plan
 * does too, and who are not suspended.
 */
import type { Transaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Mail } from '../../platform/mail/mails.ts';
import type { Deps, MailDeps } from '../access/deps.ts';

/** As many of an organization get a mail, its owners first: a change holds locks while its mails are queued. */
const mostManagersTold = 50;

/** Who gets a mail. */
export interface Recipient {
  readonly email: string;
  readonly name: string;
}

/**
 * Queues a mail to each of those who manage the tokens of an organization.
 * @param write the mail to one of them
 */
export const tellManagers = async (
  { application, mail }: Pick<MailDeps, 'mail'> & Deps<'application'>,
  transaction: Transaction,
  organizationId: string,
  write: (recipient: Recipient) => Mail,
): Promise<void> => {
  const roles = application.rolesGranting('TOKENS_MANAGE');
  const products = application.productsGranting('TOKENS_MANAGE');
  for (const manager of await transaction.many(listTokenManagers, [organizationId, roles, products])) {
    await mail.enqueue(transaction, write(manager));
  }
};

const listTokenManagers = statement<
  Recipient,
  [organizationId: string, roles: readonly string[], products: readonly string[]]
>(
  'machine_tokens.list_managers',
  `SELECT u.email, u.name FROM organization_members m
   JOIN subscriptions s ON s.organization_id = m.organization_id AND s.product = ANY ($3) AND s.status IN ('ACTIVE', 'TRIALING')
   JOIN users u ON u.id = m.user_id AND u.suspended_at IS NULL
   WHERE m.organization_id = $1 AND m.joined_at IS NOT NULL AND m.role = ANY ($2)
   ORDER BY m.role <> 'OWNER', m.joined_at, m.id LIMIT ${mostManagersTold}`,
);
