/** The portal of a checkout that has none, when several processes start at once and when one of them is killed. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildOnce, runBuild } from '../../src/cli/build-portal.ts';
import { until } from '../support/concurrency.ts';
import { newDirectory } from '../support/databases.ts';
import { type Child, startScript } from '../support/script-child.ts';

const script = fileURLToPath(new URL('build-portal-child.ts', import.meta.url));

describe('The first start of a checkout', () => {
  let parent: string;
  let directory: string;
  const started: Child[] = [];
  const start = (pauseMillis: number): Child => {
    const child = startScript(script, directory, String(pauseMillis));
    started.push(child);
    return child;
  };
  beforeEach(async () => {
    parent = await newDirectory();
    directory = join(parent, 'dist');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    return Promise.all(started.splice(0).map((child) => child.kill()));
  });

  it('builds the portal once for three processes, and each finds all of it', async () => {
    const children = [start(300), start(300), start(300)];
    const found = await Promise.all(children.map((child) => child.said('has ')));
    const builders = children.filter(({ lines }) => lines.includes('builds'));
    expect(builders).toHaveLength(1);
    expect(found).toEqual(children.map(() => `has ${builders[0]?.pid} ${builders[0]?.pid}`));
    // For whichever user serves it.
    expect(statSync(directory).mode & 0o777).toBe(0o755);
  });

  it('takes a build that was cut off for none, and is not disturbed by what goes on of it', async () => {
    // It goes on for longer than the second one takes.
    const first = start(8_000);
    await first.said('builds');
    await first.kill();
    const second = start(0);
    expect(await second.said('has ')).toBe(`has ${second.pid} ${second.pid}`);
    const orphans = (): readonly string[] => readdirSync(parent).filter((name) => name.startsWith('dist.new-'));
    await until('the first build has ended', async () =>
      orphans().some((name) => existsSync(join(parent, name, 'last.js'))),
    );
    const built = ['index.html', 'last.js'].map((name) => readFileSync(join(directory, name), 'utf8'));
    expect(built).toEqual([String(second.pid), String(second.pid)]);
  }, 60_000);

  it('builds what a browser opens', async () => {
    await buildOnce(directory, runBuild);
    const page = readFileSync(join(directory, 'index.html'), 'utf8');
    const scripts = [...page.matchAll(/ src="([^"]+\.js)"/g)].map(([, path]) => path ?? '');
    expect(scripts.length).toBeGreaterThan(0);
    expect(scripts.filter((path) => !existsSync(join(directory, path)))).toEqual([]);
  }, 120_000);

  /** Stands in for npm, and says what is written on standard error meanwhile. */
  const npmThat = (script: string): (() => string) => {
    writeFileSync(join(parent, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', `${parent}${delimiter}${process.env['PATH']}`);
    const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => spy.mockRestore());
    return () => spy.mock.calls.map(([part]) => String(part)).join('');
  };

  it('says so when npm cannot build it, with what npm says, and leaves nothing', async () => {
    const written = npmThat('echo "[UNRESOLVED_IMPORT] no such file" >&2; exit 1');
    await expect(buildOnce(directory, runBuild)).rejects.toThrow('The portal could not be built');
    expect(written()).toContain('[UNRESOLVED_IMPORT] no such file');
    expect(readdirSync(parent).toSorted()).toEqual(['dist.lock', 'npm']);
  });

  // Specification: Many processes and starts — The first start shows no warning of the bundler
  it('shows no warning of the bundler when the build succeeds', async () => {
    const written = npmThat('echo "[PLUGIN_TIMINGS] Your build spent significant time" >&2; exit 0');
    await runBuild(directory);
    expect(written()).toBe('Building the portal, once …\n');
  });

  it('leaves nothing of a build that fails', async () => {
    const failing = startScript(script, directory, '-1');
    started.push(failing);
    await failing.said('builds');
    expect(await failing.ended()).toBe(1);
    expect(readdirSync(parent).filter((name) => !name.startsWith('dist.lock'))).toEqual([]);
    const next = start(0);
    expect(await next.said('has ')).toBe(`has ${next.pid} ${next.pid}`);
  });

  it('builds nothing where there is a portal', async () => {
    const first = start(0);
    await first.said('has ');
    const second = start(0);
    expect(await second.said('has ')).toBe(`has ${first.pid} ${first.pid}`);
    expect(second.lines).not.toContain('builds');
  });
});
