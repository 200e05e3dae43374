/**
 * Owns: the end of everything that a restored backup brings back to life.
 * Promises: What began until the given instant has ended, whatever refreshes and switches made of it; each person and
 *   each organization is one transaction's, with their mails.
 *
 * The operator's command after-restore (contract/operation.md#after-a-restore; decision 0087).
 */
import { databaseNow, type Transaction } from '../../platform/database/database.ts';
import type { Deps, MailDeps } from '../access/deps.ts';
import { endFamilies, lockBulkRevocations } from '../credentials/end-families.ts';
import { warnManagers } from '../machine-tokens/token-mails.ts';
import {
  endSteps,
  listNextOrganizations,
  listNextUsers,
  listOldFamilies,
  listPeople,
  listServiceTokens,
} from './after-restore-store.ts';

type RestoreDeps = Deps<'application' | 'database' | 'logger'> & MailDeps;

interface AfterRestore {
  /** Sessions that began later go on. */
  readonly until: Date;
  readonly keepsTokens: boolean;
}

export interface EndedAfterRestore {
  readonly sessions: number;
  readonly tokens: number;
  /** Who were told: people about their own, and organizations whose managers were. */
  readonly people: number;
  readonly organizations: number;
}

const reason = 'ended_after_restore';
/** A transaction takes a tenth of a second with so many people, and holds only rows that end. */
const peopleAtOnce = 50;
const organizationsAtOnce = 50;
const first = '00000000-0000-0000-0000-000000000000';

/**
 * Ends every session, client's pair and, unless kept, token that began until an instant. Each person, and the managers
 * of each organization, are told by one mail. Repeating it ends what is left; a failure leaves what was ended before,
 * with its mails.
 * @throws DatabaseUnavailable
 */
export const endAfterRestore = async (deps: RestoreDeps, input: AfterRestore): Promise<EndedAfterRestore> => {
  const ended = { sessions: 0, tokens: 0, people: 0, organizations: 0 };
  let isComplete = false;
  try {
    for (const end of endSteps) await deps.database.execute(end, [input.until]);
    await endOfPeople(deps, input, ended);
    if (!input.keepsTokens) await endOfServiceAccounts(deps, input, ended);
    isComplete = true;
  } finally {
    const facts = { ...ended, until: input.until, keepsTokens: input.keepsTokens, isComplete };
    deps.logger.warn({ event: 'auth.ended_after_restore', ...facts }, 'An operator ended what a backup brought back');
  }
  return ended;
};

type Counts = { -readonly [Key in keyof EndedAfterRestore]: EndedAfterRestore[Key] };

const add = (counts: Counts, { sessions, tokens, people, organizations }: EndedAfterRestore): void => {
  counts.sessions += sessions;
  counts.tokens += tokens;
  counts.people += people;
  counts.organizations += organizations;
};

const endOfPeople = async (deps: RestoreDeps, input: AfterRestore, counts: Counts): Promise<void> => {
  for (let after: string | undefined = first; after !== undefined; ) {
    const some: readonly { readonly userId: string }[] = await deps.database.many(listNextUsers, [after, peopleAtOnce]);
    const userIds = some.map(({ userId }) => userId);
    if (userIds.length > 0)
      add(counts, await deps.database.transaction((transaction) => endEarlier(deps, transaction, userIds, input)));
    after = userIds.at(-1);
  }
};

const endEarlier = async (
  deps: RestoreDeps,
  transaction: Transaction,
  userIds: readonly string[],
  { until, keepsTokens }: AfterRestore,
): Promise<EndedAfterRestore> => {
  await transaction.many(lockBulkRevocations, []);
  const earlier = await transaction.many(listOldFamilies, [userIds, until, keepsTokens]);
  const families = earlier.map(({ sessionFamilyId }) => sessionFamilyId);
  const { sessions } = await endFamilies(transaction, families, reason);
  const ended = earlier.filter(({ sessionFamilyId }) => sessions.has(sessionFamilyId));
  const tokensOf = new Map<string, number>();
  for (const { userId, isToken } of ended) tokensOf.set(userId, (tokensOf.get(userId) ?? 0) + (isToken ? 1 : 0));
  await mailOwners(deps, transaction, tokensOf);
  const tokens = ended.filter(({ isToken }) => isToken).length;
  return { sessions: ended.length - tokens, tokens, people: tokensOf.size, organizations: 0 };
};

/** @param tokensOf number of ended tokens of each person of whom anything ended */
const mailOwners = async (
  { mail, settings: { frontendUrl } }: RestoreDeps,
  transaction: Transaction,
  tokensOf: ReadonlyMap<string, number>,
): Promise<void> => {
  if (tokensOf.size === 0) return;
  const at = await databaseNow(transaction);
  for (const { userId, email, name } of await transaction.many(listPeople, [[...tokensOf.keys()]])) {
    const values = { name, at, tokens: tokensOf.get(userId) ?? 0 };
    await mail.enqueue(transaction, { mail: 'endedAfterRestore', to: email, values, links: [`${frontendUrl}/signin`] });
  }
};

const endOfServiceAccounts = async (deps: RestoreDeps, { until }: AfterRestore, counts: Counts): Promise<void> => {
  for (let after: string | undefined = first; after !== undefined; ) {
    const some: readonly Organization[] = await deps.database.many(listNextOrganizations, [
      after,
      until,
      organizationsAtOnce,
    ]);
    for (const organization of some)
      add(
        counts,
        await deps.database.transaction((transaction) => endOfOrganization(deps, transaction, organization, until)),
      );
    after = some.at(-1)?.organizationId;
  }
};

interface Organization {
  readonly organizationId: string;
  readonly organization: string;
}

const endOfOrganization = async (
  deps: RestoreDeps,
  transaction: Transaction,
  { organizationId, organization }: Organization,
  until: Date,
): Promise<EndedAfterRestore> => {
  await transaction.many(lockBulkRevocations, []);
  const tokens = await transaction.many(listServiceTokens, [organizationId, until]);
  const { sessions } = await endFamilies(
    transaction,
    tokens.map(({ tokenId }) => tokenId),
    reason,
  );
  const names = [...new Set(tokens.filter(({ tokenId }) => sessions.has(tokenId)).map(({ account }) => account))];
  if (names.length === 0) return { sessions: 0, tokens: 0, people: 0, organizations: 0 };
  const at = await databaseNow(transaction);
  await warnManagers(deps, transaction, organizationId, ({ email, name }) => ({
    mail: 'serviceTokensEndedAfterRestore',
    to: email,
    values: { name, at, organization, accounts: names.join(', '), count: names.length },
    links: [`${deps.settings.frontendUrl}/organization/tokens`],
  }));
  return { sessions: 0, tokens: sessions.size, people: 0, organizations: 1 };
};
