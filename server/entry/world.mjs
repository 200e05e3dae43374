// What `import … from 'gatehouse/testing-support'` gives, from the sources of a checkout or from the compiled package.
import { existsSync } from 'node:fs';

const source = new URL('../src/world.ts', import.meta.url);
export const { startWorld } = await import(existsSync(source) ? source.href : '../dist/world.js');
