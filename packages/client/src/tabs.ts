/**
 * Coordination of the tabs of one origin: a channel for messages, and the lock for requests that replace the cookies
 * (rotation, sign-in, switch), which must not overlap.
 */
import { Refusal } from './refusal.ts';

/** Messages between tabs. A receiver asks the service and never trusts their content. */
export interface Channel {
  readonly post: (message: string) => void;
  readonly listen: (listener: (message: string) => void) => void;
}

/** A channel of all tabs of this origin; on a server, of this client alone. */
export const openChannel = (name: string): Channel => {
  if (!globalThis.document) return { post: () => undefined, listen: () => undefined };
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) =>
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => listener(String(data))),
  };
};

/** Runs tasks one at a time. */
export type WithLock = <T>(task: () => Promise<T>) => Promise<T>;

export type Wait = (milliseconds: number) => Promise<void>;

/** The part of Web Locks that the client uses. */
export interface Locks {
  readonly request: <T>(name: string, options: { readonly signal: AbortSignal }, task: () => Promise<T>) => Promise<T>;
}

/**
 * A lock shared by all tabs. Waits with a timeout and never steals the lock: its owner may be rotating, and a second
 * rotation beside it is what the lock prevents.
 */
export const lockOfAllTabs =
  (locks: Locks, name: string): WithLock =>
  async (task) => {
    let isGranted = false;
    try {
      return await locks.request(name, { signal: AbortSignal.timeout(30_000) }, () => {
        isGranted = true;
        return task();
      });
    } catch (cause) {
      if (isGranted) throw cause;
      throw new Refusal('UNAVAILABLE', 'Another tab is busy.', { cause });
    }
  };
