/** Exit codes of the command line, and the mapping from an error to a message and a code. */
import { ConfigRefused } from '../config/config.ts';
import { Refusal } from '../kernel/errors.ts';
import { DatabaseUnavailable } from '../platform/database/database.ts';
import { DatabaseRefused } from '../platform/database/failure.ts';
import { loggedStack } from '../platform/observability/logger.ts';

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** EX_CONFIG of sysexits.h: the configuration is not usable. */
  configuration: 78,
} as const;

/** The longest end of a process, in milliseconds: the drain for load balancers, then the work in flight. */
export const stopMillis = (drainSeconds: number): number => drainSeconds * 1_000 + 10_000;

/** A failure with a message for the operator. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The end of a process that has already reported its reason. */
export class EndedAs extends Error {
  override readonly name = 'EndedAs';
  readonly code: number;

  constructor(code: number) {
    super(`A process ended with the code ${code}`);
    this.code = code;
  }
}

/** Returns the exit code for an error, after writing what happened and, where known, what to do. */
export const explain = (error: unknown, write: (text: string) => void): number => {
  if (error instanceof EndedAs) return error.code;
  if (error instanceof ConfigRefused) {
    write(`${error.message}\n`);
    return exitCodes.configuration;
  }
  if (error instanceof Refusal) {
    const reasons = Object.entries(error.details.fields ?? {}).map(([field, reason]) => `  ${field}: ${reason}\n`);
    write(`${error.message}\n${reasons.join('')}`);
    return exitCodes.failed;
  }
  const isForPeople =
    error instanceof CommandFailed || error instanceof DatabaseRefused || error instanceof DatabaseUnavailable;
  write(`${isForPeople ? error.message : loggedStack(error)}\n`);
  return exitCodes.failed;
};
