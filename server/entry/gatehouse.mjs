#!/usr/bin/env node
// The command `gatehouse`. A checkout has the sources, and Node runs those itself; the published package holds what
// scripts/build-package.ts compiled, and the image also its bundle, which starts in half the time.
import { existsSync } from 'node:fs';
import module from 'node:module';

const oldestNode = 24;

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  process.stderr.write(`Gatehouse needs Node ${oldestNode} or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  // Caches stripped types and compiled code between starts, in the user's cache directory; a failure only slows the
  // start. Enabled before the first TypeScript file: Node would load its stripper for that one alone.
  module.enableCompileCache();
  const programs = ['../src/main.ts', '../dist/code/main.mjs'].map((path) => new URL(path, import.meta.url));
  await import(programs.find((program) => existsSync(program))?.href ?? '../dist/main.js');
}
