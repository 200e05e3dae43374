/** People and sessions in any number, through the domain but without the cost of a bcrypt hash for each of them. */
import { createAccount } from '../../src/domain/accounts/create-account.ts';
import { issueCredentialPair } from '../../src/domain/credentials/issue-pair.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { newAddress, type Tokens } from './clients.ts';
import { inParallel, range } from './concurrency.ts';

const lifetimes = { accessTtlSeconds: 900, refreshTtlSeconds: 2_592_000 };
const atOnce = 8;

/** A verified person with an organization of their own; answers the user's id. */
export const seedPerson = async (database: Database, email = newAddress()): Promise<string> => {
  const account = { email, name: 'Test Person', passwordHash: null, validationTokenHash: null, redirect: null };
  const userId = await database.transaction((transaction) => createAccount(transaction, account, 'free'));
  if (userId === null) throw new Error(`${email} is taken`);
  return userId;
};

/** A session of a person, as a sign-in of an opaque client issues it. */
export const seedSession = async (database: Database, userId: string): Promise<Tokens> => {
  const caller = { ip: '127.0.0.1', userAgent: 'tests' };
  const request = { userId, audience: 'api', authMethod: 'password', caller, succeeds: null, grant: null };
  const pair = await database.transaction((transaction) => issueCredentialPair(transaction, lifetimes, request));
  if (pair === null) throw new Error(`No pair for ${userId}`);
  return { accessToken: pair.accessToken, refreshToken: pair.refreshToken };
};

/** `count` sessions, shared out among people with `sessionsEach`. */
export const seedSessions = async (database: Database, count: number, sessionsEach: number): Promise<Tokens[]> => {
  const people = range(Math.ceil(count / sessionsEach));
  const ids = await inParallel(people, atOnce, () => seedPerson(database));
  return inParallel(range(count), atOnce, (index) => seedSession(database, ids[index % ids.length] ?? ''));
};
