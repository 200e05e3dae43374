/** Two requests that meet where it matters: each has looked up what it goes by, and neither has changed anything. */

import { embedded } from '../database/engines.ts';
import type { Service } from '../gatehouse/gatehouse.ts';
import { inParallel, pauseUpTo, range } from './concurrency.ts';

/** Statements that change something by themselves, outside a transaction. */
const writes = /^(memberships\.switch|credentials\.(rotate|issue)_)/;

/**
 * Begins one request and then the other, and holds both before their writes until both are there: a transaction, or a
 * statement that writes by itself. On the embedded engine the write of the first one then runs before that of the
 * second; on PostgreSQL they run at once.
 * @throws Error when fewer writes were begun: the requests never met
 */
const meetAtTheirWrites = async <First, Second>(
  { database }: Pick<Service, 'database'>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> => {
  const { transaction, maybeOne } = database;
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
    return transaction.call(database, work) as ReturnType<typeof work>;
  };
  database.maybeOne = async (statement, params) => {
    if (writes.test(statement.name)) await hold();
    return maybeOne.call(database, statement, params) as ReturnType<typeof database.maybeOne<never, typeof params>>;
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

/**
 * How often two requests meet at their writes, and how often chance decides when they meet. The embedded engine runs
 * one transaction after the other: once both are at their writes, there are two orders, and each is tried twice.
 */
export const meetings = embedded ? { atWrites: 4, byChance: 8 } : { atWrites: 10, byChance: 40 };

export type Meeting = <Left, Right>(left: () => Promise<Left>, right: () => Promise<Right>) => Promise<[Left, Right]>;

/** Has a race run in all these meetings, each of two requests that write in one transaction; answers the outcomes. */
export const inEveryMeeting = async (
  service: Pick<Service, 'database'>,
  race: (meeting: Meeting) => Promise<string>,
): Promise<string[]> => {
  const leftFirst: Meeting = (left, right) => meetAtTheirWrites(service, left, right);
  const rightFirst: Meeting = async (left, right) => {
    const [second, first] = await meetAtTheirWrites(service, right, left);
    return [first, second];
  };
  const byChance: Meeting = (left, right) => Promise.all([left(), pauseUpTo(8).then(right)]);
  // One after the other: meanwhile every transaction of the service is held.
  const planned = await inParallel(range(meetings.atWrites), 1, (round) =>
    race(round % 2 === 0 ? leftFirst : rightFirst),
  );
  return [...planned, ...(await inParallel(range(meetings.byChance), 4, () => race(byChance)))];
};
