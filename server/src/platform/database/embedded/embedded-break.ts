/** Owns detecting that the embedded engine has failed: what it throws then, and the reason that it named. */
import type { PGlite } from '@electric-sql/pglite';
import { lastError } from './embedded-stream.ts';

/** The status with which PGlite's engine unwinds after an ordinary error; any other exception is its failure. */
const ordinaryErrorStatus = 100;

const statusOf = (thrown: unknown): unknown =>
  typeof thrown === 'object' && thrown !== null && 'status' in thrown ? thrown.status : null;

/** Describes an engine's exception. The message of aborted compiled code contains nothing useful to an operator. */
export const describeThrown = (thrown: unknown): string => {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return message.startsWith('Aborted(') ? 'its engine gave up on the files' : message;
};

/**
 * Stops PGlite from running its main loop again after every exception, for ever when the engine is dead (for example
 * after a full disk): at the first one that is not an ordinary error, the call of the engine rejects.
 * @param output the engine's answer in this call, which contains the reason
 * @param broken called with the reason before the call rejects; its exceptions are lost
 */
export const stopWhenBroken = (engine: PGlite, output: () => Buffer, broken: (reason: string) => void): void => {
  const module = engine.Module;
  const loopOnce = module._PostgresMainLoopOnce;
  module._PostgresMainLoopOnce = () => {
    try {
      loopOnce();
    } catch (thrown) {
      if (statusOf(thrown) !== ordinaryErrorStatus) {
        // PGlite calls this after catching an exception, outside of its try block: the only way out of its loop.
        module.stackRestore = () => {
          throw thrown;
        };
        broken(lastError(output()) ?? describeThrown(thrown));
      }
      throw thrown;
    }
  };
};
