/** Concurrency within bounds, and waits with a deadline. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, post } from '../clients/clients.ts';

/** Runs `work` on every item, at most `limit` at a time; results in the order of the items. */
export const inParallel = async <Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return results;
};

export const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Any number of milliseconds below `most`: the moment of the fault within an operation is random. */
export const pauseUpTo = (most: number): Promise<void> => sleep(Math.random() * most);

/** Starts both at random moments, less than `most` milliseconds apart: either may come first. */
export const startApart = <Left, Right>(
  most: number,
  left: () => Promise<Left>,
  right: () => Promise<Right>,
): Promise<[Left, Right]> => Promise.all([pauseUpTo(most).then(left), pauseUpTo(most).then(right)]);

/**
 * Runs a quick operation at about the end of a slow one; the duration is measured from round to round, because a busy
 * machine takes longer for a password's hash.
 * @param firstMillis estimated duration of the slow one in the first round
 */
export const raceWithSlow = (firstMillis: number) => {
  let millis = firstMillis;
  return <Slow, Quick>(slow: () => Promise<Slow>, quick: () => Promise<Quick>): Promise<[Slow, Quick]> => {
    const measured = async (): Promise<Slow> => {
      const begin = performance.now();
      const result = await slow();
      millis = performance.now() - begin;
      return result;
    };
    return Promise.all([measured(), pauseUpTo(1.5 * millis).then(quick)]);
  };
};

/**
 * Starts two operations so that either wins in some rounds, whichever takes longer on this machine: alternately one and
 * the other starts first.
 * @param firstMillis estimated duration of either in the first round
 */
export const alternateFirst = (firstMillis: number) => {
  const [besideLeft, besideRight] = [raceWithSlow(firstMillis), raceWithSlow(firstMillis)];
  return async <Left, Right>(
    round: number,
    left: () => Promise<Left>,
    right: () => Promise<Right>,
  ): Promise<[Left, Right]> => {
    if (round % 2 === 0) return besideLeft(left, right);
    const [second, first] = await besideRight(right, left);
    return [first, second];
  };
};

/** Less than the time limit of a test, whose message would not name the condition. */
const timeoutSeconds = 100;

/**
 * Repeats until the condition holds.
 * @param seconds when the maximum is part of the assertion; by default only a condition that never holds fails
 */
export const until = async (what: string, isTrue: () => Promise<boolean>, seconds = timeoutSeconds): Promise<void> => {
  const end = performance.now() + seconds * 1000;
  for (let asked = 0; !(await isTrue()); asked += 1) {
    if (performance.now() > end) throw new Error(`Still not so after ${seconds} s: ${what}`);
    await sleep(Math.min(asked, 25));
  }
};

/** The result of an operation for a client: the code of its refusal, or that it succeeded. */
export type Outcome = 'OK' | (string & {});

export const outcomeOf = (answer: Answer): Outcome =>
  answer.code ?? (answer.status === 200 && answer.data !== null ? 'OK' : `status ${answer.status}`);

/** Like `post`; null when the connection ended before the whole answer, so that the outcome is unknown. */
export const attempt = async (...request: Parameters<typeof post>): Promise<Answer | null> => {
  try {
    return await post(...request);
  } catch (error) {
    // The error that fetch throws when the network failed; any other error is a defect.
    if (error instanceof TypeError) return null;
    throw error;
  }
};

export const tally = (values: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
};

/** Every order of some items. */
export const orders = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, index) =>
        orders([...items.slice(0, index), ...items.slice(index + 1)]).map((rest) => [item, ...rest]),
      );
