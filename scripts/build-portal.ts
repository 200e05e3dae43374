/** `npm run build:portal`, a part of `npm start`: builds the portal unless its build is newer than all its sources. */
import { ensureCurrent } from './portal/current-build.ts';
import { portalDirectory, portalSources, runBuild } from './portal/run-build.ts';

try {
  await ensureCurrent({ directory: portalDirectory, sources: portalSources(), build: runBuild });
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}.\n`);
  process.exitCode = 1;
}
