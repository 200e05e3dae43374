/** Owns what becomes of the process when the reader of its output is gone, such as `head` or a collector of logs. */

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
