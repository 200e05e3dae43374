/** The published programs, as their users start them: child processes with their own home directory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const installed = (path: string): string => fileURLToPath(new URL(`node_modules/${path}`, import.meta.url));

export const programs = {
  conformance: installed('@modelcontextprotocol/conformance/dist/index.js'),
  inspector: installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
  mcpRemote: installed('mcp-remote/dist/proxy.js'),
} as const;

export interface Program {
  readonly child: ChildProcess;
  output(): string;
  stdout(): string;
  /** The first part of the output that matches; rejects when the program ends before there is one. */
  said(pattern: RegExp): Promise<string>;
  readonly ended: Promise<number | null>;
}

/** Starts a program. It opens no browser: `open` and `xdg-open` of its PATH do nothing, and nothing names a display. */
export const start = (
  program: string,
  args: readonly string[],
  home: string,
  environment: Readonly<Record<string, string>> = {},
): Program => {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, NO_COLOR: '1', ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (part: string) => {
      text[name] += part;
    });
  child.stdin.on('error', () => undefined);
  const output = (): string => `${text.stdout}${text.stderr}`;
  const ended = once(child, 'close').then(() => child.exitCode);
  return {
    child,
    output,
    stdout: () => text.stdout,
    said: (pattern) => untilSaid(child, output, pattern, ended),
    ended,
  };
};

const untilSaid = (
  child: ChildProcess,
  output: () => string,
  pattern: RegExp,
  ended: Promise<number | null>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const [found] = pattern.exec(output()) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    look();
    ended.then((code) => reject(new Error(`It ended with ${code} before it said ${pattern}: ${output()}`)), reject);
  });
