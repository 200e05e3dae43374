/** Writes a gzip and a Brotli copy beside each built file that gains from it, once, so that no request has to. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(?:js|css|svg)$/;
/** Below this a copy saves less than its own headers cost. */
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
