/** One run of a task for all who ask for it at the same time. */

interface Shared<T> {
  (): Promise<T>;
  /** Resolves when the task is not running, whatever came of it. */
  readonly settled: () => Promise<unknown>;
}

/**
 * @param task its runs never overlap for the same key
 * @param key callers with another key than that of the running task start a new one
 */
export const shared = <T>(task: () => Promise<T>, key: () => unknown = () => 0): Shared<T> => {
  let running: Promise<T> | undefined;
  let keyOfRunning: unknown;
  const run = (): Promise<T> => {
    if (running && keyOfRunning === key()) return running;
    const started = task().finally(() => {
      if (running === started) running = undefined;
    });
    running = started;
    keyOfRunning = key();
    return started;
  };
  return Object.assign(run, { settled: async () => running?.catch(() => undefined) });
};
