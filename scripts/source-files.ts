/**
 * Lists the files that the checks read: those of the repository, not installed, built or generated ones. Walks the
 * directory instead of asking git, so that the checks also run on an unpacked archive.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path/posix';

const notOurs = new Set(['node_modules', 'dist', 'generated', 'coverage', 'test-results', '.git']);

/** Prefix of an interrupted build of the portal. */
const unfinished = 'dist.';

/** Written by commands: the embedded database of a service of the checkout, the gallery, and pages of the site. */
const written = new Set(['data', 'gallery', 'site/printed']);

/** The same as patterns, for tools that list files themselves. */
export const ignoredPatterns: readonly string[] = [
  ...[...notOurs].map((name) => `**/${name}/**`),
  ...[...written].map((folder) => `${folder}/**`),
];

/** The files below `directory` whose name matches `pattern`: sorted paths, relative to `root`. */
export const filesBelow = (root: string, directory: string, pattern: RegExp): string[] => {
  if (!existsSync(join(root, directory))) return [];
  return readdirSync(join(root, directory), { withFileTypes: true })
    .filter(({ name }) => !notOurs.has(name) && !name.startsWith(unfinished) && !written.has(join(directory, name)))
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
