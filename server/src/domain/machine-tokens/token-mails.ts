/**
 * Mails about tokens: to the owner of a personal token, and to those who manage the tokens of an organization. None has
 * a secret, or characters of one.
 *
 * Those who manage tokens are the members whose role grants TOKENS_MANAGE while the plan does too, and who are not
 * suspended; of a warning, whatever the plan is. While the operations for tokens are off, no role has that scope: then
 * its owners and administrators, since a token can still be reported as leaked.
 */
import { databaseNow, statement, type Transaction } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/mails.ts';
import type { Actor } from '../access/actor.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import type { Caller } from '../credentials/issue-pair.ts';
import type { ReportedTokenRow } from './report-leaks-store.ts';
import type { ServiceAccountRow } from './service-accounts-store.ts';
import type { MachineTokenRow } from './tokens-store.ts';

/** Who gets a mail. */
interface Recipient {
  readonly email: string;
  readonly name: string;
}

/** The person who made the change that a mail tells of. */
type Author = Pick<Actor, 'application' | 'user'>;

/** Where the mails link to: the person's own tokens, those of the active organization, and parts of that page. */
export const tokenLinks = (frontendUrl: string) => {
  const managed = `${frontendUrl}/organization/tokens`;
  return {
    own: [`${frontendUrl}/account/tokens`],
    managed: [managed],
    waiting: [`${managed}?status=PENDING`],
    policy: [`${managed}?section=policy`],
  } as const;
};

/** A person as those who manage tokens know them: a name alone may be that of several. */
const inWords = ({ email, name }: Recipient): string => `${name} (${email})`;

const originOf = ({ ip }: Pick<Caller, 'ip'>) =>
  ({ address: ip ?? '', hasAddress: ip === null ? 'no' : 'yes' }) as const;

/** A token with a new secret. */
interface Issued {
  readonly token: MachineTokenRow;
  readonly caller: Caller;
  readonly event: 'created' | 'rotated';
}

/** Tells the owner of a personal token of its new secret, and those who manage tokens of one that waits for them. */
export const notifyOfPersonalToken = async (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Author,
  { token, caller, event }: Issued,
): Promise<void> => {
  const at = token.rotatedAt ?? token.createdAt;
  const links = tokenLinks(deps.settings.frontendUrl);
  const facts = { at, token: token.name, organization: token.organizationName };
  const shared = { name: user.name, ...facts, ...originOf(caller) };
  const isPending = token.isPending ? 'yes' : 'no';
  await deps.mail.enqueue(
    transaction,
    event === 'created'
      ? { mail: 'personalTokenCreated', to: user.email, values: { ...shared, isPending }, links: links.own }
      : { mail: 'personalTokenRotated', to: user.email, values: shared, links: links.own },
  );
  if (event === 'rotated' || !token.isPending) return;
  // Who asks knows already, and decides on their own token only as an owner.
  await notifyManagers({ ...deps, application }, transaction, token.organizationId, ({ userId, email, name }) =>
    userId === user.id
      ? null
      : {
          mail: 'personalTokenWaiting',
          to: email,
          values: { ...facts, name, person: inWords(user) },
          links: links.waiting,
        },
  );
};

/** Tells those who manage tokens of a new secret of a service token. */
export const notifyOfServiceToken = (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Author,
  { token, caller, event }: Issued,
): Promise<void> => {
  const { name: account, organizationName: organization } = token;
  const at = token.rotatedAt ?? token.createdAt;
  const facts = { at, account, organization, person: inWords(user), ...originOf(caller) };
  return notifyManagers({ ...deps, application }, transaction, token.organizationId, ({ email, name }) => ({
    mail: event === 'created' ? 'serviceTokenCreated' : 'serviceTokenRotated',
    to: email,
    values: { ...facts, name },
    links: tokenLinks(deps.settings.frontendUrl).managed,
  }));
};

