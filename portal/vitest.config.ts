/** The portal's own tests: plain modules, no page. Journeys in a browser are tested together with the server. */
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

export const portalSuite: TestProjectInlineConfiguration = {
  test: {
    name: 'portal',
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['test/**/*.test.ts'],
    // A process for many files: starting one takes longer than most of them.
    isolate: false,
  },
};

export default defineConfig({ test: { projects: [portalSuite] } });
