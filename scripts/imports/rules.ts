/**
 * The rules on imports and file names, applied to a tree: directions between layers and rooms of the server and between
 * the pages of the portal and the rest of it, packages that an installation of the server lacks, and empty names.
 * Returns sentences; prints nothing. Biome checks for cycles and barrel files.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path/posix';
import { ofDevelopment } from '../service-bundle.ts';
import { sourceFiles } from '../source-files.ts';
import { placeOf, whyForbidden } from './layers.ts';
import { type Import, isRelative, readSource, resolveImport, type Source } from './scan.ts';

/** Trees whose names and computed imports are checked; directions are checked in `server/src` and `portal/src`. */
const trees = ['server/src', 'server/test', 'portal/src', 'portal/test', 'packages', 'scripts', 'bench'];
const serverTree = 'server/src';
const portalPages = 'portal/src/pages/';
const emptyNames = new Set(['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'service', 'services']);

const nameProblems = ({ path }: Source): string[] => {
  const empty = path
    .split('/')
    .map((part) => part.split('.')[0] ?? '')
    .find((part) => emptyNames.has(part.toLowerCase().split(/[-_]/).at(-1) ?? ''));
  return empty === undefined ? [] : [`${path} has the empty name "${empty}"; name it after its subject`];
};

/** Imports the file that APPLICATION_FILE names, which is the adopter's. */
const importsOfAdopters = 'server/src/cli/application.ts';

const computedProblems = ({ path, computedImports }: Source): string[] =>
  (path === importsOfAdopters ? [] : computedImports).map(
    (line) => `${path}:${line} imports a computed path, which the checks cannot follow`,
  );

/** Why a layer may not import a built-in module or a package, or null. */
const packageRefusal = (layer: string, specifier: string): string | null => {
  if (layer === 'kernel' && !specifier.startsWith('node:')) {
    return 'kernel may import nothing but node: built-ins and itself';
  }
  return /^gatehouse(?:\/|$)/.test(specifier) ? 'the server imports itself by relative paths' : null;
};

/** Packages that an installation of the server has. */
const packagesOfServer = (root: string): ReadonlySet<string> => {
  const manifest = JSON.parse(readFileSync(join(root, 'server/package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  return new Set(Object.keys(manifest.dependencies ?? {}));
};

const packageOf = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;

/**
 * Imports of packages that an installation lacks; of those that only a development has, dynamic ones are expected.
 * `createRequire` and `import.meta.resolve` are not read: the suite `package` tries them.
 */
const missingPackages = (source: Source, installed: ReadonlySet<string>): string[] =>
  source.imports
    .filter(({ specifier, typeOnly }) => !typeOnly && !isRelative(specifier) && !specifier.startsWith('node:'))
    .filter(({ specifier }) => !installed.has(packageOf(specifier)))
    .filter(({ specifier, dynamic }) => dynamic !== true || !ofDevelopment.includes(specifier))
    .map(
      ({ line, specifier }) =>
        `${source.path}:${line} imports ${specifier}, which is no dependency of server/package.json: an installation lacks it`,
    );

const fileRefusal = (from: string, to: string, typeOnly: boolean): string | null => {
  // Data, not a module: package.json has the version.
  if (to.endsWith('.json')) return null;
  if (!to.startsWith(`${serverTree}/`)) return 'server/src may not import files outside of it';
  const [source, target] = [placeOf(relative(serverTree, from)), placeOf(relative(serverTree, to))];
  if (typeof source === 'string' || typeof target === 'string') return null;
  return whyForbidden(source, target, typeOnly);
};

const directionProblem = (root: string, { path }: Source, item: Import): string | null => {
  const place = placeOf(relative(serverTree, path));
  if (typeof place === 'string') return null;
  const refusal = isRelative(item.specifier)
    ? fileRefusal(path, resolveImport(root, path, item.specifier), item.typeOnly)
    : packageRefusal(place.layer, item.specifier);
  return refusal === null ? null : `${path}:${item.line} imports ${item.specifier}: ${refusal}`;
};

const directionProblems = (root: string, source: Source): string[] => {
  if (!source.path.startsWith(`${serverTree}/`)) return [];
  const place = placeOf(relative(serverTree, source.path));
  if (typeof place === 'string') return [`${source.path} ${place}`];
  return source.imports.map((item) => directionProblem(root, source, item)).filter((problem) => problem !== null);
};

/** Only pages, and the routes that name them, import a page: what two pages share is below them. */
const mayImportPages = (path: string): boolean =>
  [portalPages, 'portal/src/routes/', 'portal/src/router.tsx'].some((start) => path.startsWith(start));

const pageProblems = (root: string, { path, imports }: Source): string[] => {
  if (!path.startsWith('portal/src/') || mayImportPages(path)) return [];
  return imports
    .filter(({ specifier }) => isRelative(specifier) && resolveImport(root, path, specifier).startsWith(portalPages))
    .map(({ line, specifier }) => `${path}:${line} imports ${specifier}: only pages and routes may import a page`);
};

/** Every violation of the rules in the tree at `root`, as sentences that begin with the file. */
export const importProblems = (root: string): string[] => {
  const sources = trees.flatMap((tree) => sourceFiles(root, tree)).map((path) => readSource(root, path));
  const installed = packagesOfServer(root);
  return sources.flatMap((source) => [
    ...(source.path.startsWith(`${serverTree}/`) ? missingPackages(source, installed) : []),
    ...nameProblems(source),
    ...computedProblems(source),
    ...directionProblems(root, source),
    ...pageProblems(root, source),
  ]);
};