/** Tells the owner of a personal token what was decided on it. */
export const notifyOfDecision = async (
  { mail, settings }: MailDeps,
  transaction: Transaction,
  { id, name: token, organizationName: organization }: MachineTokenRow,
  isApproved: boolean,
): Promise<void> => {
  const owner = await transaction.one(findOwnerOfToken, [id]);
  const at = await databaseNow(transaction);
  await mail.enqueue(transaction, {
    mail: isApproved ? 'personalTokenApproved' : 'personalTokenRefused',
    to: owner.email,
    values: { name: owner.name, at, token, organization },
    links: tokenLinks(settings.frontendUrl).own,
  });
};

const findOwnerOfToken = statement<Recipient, [tokenId: string]>(
  'machine_tokens.find_owner',
  'SELECT u.email, u.name FROM machine_tokens t JOIN users u ON u.id = t.user_id WHERE t.id = $1',
);

interface Added {
  readonly account: Pick<ServiceAccountRow, 'name' | 'organizationId'>;
  readonly organizationName: string;
  readonly scopes: readonly string[];
}

/** Tells those who manage tokens that a service account may do more. */
export const notifyOfAddedScopes = async (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Author,
  { account, organizationName: organization, scopes }: Added,
): Promise<void> => {
  const at = await databaseNow(transaction);
  const facts = { at, account: account.name, organization, person: inWords(user), scopes: scopes.join(', ') };
  await notifyManagers({ ...deps, application }, transaction, account.organizationId, ({ email, name }) => ({
    mail: 'serviceAccountScopesAdded',
    to: email,
    values: { ...facts, name },
    links: tokenLinks(deps.settings.frontendUrl).managed,
  }));
};

/** Tells those who manage tokens that the policy for them was changed. */
export const notifyOfPolicy = async (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Author,
  organization: { readonly id: string; readonly name: string },
): Promise<void> => {
  const at = await databaseNow(transaction);
  await notifyManagers({ ...deps, application }, transaction, organization.id, ({ email, name }) => ({
    mail: 'tokenPolicyChanged',
    to: email,
    values: { name, at, organization: organization.name, person: inWords(user) },
    links: tokenLinks(deps.settings.frontendUrl).policy,
  }));
};

// A token that was reported as leaked: the mails repeat nothing of the report, which every client can send.

/** Tells the owner of a reported personal token, or those who manage tokens of a service token. */
export const notifyOfReportedToken = async (
  deps: MailDeps & Deps<'application'>,
  transaction: Transaction,
  { organizationId, organizationName: organization, name: token, email, userName, at }: ReportedTokenRow,
): Promise<void> => {
  const links = tokenLinks(deps.settings.frontendUrl);
  if (email !== null) {
    const values = { name: userName ?? '', token, organization, at };
    await deps.mail.enqueue(transaction, { mail: 'personalTokenReported', to: email, values, links: links.own });
    return;
  }
  await notifyManagers(deps, transaction, organizationId, (manager) => ({
    mail: 'serviceTokenReported',
    to: manager.email,
    values: { name: manager.name, serviceAccount: token, organization, at },
    links: links.managed,
  }));
};

/** Tells a person that their session ended. */
export const notifyOfReportedSession = async (
  { mail, settings }: MailDeps,
  transaction: Transaction,
  { email, name, at }: Recipient & { readonly at: Date },
): Promise<void> => {
  const links = [`${settings.frontendUrl}/account`] as const;
  await mail.enqueue(transaction, { mail: 'sessionReported', to: email, values: { name, at }, links });
};

// Those who manage the tokens of an organization.

/** As many of an organization get a mail, its owners first: a change holds locks while its mails are queued. */
const mostManagersTold = 50;

interface Manager extends Recipient {
  readonly userId: string;
}

/** Queues a mail to each who manages the organization's tokens. @param write null for one who gets none */
export const notifyManagers = (
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
 * Mails about a secret that an outsider knows, to those whose role grants TOKENS_MANAGE even while a lapsed plan or a
 * waiting deletion withholds it: the secret would work again without a later event.
 * @param write null for one who gets none
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
