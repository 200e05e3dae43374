// What `import … from 'gatehouse'` gives, from the sources of a checkout or from the compiled package, as in
// gatehouse.mjs.
import { existsSync } from 'node:fs';

const source = new URL('../src/embed.ts', import.meta.url);
export const { defineApplication, defineTool, startGatehouse, isRefusal, ToolError } = await import(
  existsSync(source) ? source.href : '../dist/embed.js'
);
