/**
 * The embedded engine in the thread of the tests: a message to another thread and back takes as long as a statement.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describeThrown, stopWhenBroken } from '../../../src/platform/database/embedded/embedded-break.ts';
import type { openEngine } from '../../../src/platform/database/embedded/embedded-engine.ts';
import { openFiles } from '../../../src/platform/database/embedded/embedded-files.ts';
import { engineProgram } from '../../../src/platform/database/embedded/embedded-program.ts';
import { EmbeddedStream } from '../../../src/platform/database/embedded/embedded-stream.ts';

/**
 * Each exchange waits for a turn of the event loop, as it would for the other thread: concurrent requests send their
 * statements in between, and can win or lose a race. A silent engine blocks this thread, so there is no timeout.
 */
export const openHere: typeof openEngine = async (directory, broken) => {
  const engine = await openFiles(directory, { program: await engineProgram() });
  let output: Buffer[] = [];
  let named: string | null = null;
  let isOver = false;
  let running: Promise<void> = Promise.resolve();
  stopWhenBroken(
    engine,
    () => Buffer.concat(output),
    (reason) => {
      named = reason;
    },
  );
  const execute = async (bytes: Uint8Array): Promise<void> => {
    await nextTurn();
    if (isOver) return;
    output = [];
    try {
      await engine.execProtocolRawStream(bytes, { onRawData: (part) => output.push(Buffer.from(part)) });
      stream.receive(Buffer.concat(output));
    } catch (thrown) {
      isOver = true;
      stream.destroy();
      broken(named ?? describeThrown(thrown));
    }
  };
  const stream = new EmbeddedStream((bytes) => {
    running = running.then(() => execute(bytes));
  });
  return {
    stream,
    close: async () => {
      if (!isOver) await running;
      if (isOver) return;
      isOver = true;
      await engine.close();
    },
  };
};
