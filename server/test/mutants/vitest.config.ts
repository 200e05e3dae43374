/** How `npm run test:mutants` runs the test files that a mutant names, in any suite. */
import { project } from '../../vitest.config.ts';

// No module survives from one mutant to the next.
export default project('mutants', { include: ['test/**/*.test.ts'], isolate: true, maxWorkers: 1 });
