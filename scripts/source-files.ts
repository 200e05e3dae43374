/**
 * Lists the files that the checks read: ours, not installed, built or generated ones. Walks the directory instead of
 * asking git, so that the checks also run on an unpacked archive.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path/posix';

const notOurs = new Set(['node_modules', 'dist', 'generated', 'coverage', 'test-results', '.git']);

/** An interrupted build of the portal. */
const unfinished = 'dist.';

/** The embedded database's default directory, once the service has been started in the checkout. */
const runtimeData = 'data';

/** Paths below `directory`, relative to `root`, sorted, whose name matches `pattern` at its end. */
export const filesBelow = (root: string, directory: string, pattern: RegExp): string[] => {
  if (!existsSync(join(root, directory))) return [];
  return readdirSync(join(root, directory), { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name) && !name.startsWith(unfinished) && join(directory, name) !== runtimeData)
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return filesBelow(root, path, pattern);
      return entry.isFile() && pattern.test(entry.name) ? [path] : [];
    })
    .sort();
};

/** TypeScript and JavaScript sources below `directory`. */
export const sourceFiles = (root: string, directory: string): string[] =>
  filesBelow(root, directory, /(?<!\.d)\.[mc]?[jt]sx?$/);
