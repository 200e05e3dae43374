/** Bundles the package without React and the client, minified, and fails when it exceeds its budget after gzip. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** 1.5 KB, on top of the client. */
const budget = 1500;

const bundle = await rolldown({
  input: fileURLToPath(new URL('../src/index.tsx', import.meta.url)),
  external: /^(?:react|@gatehouse\/client)(?:$|\/)/,
  // 'use client' is for bundlers of server components.
  checks: { moduleLevelDirective: false },
});
const { output } = await bundle.generate({ format: 'es', minify: true, codeSplitting: false });
const bytes = output.reduce(
  (sum, part) => sum + gzipSync(part.type === 'chunk' ? part.code : part.source).byteLength,
  0,
);
console.log(`@gatehouse/react ${bytes} of ${budget} bytes${bytes > budget ? '  OVER BUDGET' : ''}`);
if (bytes > budget) process.exitCode = 1;
