/**
 * Locks where there are no Web Locks (plain http on a host that is not localhost): a number in IndexedDB, whose
 * transactions a browser runs one after the other for all tabs. Its owner changes the number once a second; where it
 * stays the same, the owner was closed or is frozen, and another tab takes the lock over.
 */
import type { Locks, Wait } from './tabs.ts';

/** How long the number stays the same before a tab takes the lock over. */
const lostAfterMilliseconds = 10_000;

/** The number; 0 or undefined while the lock is free. */
type Owner = number | undefined;

/** Writes `next` where the number is `expected` or the lock is free, in one step. @returns the number that it found */
type Swap = (expected: Owner, next: number) => Promise<Owner>;

export const storedLocks = (wait: Wait, swap: Swap): Locks => ({
  request: async (_, { signal }, task) => {
    let mine = Math.random();
    let seen: Owner;
    let lost: AbortSignal | undefined;
    for (;;) {
      const expected = lost?.aborted ? seen : 0;
      const found = await swap(expected, mine);
      if (!found || found === expected) break;
      if (found !== seen) lost = AbortSignal.timeout(lostAfterMilliseconds);
      seen = found;
      await wait(100);
      signal.throwIfAborted();
    }
    const beat = setInterval(() => {
      const before = mine;
      mine = Math.random();
      void swap(before, mine);
    }, 1000);
    try {
      return await task();
    } finally {
      clearInterval(beat);
      void swap(mine, 0);
    }
  },
});

/**
 * The number in a database of its own. A browser that refuses one to a site refuses it cookies as well: there is no
 * session to lose, and every tab is granted the lock.
 */
export const swapStored = (name: string): Swap => {
  let database: Promise<IDBDatabase> | undefined;
  return async (expected, next) => {
    try {
      database ??= openDatabase(name);
      const store = (await database).transaction(name, 'readwrite').objectStore(name);
      const found = await settled(store.get(0) as IDBRequest<Owner>);
      if (!found || found === expected) store.put(next, 0);
      return found;
    } catch {
      return undefined;
    }
  };
};

const openDatabase = (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name);
  request.onupgradeneeded = () => request.result.createObjectStore(name);
  return settled(request);
};

const settled = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = reject;
  });
