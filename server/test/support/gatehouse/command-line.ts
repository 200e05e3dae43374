/** Commands without their own process: the output and the exit code, without the cost of a start. */
import { Readable } from 'node:stream';
import { vi } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { type Environment, inDirectory } from './gatehouse-process.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs `gatehouse <args>` here, in a new directory, with exactly these variables; nothing else may print meanwhile.
 * @param stdin of the command
 */
export const runHere = (args: readonly string[], environment: Environment, stdin = ''): Promise<CommandResult> =>
  inDirectory(async (directory) => {
    const [from, baseEnvironment] = [process.cwd(), process.env];
    process.chdir(directory);
    process.env = { ...environment };
    const stdout = listenTo(process.stdout);
    const stderr = listenTo(process.stderr);
    const input = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {};
    Object.defineProperty(process, 'stdin', { configurable: true, value: Readable.from([stdin]) });
    const atExit = new Set(process.listeners('exit'));
    try {
      const code = await run([process.execPath, 'gatehouse', ...args]);
      return { code, stdout: stdout.text(), stderr: stderr.text() };
    } finally {
      // Each logger of a command has one, for the lines that the end of its process would cut off.
      for (const listener of process.listeners('exit')) if (!atExit.has(listener)) process.off('exit', listener);
      Object.defineProperty(process, 'stdin', input);
      process.env = baseEnvironment;
      process.chdir(from);
      for (const { stop } of [stdout, stderr]) stop();
    }
  });

const listenTo = (stream: NodeJS.WriteStream): { readonly text: () => string; readonly stop: () => void } => {
  const parts: string[] = [];
  const spy = vi.spyOn(stream, 'write').mockImplementation((part) => {
    parts.push(String(part));
    return true;
  });
  return { text: () => parts.join(''), stop: () => spy.mockRestore() };
};
