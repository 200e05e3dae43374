/** Unit tests of the portal's modules. Browser tests run with the server. */
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

export const portalSuite: TestProjectInlineConfiguration = {
  resolve: {
    alias: { '@gatehouse/client': fileURLToPath(new URL('../packages/client/src/index.ts', import.meta.url)) },
  },
  test: {
    name: 'portal',
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['test/**/*.test.ts'],
    // One process for many files: starting it takes longer than most files.
    isolate: false,
  },
};

export default defineConfig({ test: { projects: [portalSuite] } });
