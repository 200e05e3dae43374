/** How `npm run test:mutants` runs the test files that a mutant names, in any suite of the server or of a package. */
import { fileURLToPath } from 'node:url';
import { packagesSuite } from '../../vitest.config.ts';

export default {
  ...packagesSuite,
  test: {
    ...packagesSuite.test,
    name: 'mutants',
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    include: ['server/test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    exclude: ['packages/testing/**'],
    // No module survives from one mutant to the next.
    isolate: true,
    maxWorkers: 1,
  },
} satisfies typeof packagesSuite;
