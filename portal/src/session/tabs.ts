/** Coordination between the tabs of one browser: the session channel, and the lock for requests that replace the cookies. */
import { Refusal } from './refusal.ts';

const allNews = ['signed-in', 'signed-out', 'changed'] as const;
export type SessionNews = (typeof allNews)[number];

export interface SessionChannel {
  tell(news: SessionNews): void;
  listen(listener: (news: SessionNews) => void): void;
}

export const openSessionChannel = (name = 'gatehouse-session'): SessionChannel => {
  const channel = new BroadcastChannel(name);
  return {
    tell: (news) => channel.postMessage(news),
    listen: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const news = allNews.find((known) => known === data);
        if (news !== undefined) listener(news);
      });
    },
  };
};

export type Exclusively = <T>(task: () => Promise<T>) => Promise<T>;

const lockName = 'gatehouse-session';

/**
 * Waits for the lock a bounded time and then gives up. It is never stolen: the holder may be in the middle of a
 * rotation, and a second one beside it is what the lock is there to prevent.
 */
export const exclusivelyAcrossTabs =
  (locks: Pick<LockManager, 'request'>, patienceMilliseconds = 20_000): Exclusively =>
  async (task) => {
    let granted = false;
    try {
      return await locks.request(lockName, { signal: AbortSignal.timeout(patienceMilliseconds) }, () => {
        granted = true;
        return task();
      });
    } catch (cause) {
      if (granted) throw cause;
      throw new Refusal('UNAVAILABLE', 'Another tab is still waiting for the service.', { cause });
    }
  };

/**
 * Where Web Locks are missing (plain http on a host other than localhost) only this tab can be ordered. Other tabs get
 * a moment to finish what they may be doing; past that the server decides the winner and harms no loser.
 */
export const exclusivelyInThisTab = (pause: () => Promise<void>): Exclusively => {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const turn = last.then(pause).then(task);
    last = turn.catch(() => undefined);
    return turn;
  };
};
