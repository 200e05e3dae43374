/** The size of a package for front ends as it reaches a browser: minified by esbuild, gzip -9. */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

interface Budget {
  readonly name: string;
  readonly entry: URL;
  /** Packages that an adopter has anyway. */
  readonly external?: readonly string[];
  /** Bytes. */
  readonly budget: number;
}

/** Prints the size; the process exits with 1 when it exceeds the budget. */
export const checkBudget = async ({ name, entry, external = [], budget }: Budget): Promise<void> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    external: [...external],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const bytes = outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength, 0);
  process.stdout.write(`${name} ${bytes} of ${budget} bytes${bytes > budget ? '  OVER BUDGET' : ''}\n`);
  if (bytes > budget) process.exitCode = 1;
};
