/** Owns how the end of the embedded engine is noticed: what it throws then, and the reason that it named. */
import type { PGlite } from '@electric-sql/pglite';
import { lastError } from './embedded-stream.ts';

/** The status with which PGlite's engine unwinds after an ordinary error; any other exception is the engine's end. */
const ordinaryErrorStatus = 100;

const statusOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'status' in thrown ? thrown.status : null;

/** What the engine's compiled code throws when it aborts says nothing that an operator could use. */
export const describeThrown = (thrown: unknown): string => {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.startsWith('Aborted(') ? 'its engine gave up on the files' : message;
};

/**
 * PGlite runs its main loop again after every exception, for ever when the engine is dead (a full disk does that).
 * This stops at the first one that is not an ordinary error, and the call of the engine rejects.
 * @param output what the engine has answered in this call: it names the reason there
 * @param broken told of the reason before the call rejects; what it throws is lost
 */
export const stopWhenBroken = (engine: PGlite, output: () => Buffer, broken: (reason: string) => void): void => {
  const module = engine.Module;
  const loopOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (thrown) {
      if (statusOf(thrown) !== ordinaryErrorStatus) {
        // PGlite calls this where it has caught an exception, outside of what catches: the one way out of its loop.
        module.stackRestore = () => {
          throw thrown;
        };
        broken(lastError(output()) ?? describeThrown(thrown));
      }
      throw thrown;
    }
  };
};
