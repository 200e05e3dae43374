/**
 * `npm run build:portal`, a part of `npm start`: builds the portal unless its build is newer than all its sources. With
 * `--missing`, as before `npm run gatehouse`, an older build is kept.
 */
import { ensureCurrent, portalDirectory, portalSources, runBuild } from './portal/build.ts';

try {
  const sources = process.argv.includes('--missing') ? [] : portalSources();
  await ensureCurrent(portalDirectory, sources, runBuild);
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}.\n`);
  process.exitCode = 1;
}
