/**
 * SIGTERM and SIGINT, heard from the first moment on: the kernel keeps either from a container's first process unless
 * that handles it, so one that only starts, waits or migrates could not be stopped.
 */
import { constants } from 'node:os';

type Ending = (signal: 'SIGTERM' | 'SIGINT') => void;

/**
 * As shells tell of a command that a signal ended. A transaction that a command had begun is undone, and what it had
 * committed stays.
 */
let end: Ending = (signal) => process.exit(128 + constants.signals[signal]);

/** One signal may come twice: a terminal and systemd send it to every process, and npm hands its own on to its child. */
const sameSignalMillis = 1000;

/**
 * What comes of a kind within a second of the first is the same signal. After that a second one is the system's, which
 * ends most processes at once.
 */
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

/** From now on a signal has the process do this instead. */
export const endBy = (ending: Ending): void => {
  end = ending;
};

// Owns what becomes of the process when the reader of its output is gone, such as `head` or a collector of logs.

/**
 * What is printed goes nowhere then, and the work goes on. Without a listener the error would end the process in the
 * middle, and the logger, which writes its last lines again and again, would never let it exit.
 */
export const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
};
