/**
 * `npm run gallery`: photographs every state of every page of the portal, light and dark, at 1280 and 390 pixels, and
 * compares the pictures with those of the former run. docs/testing.md describes its options.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ensureCurrent, portalDirectory, portalSources, runBuild } from '../portal/build.ts';
import { repositoryRoot } from '../report.ts';
import { withTemporaryDirectory } from '../tests/memory.ts';
import { exitCodeOf, makeGallery, type Photograph, summaryOf } from './gallery.ts';
import { readOptions } from './options.ts';

/** The states are shown by the tests' own stage: server/test/gallery photographs them. */
const photographWithVitest: Photograph = (folder, { only, language }) =>
  withTemporaryDirectory(async (directory) => {
    const vitest = join(repositoryRoot, 'node_modules', 'vitest', 'vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'run', '--project', 'gallery', '--reporter', 'default'], {
      cwd: repositoryRoot,
      env: {
        ...process.env,
        // The embedded database, whatever the environment names.
        TEST_DATABASE_URL: undefined,
        TEST_REDIS_URL: undefined,
        TEST_REQUIRE_BROWSER: '1',
        TMPDIR: directory,
        GALLERY_FOLDER: folder,
        GALLERY_ONLY: only ?? undefined,
        GALLERY_LANGUAGE: language,
      },
      stdio: 'inherit',
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
    await once(child, 'close');
    return child.exitCode === 0;
  });

try {
  const options = readOptions(process.argv.slice(2));
  await ensureCurrent(portalDirectory, portalSources(), runBuild);
  const result = await makeGallery(join(repositoryRoot, 'gallery'), options, photographWithVitest);
  process.stdout.write(`${summaryOf(result)}\n`);
  process.exitCode = exitCodeOf(result, options);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
