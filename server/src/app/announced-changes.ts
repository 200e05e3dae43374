/** Which statements change what an actor is built from, and of whom: heard of where every surface comes by. */
import { computeSubscription } from '../domain/billing/payment-events-store.ts';
import { revokeFamily, revokeOthers, revokeUser } from '../domain/credentials/credentials-store.ts';
import {
  deleteIdentities,
  insertIdentity,
  settlePasswordQuestion,
} from '../domain/external-identity/identities-store.ts';
import { acceptForCompletion, acceptOpenInvitation } from '../domain/invitations/invitations-store.ts';
import {
  activateMembership,
  changeRole,
  deleteMember,
  fallBackFrom,
  setOrganizationName,
} from '../domain/memberships/memberships-store.ts';
import {
  bumpCredentialsRevision,
  completeProfile,
  removePassword,
  replaceUnprovenPassword,
  setCurrentMembership,
} from '../domain/users/users-store.ts';
import type { Database, Queryable, Transaction } from '../platform/database/database.ts';
import type { SqlValue, Statement } from '../platform/database/statement.ts';

/** The place of the id among a statement's parameters. */
const places = new Map<string, number>([
  [revokeFamily.name, 0],
  [revokeUser.name, 0],
  [revokeOthers.name, 0],
  [bumpCredentialsRevision.name, 0],
  [completeProfile.name, 0],
  [replaceUnprovenPassword.name, 0],
  [setCurrentMembership.name, 0],
  [activateMembership.name, 0],
  [fallBackFrom.name, 0],
  [changeRole.name, 0],
  [deleteMember.name, 0],
  [acceptOpenInvitation.name, 1],
  [acceptForCompletion.name, 1],
  [setOrganizationName.name, 0],
  [computeSubscription.name, 0],
  [insertIdentity.name, 2],
  [deleteIdentities.name, 0],
  [settlePasswordQuestion.name, 0],
  [removePassword.name, 0],
]);

type Changed = (ids: readonly string[]) => void;

/** The same database, but `changed` is told of each change once it is durable, and of none that is not. */
export const announceChanges = (database: Database, changed: Changed): Database => ({
  engine: database.engine,
  lookups: database.lookups,
  ...heard(database, (id) => changed([id])),
  transaction: (work) => database.transaction((transaction) => work(inTransaction(transaction, changed))),
  ping: () => database.ping(),
  stats: () => database.stats(),
  close: () => database.close(),
});

const inTransaction = (transaction: Transaction, changed: Changed): Transaction => {
  const ids = new Set<string>();
  const note = (id: string): void => {
    if (ids.size === 0) transaction.afterCommit(() => changed([...ids]));
    ids.add(id);
  };
  return { ...heard(transaction, note), afterCommit: (effect) => transaction.afterCommit(effect) };
};

/** Notes a change after its statement, whatever it affected. */
const heard = (queryable: Queryable, note: (id: string) => void): Queryable => {
  const noting = async <T>(
    { name }: Statement<unknown, readonly SqlValue[]>,
    params: readonly SqlValue[],
    run: () => Promise<T>,
  ): Promise<T> => {
    const result = await run();
    const id = params[places.get(name) ?? -1];
    if (typeof id === 'string') note(id);
    return result;
  };
  return {
    many: (statement, params) => noting(statement, params, () => queryable.many(statement, params)),
    maybeOne: (statement, params) => noting(statement, params, () => queryable.maybeOne(statement, params)),
    one: (statement, params) => noting(statement, params, () => queryable.one(statement, params)),
    execute: (statement, params) => noting(statement, params, () => queryable.execute(statement, params)),
  };
};
