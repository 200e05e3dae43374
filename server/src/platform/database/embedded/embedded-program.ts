/** Owns the compiled program of the embedded engine, for a process that opens several databases: worlds, and tests. */
import { readFile } from 'node:fs/promises';

let program: Promise<WebAssembly.Module> | undefined;

/** Compiled once: threads share a module, and each would take half a second of the processor to compile its own. */
export const engineProgram = (): Promise<WebAssembly.Module> => {
  program ??= compile(new URL(import.meta.resolve('@electric-sql/pglite/pglite.wasm')));
  return program;
};

const compile = async (file: URL): Promise<WebAssembly.Module> => WebAssembly.compile(await readFile(file));
