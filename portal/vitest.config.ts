/** The portal's own tests: plain modules, no page. Journeys in a browser are tested together with the server. */
import { defineConfig } from 'vitest/config';

// A process for many files: starting one takes longer than most of them.
export default defineConfig({ test: { name: 'portal', include: ['test/**/*.test.ts'], isolate: false } });
