/** Bundles the client as an adopter's build would, minified, and fails when it exceeds its budget after gzip. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** 4 KB (README.md). */
const budget = 4000;

const bundle = await rolldown({ input: fileURLToPath(new URL('../src/index.ts', import.meta.url)) });
const { output } = await bundle.generate({ format: 'es', minify: true, codeSplitting: false });
const bytes = output.reduce(
  (sum, part) => sum + gzipSync(part.type === 'chunk' ? part.code : part.source).byteLength,
  0,
);
console.log(`@gatehouse/client ${bytes} of ${budget} bytes${bytes > budget ? '  OVER BUDGET' : ''}`);
if (bytes > budget) process.exitCode = 1;
