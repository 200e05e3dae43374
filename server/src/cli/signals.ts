/**
 * SIGTERM and SIGINT, heard from the first moment on: the kernel keeps either from a container's first process unless
 * that handles it, so one that only starts, waits or migrates could not be stopped.
 */
import { constants } from 'node:os';

type Ending = (signal: 'SIGTERM' | 'SIGINT') => void;

/** As shells tell of a command that a signal ended. What a command had begun is a transaction that is undone. */
let end: Ending = (signal) => process.exit(128 + constants.signals[signal]);

/** The second signal of a kind is the system's, which ends most processes at once. */
export const listenForSignals = (): void => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(signal));
};

/** From now on a signal has the process do this instead. */
export const endBy = (ending: Ending): void => {
  end = ending;
};
