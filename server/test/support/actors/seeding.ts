/** People and sessions in any number, through the domain but without the cost of a bcrypt hash for each of them. */
import { authenticatedNow, issueCredentialPair, type PairRequest } from '../../../src/domain/credentials/issue-pair.ts';
import { insertClient } from '../../../src/domain/oauth/clients-store.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Keyring } from '../../../src/kernel/secrets.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { inParallel, range } from '../checks/concurrency.ts';
import { createPerson, newAddress, type Tokens } from '../clients/clients.ts';

const lifetimes = { accessTtlSeconds: 900, refreshTtlSeconds: 2_592_000, signInHistoryDays: 30 };
const atOnce = 8;

/** For accounts without a rejected sign-up in the service under test. */
export const accountDeps = {
  keyring: new Keyring(['a secret of the tests alone']),
  settings: { defaultProduct: 'free' },
};

/** A verified person with an organization of their own; returns the user's id. */
export const seedPerson = (database: Database, email = newAddress()): Promise<string> =>
  createPerson(database, accountDeps, { email, passwordHash: null });

/** A session of a person, as a sign-in of an opaque client issues it, or as an OAuth client gets it. */
export const seedSession = async (
  database: Database,
  userId: string,
  grant: PairRequest['grant'] = null,
  accessTtlSeconds = lifetimes.accessTtlSeconds,
): Promise<Tokens> => {
  const caller = { ip: '127.0.0.1', userAgent: 'tests' };
  const request = { userId, ...issuedAs(grant), caller, succeeds: null, grant, authentication: authenticatedNow };
  const pair = await database.transaction((transaction) =>
    issueCredentialPair(transaction, { ...lifetimes, accessTtlSeconds }, request),
  );
  if (pair === null) throw new Error(`No pair for ${userId}`);
  return { accessToken: pair.accessToken, refreshToken: pair.refreshToken };
};

const issuedAs = (grant: PairRequest['grant']): Pick<PairRequest, 'audience' | 'authMethod'> => {
  if (grant === null) return { audience: 'api', authMethod: 'password' };
  return { audience: grant.bound === null ? 'mcp' : 'mcp_organization', authMethod: 'mcp_oauth' };
};

/** A client of this name, and a session of it for a person, limited to these scopes. */
export const seedConnection = async (
  database: Database,
  userId: string,
  name: string,
  scopes: readonly string[],
): Promise<{ readonly clientId: string; readonly tokens: Tokens }> => {
  const clientId = newId();
  await database.one(insertClient, [clientId, name, ['http://127.0.0.1/'], '127.0.0.1']);
  return { clientId, tokens: await seedSession(database, userId, { clientId, scopes, bound: null }) };
};

/** `count` sessions, distributed over people with `sessionsEach`. */
export const seedSessions = async (database: Database, count: number, sessionsEach: number): Promise<Tokens[]> => {
  const people = range(Math.ceil(count / sessionsEach));
  const ids = await inParallel(people, atOnce, () => seedPerson(database));
  return inParallel(range(count), atOnce, (index) => seedSession(database, ids[index % ids.length] ?? ''));
};
