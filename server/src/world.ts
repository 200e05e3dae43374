/**
 * The package entry for tests: `import { startWorld } from 'gatehouse/testing-support'`, of which `@gatehouse/testing`
 * is made. `testing-support.d.ts` declares its types and documents it.
 */
import { openWorldDatabase } from './testing/world-database.ts';
import { requireTestProcess, worldVariables } from './testing/world-variables.ts';
import type * as contract from './testing-support.d.ts';

export const startWorld: typeof contract.startWorld = async (options = {}) => {
  requireTestProcess();
  const variables = worldVariables(options.environment);
  // The database starts in its own thread while the service is loaded in this one.
  const opening = openWorldDatabase(options);
  const [opened, loaded] = await Promise.allSettled([opening, import('./testing/open-world.ts')]);
  if (opened.status === 'rejected') throw opened.reason;
  if (loaded.status === 'rejected') {
    await opened.value.drop();
    throw loaded.reason;
  }
  return loaded.value.openWorld(opened.value, variables, options);
};
