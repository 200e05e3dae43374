/** `npm run build:portal`, a part of `npm start`: builds the portal unless its build is newer than all its sources. */
import { ensureCurrent, portalDirectory, portalSources, runBuild } from './portal/build.ts';

try {
  await ensureCurrent(portalDirectory, portalSources(), runBuild);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}.\n`);
  process.exitCode = 1;
}
