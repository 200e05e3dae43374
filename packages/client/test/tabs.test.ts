/** The locks of all tabs: one holder at a time, by Web Locks and by election. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { electedTab } from '../src/elected-tab.ts';
import { type Channel, openChannel, type Wait, withWebLock } from '../src/tabs.ts';

/** Tabs that hear each other a little later, as over a BroadcastChannel. */
const channelsOf = (count: number): readonly Channel[] => {
  const listeners: ((message: string) => void)[][] = Array.from({ length: count }, () => []);
  return listeners.map((own, tab) => ({
    post: (message) =>
      void Promise.resolve().then(() => {
        listeners.forEach((others, index) => {
          if (index !== tab) for (const listener of others) listener(message);
        });
      }),
    listen: (listener) => void own.push(listener),
  }));
};

/** Time that passes by itself, a step for each wait, in the order of the ends. */
const fastTime = (): Wait => {
  let now = 0;
  const ends: { readonly at: number; readonly resolve: () => void }[] = [];
  const step = () => {
    const next = ends.sort((one, other) => one.at - other.at).shift();
    if (next === undefined) return;
    now = next.at;
    next.resolve();
  };
  return (milliseconds) =>
    new Promise((resolve) => {
      ends.push({ at: now + milliseconds, resolve });
      // After all messages of this moment have arrived.
      setTimeout(step, 1);
    });
};

describe('the lock by election', () => {
  it('has one holder at a time among ten tabs, and every tab gets it', async () => {
    const wait = fastTime();
    let holders = 0;
    let most = 0;
    const held: number[] = [];
    await Promise.all(
      channelsOf(10).map((channel, tab) =>
        electedTab(
          channel,
          wait,
        )(async () => {
          holders += 1;
          most = Math.max(most, holders);
          await wait(50);
          held.push(tab);
          holders -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
    expect(held.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('stays with its holder when the clock is set back', async () => {
    const wait = fastTime();
    const [first, second] = channelsOf(2).map((channel) => electedTab(channel, wait));
    const now = vi.spyOn(Date, 'now').mockReturnValue(2_000);
    const release = Promise.withResolvers<void>();
    let isHeld = true;
    const holding = first?.(() => release.promise.finally(() => (isHeld = false)));
    await wait(200);
    now.mockReturnValue(1_000);
    const next = second?.(async () => isHeld);
    await wait(400);
    release.resolve();
    await holding;
    expect(await next).toBe(false);
  });

  it('is free again after a task that failed', async () => {
    const wait = fastTime();
    const [first, second] = channelsOf(2).map((channel) => electedTab(channel, wait));
    await expect(first?.(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await second?.(async () => 'held')).toBe('held');
    expect(await first?.(async () => 'held again')).toBe('held again');
  });

  it('is not waited for without end', async () => {
    const wait = fastTime();
    const [first, second] = channelsOf(2).map((channel) => electedTab(channel, wait));
    const never = new Promise<void>(() => {});
    void first?.(() => never);
    await wait(200);
    await expect(second?.(async () => 'held')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('outlives a holder that is gone', async () => {
    const wait = fastTime();
    const [gone, other] = channelsOf(2);
    if (gone === undefined || other === undefined) throw new Error('Two channels were asked for');
    let isOpen = true;
    const closing: Channel = {
      post: (message) => isOpen && gone.post(message),
      listen: (listener) => gone.listen((message) => isOpen && listener(message)),
    };
    void electedTab(closing, wait)(() => new Promise<void>(() => {}));
    await wait(200);
    const waiting = electedTab(other, wait)(async () => 'held');
    await wait(200);
    isOpen = false;
    expect(await waiting).toBe('held');
  });
});

describe('the lock of the browser', () => {
  const timedOut = { request: () => Promise.reject(new DOMException('timed out', 'TimeoutError')) };

  it('is not waited for without end', async () => {
    const withLock = withWebLock(timedOut as never, 'lock');
    await expect(withLock(async () => 'held')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('hands on the failure of its task', async () => {
    const granting = { request: (_: string, __: object, task: () => Promise<unknown>) => task() };
    const withLock = withWebLock(granting as never, 'lock');
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
