/** A script of the tests, started as its own process, and its output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface Child {
  readonly pid: number;
  readonly lines: readonly string[];
  /**
   * Resolves with the first line with this prefix, printed before or from now on; rejects when the child ended without.
   */
  said(start: string): Promise<string>;
  /** Resolves with the exit code, or null after a signal; all lines have been received by then. */
  ended(): Promise<number | null>;
  /** `kill -9`, then waits for the end. */
  kill(): Promise<void>;
}

/** The script inherits standard error. */
export const startScript = (script: string, ...args: readonly string[]): Child => {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const look of waiting) look();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  let over = false;
  const closed = once(child, 'close').then(() => {
    over = true;
    wake();
  });
  const said = (start: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const line = lines.find((candidate) => candidate.startsWith(start));
        if (line === undefined && !over) return;
        waiting.delete(look);
        if (line === undefined) reject(new Error(`The child ended without "${start}": ${lines.slice(-3).join(' | ')}`));
        else resolve(line);
      };
      waiting.add(look);
      look();
    });
  return {
    pid: child.pid ?? 0,
    lines,
    said,
    ended: async () => {
      await closed;
      return child.exitCode;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await closed;
    },
  };
};
