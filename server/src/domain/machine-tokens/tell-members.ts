/**
 * Mails to those who manage the tokens of an organization: the members whose role grants TOKENS_MANAGE while the plan
 * does too, and who are not suspended; of a warning, whatever the plan is. While the operations for tokens are off, no
 * role has that scope: then its owners and administrators, since a token can still be reported as leaked.
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

interface Manager extends Recipient {
  readonly userId: string;
}

/**
 * Queues a mail to each of those who manage the tokens of an organization.
 * @param write the mail to one of them; null for one who gets none
 */
export const tellManagers = (
  deps: ManagerDeps,
  transaction: Transaction,
  organizationId: string,
  write: WriteMail,
): Promise<void> => {
  const { application } = deps;
  const products = hasTokens(application) ? application.productsGranting('TOKENS_MANAGE') : null;
  return tell(deps, transaction, { organizationId, products }, write);
};

/**
 * Queues a mail about a secret that a person outside of the organization knows. It goes to those whose role grants
 * TOKENS_MANAGE even while a lapsed plan, or a deletion that waits, withholds that scope from them: the token keeps its
 * secret, and with the plan paid for or the organization restored, that person could use it. No later event would tell.
 * @param write the mail to one of them; null for one who gets none
 */
export const warnManagers = (
  deps: ManagerDeps,
  transaction: Transaction,
  organizationId: string,
  write: WriteMail,
): Promise<void> => tell(deps, transaction, { organizationId, products: null }, write);

type ManagerDeps = Pick<MailDeps, 'mail'> & Deps<'application'>;
type WriteMail = (manager: Manager) => Mail | null;

/** Whether the operations for tokens are on. */
const hasTokens = ({ scopes }: ManagerDeps['application']): boolean =>
  scopes.some(({ name }) => name === 'TOKENS_MANAGE');

interface Audience {
  readonly organizationId: string;
  /** Those of which the organization has one that is paid for; null for any plan. */
  readonly products: readonly string[] | null;
}

const tell = async (
  { application, mail }: ManagerDeps,
  transaction: Transaction,
  { organizationId, products }: Audience,
  write: WriteMail,
): Promise<void> => {
  const roles = hasTokens(application) ? application.rolesGranting('TOKENS_MANAGE') : ['OWNER', 'ADMIN'];
  for (const manager of await transaction.many(listTokenManagers, [organizationId, roles, products])) {
    const written = write(manager);
    if (written !== null) await mail.enqueue(transaction, written);
  }
};

/** With null in place of products, whatever the plan is. */
const listTokenManagers = statement<
  Manager,
  [organizationId: string, roles: readonly string[], products: readonly string[] | null]
>(
  'machine_tokens.list_managers',
  `SELECT u.id AS "userId", u.email, u.name FROM organization_members m JOIN users u ON u.id = m.user_id AND u.suspended_at IS NULL
   WHERE m.organization_id = $1 AND m.joined_at IS NOT NULL AND m.role = ANY ($2) AND ($3::text[] IS NULL OR EXISTS (
     SELECT FROM subscriptions s
     WHERE s.organization_id = m.organization_id AND s.product = ANY ($3) AND s.status IN ('ACTIVE', 'TRIALING')))
   ORDER BY m.role <> 'OWNER', m.joined_at, m.id LIMIT ${mostManagersTold}`,
);
