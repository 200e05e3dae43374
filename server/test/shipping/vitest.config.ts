/** `npm run test:package`: what is shipped, made and installed as adopters do; apart from the suite, for it builds and downloads. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    name: 'package',
    root: here('.'),
    include: ['*.test.ts'],
    environment: 'node',
    pool: 'forks',
    testTimeout: 60_000,
    // Building the portal and installing the dependencies.
    hookTimeout: 240_000,
    dangerouslyIgnoreUnhandledErrors: false,
    reporters: ['default', 'json'],
    outputFile: { json: here('../../../test-results/package.json') },
  },
});
