/**
 * Mails about tokens: to the owner of a personal token, and to those who manage the tokens of an organization. None has
 * a secret, or characters of one.
 */
import { databaseNow, type Transaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Actor } from '../access/actor.ts';
import type { MailDeps } from '../access/deps.ts';
import type { Caller } from '../credentials/issue-pair.ts';
import type { ServiceAccountRow } from './service-accounts-store.ts';
import { type Recipient, tellManagers } from './tell-members.ts';
import type { MachineTokenRow } from './tokens-store.ts';

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
export const tellOfPersonalToken = async (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Pick<Actor, 'application' | 'user'>,
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
  await tellManagers({ ...deps, application }, transaction, token.organizationId, ({ userId, email, name }) =>
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
export const tellOfServiceToken = (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Pick<Actor, 'application' | 'user'>,
  { token, caller, event }: Issued,
): Promise<void> => {
  const { name: account, organizationName: organization } = token;
  const at = token.rotatedAt ?? token.createdAt;
  const facts = { at, account, organization, person: inWords(user), ...originOf(caller) };
  return tellManagers({ ...deps, application }, transaction, token.organizationId, ({ email, name }) => ({
    mail: event === 'created' ? 'serviceTokenCreated' : 'serviceTokenRotated',
    to: email,
    values: { ...facts, name },
    links: tokenLinks(deps.settings.frontendUrl).managed,
  }));
};

/** Tells the owner of a personal token what was decided on it. */
export const tellOfDecision = async (
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
export const tellOfAddedScopes = async (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Pick<Actor, 'application' | 'user'>,
  { account, organizationName: organization, scopes }: Added,
): Promise<void> => {
  const at = await databaseNow(transaction);
  const facts = { at, account: account.name, organization, person: inWords(user), scopes: scopes.join(', ') };
  await tellManagers({ ...deps, application }, transaction, account.organizationId, ({ email, name }) => ({
    mail: 'serviceAccountScopesAdded',
    to: email,
    values: { ...facts, name },
    links: tokenLinks(deps.settings.frontendUrl).managed,
  }));
};

/** Tells those who manage tokens that the policy for them was changed. */
export const tellOfPolicy = async (
  deps: MailDeps,
  transaction: Transaction,
  { application, user }: Pick<Actor, 'application' | 'user'>,
  organization: { readonly id: string; readonly name: string },
): Promise<void> => {
  const at = await databaseNow(transaction);
  await tellManagers({ ...deps, application }, transaction, organization.id, ({ email, name }) => ({
    mail: 'tokenPolicyChanged',
    to: email,
    values: { name, at, organization: organization.name, person: inWords(user) },
    links: tokenLinks(deps.settings.frontendUrl).policy,
  }));
};
