/** Two requests that meet at the critical point: each has done its lookups, and neither has changed anything. */

import { embedded } from '../database/engines.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { roundsOf } from '../random/rounds.ts';
import { inParallel, pauseUpTo, range } from './concurrency.ts';

/** Statements that change something by themselves, outside a transaction. */
const writes = /^(memberships\.switch|credentials\.(rotate|issue)_)/;

/**
 * Starts one request and then the other, and holds both before their writes until both have arrived: a transaction, or
 * a statement that writes by itself. On the embedded engine the write of the first one then runs before that of the
 * second; on PostgreSQL they run concurrently.
 * @throws Error when fewer writes were started: the requests never met
 */
const interleaveAtWrites = async <First, Second>(
  { database }: Pick<Service, 'database'>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> => {
  const transaction: typeof database.transaction = database.transaction.bind(database);
  const maybeOne: typeof database.maybeOne = database.maybeOne.bind(database);
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const gate = Promise.withResolvers<void>();
  let held = 0;
  const hold = (): Promise<void> => {
    held += 1;
    (held === 1 ? one : two).resolve();
    return gate.promise;
  };
  database.transaction = async (work) => {
    await hold();
    return transaction(work);
  };
  database.maybeOne = async (statement, params) => {
    if (writes.test(statement.name)) await hold();
    return maybeOne(statement, params);
  };
  try {
    const begun = first();
    await Promise.race([one.promise, begun]);
    const both = Promise.all([begun, second()]);
    await Promise.race([two.promise, both]);
    if (held < 2) throw new Error('The requests did not meet');
    gate.resolve();
    return await both;
  } finally {
    gate.resolve();
    Object.assign(database, { transaction, maybeOne });
  }
};

/** How often two requests meet at their writes, and how often at random moments. */
export const interleavings = embedded ? { atWrites: 4, byChance: 8 } : { atWrites: 10, byChance: roundsOf(40) };

export type Interleaving = <Left, Right>(
  left: () => Promise<Left>,
  right: () => Promise<Right>,
) => Promise<[Left, Right]>;

/** Runs a race in all these meetings, each of two requests with one writing transaction; returns the outcomes. */
export const inEveryInterleaving = async (
  service: Pick<Service, 'database'>,
  race: (meeting: Interleaving) => Promise<string>,
): Promise<string[]> => {
  const leftFirst: Interleaving = (left, right) => interleaveAtWrites(service, left, right);
  const rightFirst: Interleaving = async (left, right) => {
    const [second, first] = await interleaveAtWrites(service, right, left);
    return [first, second];
  };
  const byChance: Interleaving = (left, right) => Promise.all([left(), pauseUpTo(8).then(right)]);
  // One after the other: meanwhile every transaction of the service is held.
  const planned = await inParallel(range(interleavings.atWrites), 1, (round) =>
    race(round % 2 === 0 ? leftFirst : rightFirst),
  );
  return [...planned, ...(await inParallel(range(interleavings.byChance), 4, () => race(byChance)))];
};
