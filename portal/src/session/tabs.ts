/**
 * Coordination between the tabs of one browser: the session channel, and the lock for requests that replace the
 * cookies.
 */
import { Refusal } from './refusal.ts';

const sessionEvents = ['signed-in', 'signed-out', 'changed'] as const;
export type SessionEvent = (typeof sessionEvents)[number];

/** Events between tabs. A receiver asks the server and never trusts their content. */
export interface SessionChannel {
  post(event: SessionEvent): void;
  listen(listener: (event: SessionEvent) => void): void;
}

export const openSessionChannel = (name = 'gatehouse-session'): SessionChannel => {
  const channel = new BroadcastChannel(name);
  return {
    post: (event) => channel.postMessage(event),
    listen: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const event = sessionEvents.find((known) => known === data);
        if (event !== undefined) listener(event);
      });
    },
  };
};

/** Runs tasks one at a time: requests that replace the cookies (rotation, sign-in) must not overlap. */
export type WithLock = <T>(task: () => Promise<T>) => Promise<T>;

const lockName = 'gatehouse-session';

/**
 * Runs tasks under a Web Lock shared by all tabs. Waits with a timeout and never steals the lock: its holder may be
 * rotating, and a second rotation beside it is what the lock prevents.
 */
export const withLockAcrossTabs =
  (locks: Pick<LockManager, 'request'>, timeoutMilliseconds = 20_000): WithLock =>
  async (task) => {
    let granted = false;
    try {
      return await locks.request(lockName, { signal: AbortSignal.timeout(timeoutMilliseconds) }, () => {
        granted = true;
        return task();
      });
    } catch (cause) {
      if (granted) throw cause;
      throw new Refusal('UNAVAILABLE', 'Another tab is still waiting for the service.', { cause });
    }
  };

/**
 * Fallback without Web Locks (plain http on a host other than localhost): serializes this tab only. Other tabs get a
 * pause to finish; beyond that the server decides the winner and harms no loser.
 */
export const withLockInThisTab = (pause: () => Promise<void>): WithLock => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(pause).then(task);
    last = result.catch(() => undefined);
    return result;
  };
};
