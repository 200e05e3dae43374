/** Writes gzip and Brotli copies of the built files that benefit, so that the server compresses nothing at runtime. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|svg|json)$/;
/** Minimum size: smaller files save less than the headers cost. */
const leastBytes = 1024;

export const compressedFiles = (): Plugin => ({
  name: 'gatehouse-compressed-files',
  apply: 'build',
  writeBundle: ({ dir }) => {
    const assets = join(dir ?? 'dist', 'assets');
    for (const name of readdirSync(assets)) {
      const file = join(assets, name);
      if (!compressible.test(name) || statSync(file).size < leastBytes) continue;
      const content = readFileSync(file);
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      writeFileSync(`${file}.br`, brotliCompressSync(content));
    }
  },
});
