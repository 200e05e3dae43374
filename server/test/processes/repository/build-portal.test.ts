/** The portal of a checkout at a start: rebuilt for a newer source, by concurrent starts, and after a failure. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ensureCurrent } from '../../../../scripts/portal/current-build.ts';
import { portalSources, runBuild } from '../../../../scripts/portal/run-build.ts';
import { requirePortal } from '../../../src/cli/installation.ts';
import { until } from '../../support/checks/concurrency.ts';
import { newDirectory } from '../../support/database/databases.ts';
import { type Child, startScript } from '../../support/gatehouse/script-child.ts';

const script = fileURLToPath(new URL('build-portal-child.ts', import.meta.url));

let parent: string;
let directory: string;
let source: string;
const started: Child[] = [];
beforeEach(async () => {
  parent = await newDirectory();
  directory = join(parent, 'dist');
  source = join(parent, 'source');
  writeFileSync(source, '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  return Promise.all(started.splice(0).map((child) => child.kill()));
});

const start = (pauseMillis: number): Child => {
  const child = startScript(script, directory, source, String(pauseMillis));
  started.push(child);
  return child;
};

const unfinished = (): string[] => readdirSync(parent).filter((name) => name.startsWith('dist.'));

/** Sets its time of modification relative to now. */
const date = (path: string, minutesAgo: number): void => {
  const at = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(path, at, at);
};

describe('A start', () => {
  it('builds the portal once, and again when a source is newer', async () => {
    const first = start(0);
    expect(await first.said('has ')).toBe(`has ${first.pid} ${first.pid}`);
    // Readable for any user that serves it.
    expect(statSync(directory).mode & 0o777).toBe(0o755);
    const second = start(0);
    expect(await second.said('has ')).toBe(`has ${first.pid} ${first.pid}`);
    expect(second.lines).not.toContain('builds');
    date(source, 0);
    const third = start(0);
    expect(await third.said('has ')).toBe(`has ${third.pid} ${third.pid}`);
  });

  it('treats a source that changes during a build as newer', async () => {
    const change = async (into: string): Promise<void> => {
      date(source, 0);
      writeFileSync(join(into, 'index.html'), 'of before the change');
    };
    await ensureCurrent({ directory, sources: [source], build: change });
    const next = start(0);
    expect(await next.said('has ')).toBe(`has ${next.pid} ${next.pid}`);
  });

  it('leaves one whole portal after concurrent starts, and no other files', async () => {
    const children = [start(300), start(300), start(300)];
    await Promise.all(children.map((child) => child.ended()));
    const builders = ['index.html', 'last.js'].map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(children.map(({ pid }) => String(pid))).toContain(builders[0]);
    expect(builders[1]).toBe(builders[0]);
    for (const { lines } of children) expect(lines).toContain(`has ${builders.join(' ')}`);
    expect(unfinished()).toEqual([]);
  });

  it('ignores an interrupted build, is not disturbed by its remaining process, and removes its files later', async () => {
    // Its process runs longer than the second build.
    const first = start(3_000);
    await first.said('builds');
    await first.kill();
    const second = start(0);
    expect(await second.said('has ')).toBe(`has ${second.pid} ${second.pid}`);
    await until('the first build has ended', async () =>
      unfinished().some((name) => existsSync(join(parent, name, 'last.js'))),
    );
    expect(readFileSync(join(directory, 'last.js'), 'utf8')).toBe(String(second.pid));
    for (const name of unfinished()) date(join(parent, name), 11);
    date(source, 0);
    await start(0).said('has ');
    expect(unfinished()).toEqual([]);
  });

  it('keeps the former portal, and nothing else, when the build fails', async () => {
    mkdirSync(directory);
    writeFileSync(join(directory, 'index.html'), 'of before');
    date(join(directory, 'index.html'), 1);
    expect(await start(-1).ended()).toBe(1);
    expect(readFileSync(join(directory, 'index.html'), 'utf8')).toBe('of before');
    expect(unfinished()).toEqual([]);
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

  it('creates the files for a browser', async () => {
    await ensureCurrent({ directory, sources: [source], build: runBuild });
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

  // Specification: Many processes and starts — The first start shows no warning of the bundler
  it('prints no warning of the bundler when it succeeds', async () => {
    const written = fakeNpm('echo "[PLUGIN_TIMINGS] Your build spent significant time" >&2; exit 0');
    await runBuild(directory);
    expect(written()).toBe('Building the portal …\n');
  });

  it('depends on pages, schema and lock, and not on its own output', () => {
    const sources = portalSources();
    for (const path of ['portal/src/main.tsx', 'portal/index.html', 'server/schema.graphql', 'package-lock.json'])
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
