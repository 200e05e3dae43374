/**
 * SIGTERM and SIGINT, handled from the start: the kernel withholds both from a container's first process unless it
 * handles them, which then could not be stopped while it starts, waits or migrates. Also closed output streams.
 */
import { constants } from 'node:os';

type Ending = (signal: 'SIGTERM' | 'SIGINT') => void;

/** Exits with the code that shells use for a signal. An open transaction is rolled back. */
let end: Ending = (signal) => process.exit(128 + constants.signals[signal]);

/** The same signal may arrive twice: a terminal and systemd signal every process, and npm forwards it to its child. */
const sameSignalMillis = 1000;

/** Ignores a signal of the same kind within a second of the first; after that, the system's default action applies. */
export const listenForSignals = (): void => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) listenFor(signal);
};

const listenFor = (signal: 'SIGTERM' | 'SIGINT'): void => {
  let isHeard = false;
  const hear = (): void => {
    if (isHeard) return;
    isHeard = true;
    setTimeout(() => process.off(signal, hear), sameSignalMillis).unref();
    end(signal);
  };
  process.on(signal, hear);
};

/** Sets the action for a signal. */
export const endBy = (ending: Ending): void => {
  end = ending;
};

// Closed output: the reader of stdout or stderr has gone, such as `head` or a log collector.

/**
 * Discards further output and lets the work continue. Without a listener, the error would end the process midway, and
 * the logger, which retries its last lines, would prevent its exit.
 */
export const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};
