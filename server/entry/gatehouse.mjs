#!/usr/bin/env node
// The command `gatehouse`. The published package holds what scripts/build-package.ts compiled; a checkout has the sources,
// and Node runs those itself.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';

const oldestNode = 24;

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  process.stderr.write(`Gatehouse needs Node ${oldestNode} or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  // Caches stripped types and compiled code between starts, in the user's cache directory; a failure only slows the start.
  // Enabled before the first TypeScript file: Node would load its stripper for that one alone.
  enableCompileCache();
  const source = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(source) ? source.href : '../dist/main.js');
}
