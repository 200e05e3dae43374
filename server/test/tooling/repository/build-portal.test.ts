/** The portal of a checkout before a start: built when a source is newer, and kept when the build fails. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ensureCurrent, portalSources, runBuild } from '../../../../scripts/portal/build.ts';
import { requirePortal } from '../../../src/cli/installation.ts';
import { newDirectory } from '../../support/database/databases.ts';

let parent: string;
let directory: string;
let source: string;
beforeEach(async () => {
  parent = await newDirectory();
  directory = join(parent, 'dist');
  source = join(parent, 'source');
  writeFileSync(source, '');
  date(source, 1);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** As if it had been written so long ago, or so long from now. */
const date = (path: string, minutesAgo: number): void => {
  const at = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(path, at, at);
};

/** The id of a process that has ended. */
const goneProcess = (): number => spawnSync(process.execPath, ['--version']).pid;

/** A build whose page is this text. */
const buildOf =
  (text: string) =>
  async (into: string): Promise<void> => {
    mkdirSync(into);
    writeFileSync(join(into, 'index.html'), text);
  };

const ensure = (build: (into: string) => Promise<void>): Promise<void> => ensureCurrent(directory, [source], build);
const page = (): string => readFileSync(join(directory, 'index.html'), 'utf8');

describe('A start', () => {
  it('builds the portal once, and again when a source is newer', async () => {
    await ensure(buildOf('first'));
    await ensure(buildOf('second'));
    expect(page()).toBe('first');
    date(source, -1);
    await ensure(buildOf('third'));
    expect(page()).toBe('third');
  });

  it('takes a source that changes during a build for newer than it', async () => {
    await ensure(async (into) => {
      await buildOf('of before the change')(into);
      date(source, 0);
    });
    await ensure(buildOf('of after it'));
    expect(page()).toBe('of after it');
  });

  it('leaves the portal that was there, and nothing else, when the build fails', async () => {
    await buildOf('of before')(directory);
    date(source, -1);
    const failing = async (into: string): Promise<void> => {
      await buildOf('half')(into);
      throw new Error('It fails');
    };
    await expect(ensure(failing)).rejects.toThrow('It fails');
    expect(page()).toBe('of before');
    expect(readdirSync(parent).toSorted()).toEqual(['dist', 'source']);
  });

  it('builds again when a source is deleted, and when one comes that is older than the build', async () => {
    const other = join(parent, 'other');
    writeFileSync(other, '');
    date(other, 1);
    const ensureOf = (sources: readonly string[], text: string) => ensureCurrent(directory, sources, buildOf(text));
    await ensureOf([source, other], 'of two');
    await ensureOf([source], 'of one');
    expect(page()).toBe('of one');
    await ensureOf([source, other], 'of two again');
    expect(page()).toBe('of two again');
    await ensureOf([], 'not needed');
    expect(page()).toBe('of two again');
  });

  it('uses the portal of another start that was quicker, also when its own build fails by it', async () => {
    const quicker = buildOf('of the quicker one');
    await ensure(async (into) => {
      await ensure(quicker);
      await buildOf('of the slower one')(into);
    });
    expect(page()).toBe('of the quicker one');
    rmSync(directory, { recursive: true });
    await ensure(async () => {
      await ensure(buildOf('of another quicker one'));
      throw new Error('A file of the build was written twice');
    });
    expect(page()).toBe('of another quicker one');
    expect(readdirSync(parent).toSorted()).toEqual(['dist', 'source']);
  });

  it('leaves the folder of a build that runs', async () => {
    const running = `${directory}.new-${process.pid}-of-another`;
    await buildOf('half')(running);
    await ensure(buildOf('whole'));
    expect(readFileSync(join(running, 'index.html'), 'utf8')).toBe('half');
  });

  it('removes what a build that was cut off has left', async () => {
    await buildOf('half')(`${directory}.new`);
    await buildOf('half')(`${directory}.new-${goneProcess()}-of-another`);
    await ensure(buildOf('whole'));
    expect(page()).toBe('whole');
    expect(readdirSync(parent).toSorted()).toEqual(['dist', 'source']);
  });
});

describe('The build of the portal', () => {
  /** Replaces npm, and returns the output on standard error. */
  const fakeNpm = (text: string): (() => string) => {
    writeFileSync(join(parent, 'npm'), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${parent}${delimiter}${process.env['PATH']}`);
    const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => spy.mockRestore());
    return () => spy.mock.calls.map(([part]) => String(part)).join('');
  };

  it('makes what a browser opens', async () => {
    await ensure(runBuild);
    const page = readFileSync(join(directory, 'index.html'), 'utf8');
    const scripts = [...page.matchAll(/ src="([^"]+\.js)"/g)].map(([, path]) => path ?? '');
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((path) => !existsSync(join(directory, path)))).toEqual([]);
  }, 120_000);

  it('prints the output of npm when it fails, on either stream', async () => {
    const written = fakeNpm('echo "no such field"; echo "[UNRESOLVED_IMPORT] no such file" >&2; exit 1');
    await expect(runBuild(directory)).rejects.toThrow('The portal could not be built');
    expect(written()).toContain('no such field\n');
    expect(written()).toContain('[UNRESOLVED_IMPORT] no such file\n');
  });

  // Contract: operation#first-start — The first start shows no warning of the bundler
  it('prints no warning of the bundler when it succeeds', async () => {
    const written = fakeNpm('echo "[PLUGIN_TIMINGS] Your build spent significant time" >&2; exit 0');
    await runBuild(directory);
    expect(written()).toBe('Building the portal …\n');
  });

  it('depends on pages, on the package of the client, on schema and lock, and not on its own output', () => {
    const sources = portalSources();
    const some = ['portal/src/main.tsx', 'portal/index.html', 'packages/client/src/index.ts', 'server/schema.graphql'];
    for (const path of [...some, 'package-lock.json'])
      expect(sources.some((source) => source.endsWith(path))).toBe(true);
    expect(sources.filter((path) => /portal\/(?:test|dist|src\/generated)/.test(path))).toEqual([]);
  });
});

it('Serving without a portal is refused in a checkout with the command to run', () => {
  expect(() => requirePortal(directory)).toThrow(/^The portal is not built\. `npm start` builds and serves it/);
  mkdirSync(directory);
  expect(() => requirePortal(directory)).toThrow('npm run build:portal');
  writeFileSync(join(directory, 'index.html'), '');
  expect(requirePortal(directory)).toBeUndefined();
});
