/**
 * The rule on exports of source: another source file imports each of them. A test is no user, unless
 * `listed-exports.ts` lists the export with a reason. Returns sentences; prints nothing.
 */
import { sourceFiles } from '../source-files.ts';
import { type ListedExports, listedExports } from './listed-exports.ts';
import { isRelative, readSource, resolveImport, type Source } from './scan.ts';

/** Trees whose exports are checked; importers may be anywhere in the repository. */
const trees = ['server/src', 'portal/src', 'scripts'];

/** The entry of a package for adopters has its users elsewhere. */
const isOfPackage = (path: string): boolean => /^packages\/[^/]+\/src\/(?!index\.tsx?$)/.test(path);

/** Translations are read by the build of the portal, which finds them by the names of the English files. */
const isTranslation = (path: string): boolean => /^portal\/src\/messages\/(?!en\/)[^/]+\//.test(path);

const isChecked = (path: string): boolean =>
  isOfPackage(path) || (trees.some((tree) => path.startsWith(`${tree}/`)) && !isTranslation(path));
const isTest = (path: string): boolean => /(?:^|\/)test\/|\.test\.tsx?$/.test(path);

interface Importer {
  readonly isTest: boolean;
  readonly names: readonly string[] | 'every';
}

/** The importers of each file, by its path. */
const importersIn = (root: string, sources: readonly Source[]): ReadonlyMap<string, readonly Importer[]> => {
  const importers = new Map<string, Importer[]>();
  for (const { path, imports } of sources) {
    for (const { specifier, names } of imports.filter((item) => isRelative(item.specifier))) {
      const target = resolveImport(root, path, specifier);
      const known = importers.get(target) ?? [];
      known.push({ isTest: isTest(path), names });
      importers.set(target, known);
    }
  }
  return importers;
};

interface Unused {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  /** Whether a test imports it. */
  readonly isTested: boolean;
}

const unusedExportsOf = ({ path, exports }: Source, importers: readonly Importer[]): Unused[] =>
  exports.flatMap(({ name, line }) => {
    const users = importers.filter(({ names }) => names === 'every' || names.includes(name));
    return users.some((user) => !user.isTest) ? [] : [{ path, name, line, isTested: users.length > 0 }];
  });

const keysOf = ({ exports }: ListedExports): string[] =>
  Object.entries(exports).flatMap(([path, names]) => names.map((name) => `${path} ${name}`));

const problemOf = ({ path, name, line, isTested }: Unused): string =>
  `${path}:${line} exports ${name}, which ${isTested ? 'only tests import' : 'no other file imports'}`;

/** Every export that no source file imports and that is not listed, and every entry of the list that is not needed. */
export const exportProblems = (root: string, listed: readonly ListedExports[] = listedExports): string[] => {
  const sources = sourceFiles(root, '').map((path) => readSource(root, path));
  const importers = importersIn(root, sources);
  const unused = sources
    .filter(({ path }) => isChecked(path))
    .flatMap((source) => unusedExportsOf(source, importers.get(source.path) ?? []));
  const unusedKeys = new Set(unused.map(({ path, name }) => `${path} ${name}`));
  const listedKeys = new Set(listed.flatMap(keysOf));
  return [
    ...unused.filter(({ path, name }) => !listedKeys.has(`${path} ${name}`)).map(problemOf),
    ...[...listedKeys]
      .filter((key) => !unusedKeys.has(key))
      .map((key) => `scripts/imports/listed-exports.ts: ${key} needs no entry`),
  ];
};
