/** The lock of all tabs, by Web Locks and by a number in storage; and what a server sees of the package. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { storedLocks, type swapStored } from '../src/stored-locks.ts';
import { lockOfAllTabs, openChannel, type Wait, type WithLock } from '../src/tabs.ts';

type Swap = ReturnType<typeof swapStored>;

/** A number that tabs share, and that answers a little later, as IndexedDB does. */
const sharedNumber = (): Swap => {
  let stored: number | undefined;
  return async (expected, next) => {
    await Promise.resolve();
    const found = stored;
    if (!found || found === expected) stored = next;
    return found;
  };
};

const waitForTimer: Wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Rejects like the browser's, but by the timers of the test. */
const timeoutByTimers = (milliseconds: number): AbortSignal => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException('timed out', 'TimeoutError')), milliseconds);
  return controller.signal;
};

const never = (): Promise<never> => new Promise(() => undefined);

describe('the lock in storage', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(timeoutByTimers);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  const tabOf = (swap: Swap): WithLock => lockOfAllTabs(storedLocks(waitForTimer, swap), 'lock');

  const wait = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1000);

  // Contract: portal#one-refresh-for-all-tabs — Without Web Locks one tab holds the lock at a time
  it('has one holder at a time among ten tabs, and every tab gets it', async () => {
    const swap = sharedNumber();
    let holders = 0;
    let most = 0;
    const held: number[] = [];
    for (let tab = 0; tab < 10; tab += 1) {
      void tabOf(swap)(async () => {
        holders += 1;
        most = Math.max(most, holders);
        await waitForTimer(50);
        held.push(tab);
        holders -= 1;
      });
    }
    await wait(10);
    expect(most).toBe(1);
    expect(held.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('stays with a holder whose task takes long, and is not waited for without end', async () => {
    const swap = sharedNumber();
    void tabOf(swap)(never);
    await wait(1);
    const task = vi.fn(never);
    const waiting = expect(tabOf(swap)(task)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await wait(31);
    await waiting;
    expect(task).not.toHaveBeenCalled();
  });

  it('is free again after a task that failed', async () => {
    const swap = sharedNumber();
    await expect(tabOf(swap)(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await tabOf(swap)(async () => 'held')).toBe('held');
    expect(await tabOf(swap)(async () => 'held again')).toBe('held again');
  });

  // Contract: portal#one-refresh-for-all-tabs — A tab that closes while it holds the lock stops no other
  it('is taken over after ten seconds from a holder that is gone, by one tab', async () => {
    const swap = sharedNumber();
    let isOpen = true;
    void tabOf((...numbers) => (isOpen ? swap(...numbers) : never()))(never);
    await wait(5);
    const task = vi.fn(never);
    void tabOf(swap)(task);
    void tabOf(swap)(task);
    isOpen = false;
    await wait(9);
    expect(task).not.toHaveBeenCalled();
    await wait(10);
    expect(task).toHaveBeenCalledTimes(1);
  });
});

describe('the lock of the browser', () => {
  it('is not waited for without end', async () => {
    const timedOut = { request: () => Promise.reject(new DOMException('timed out', 'TimeoutError')) };
    const withLock = lockOfAllTabs(timedOut, 'lock');
    await expect(withLock(async () => 'held')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('hands on the failure of its task', async () => {
    const withLock = lockOfAllTabs(navigator.locks, 'lock');
    await expect(withLock(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });
});

describe('a server', () => {
  it('is neither changed nor kept running by the package and a client', async () => {
    const source = new URL('../src/index.ts', import.meta.url).href;
    const script = `
      const before = Reflect.ownKeys(globalThis).length;
      const { createClient } = await import(${JSON.stringify(source)});
      const { session } = createClient({ baseUrl: 'https://id.example' });
      session.subscribe(() => {});
      console.log(Reflect.ownKeys(globalThis).length - before, session.state().status);`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
    expect([stdout, stderr]).toEqual(['0 loading\n', '']);
  });
});

describe('the channel', () => {
  it('keeps no server alive: there are no other tabs', () => {
    const channel = openChannel('name');
    channel.listen(() => expect.unreachable('nobody posts'));
    channel.post('changed');
    expect(globalThis.document).toBeUndefined();
  });
});
