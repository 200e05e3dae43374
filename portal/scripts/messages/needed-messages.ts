/**
 * Which messages a module shows: the namespaces that it and everything it imports statically pass to
 * `useTranslations`. What it imports dynamically has messages of its own.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const staticImport = /^(?:import|export)(?!\s+type\b)[^'";]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'/gm;
const namespace = /\buseTranslations\(\s*(?:'([^']*)')?/g;
/** A dynamic import of the portal's own module. */
export const dynamicImport = /\bimport\('(\.[^']+\.tsx?)'\)/g;

interface ModuleUse {
  readonly imports: readonly string[];
  readonly namespaces: readonly string[];
}

const readModule = (file: string): ModuleUse => {
  const source = readFileSync(file, 'utf8').replace(comment, '');
  const imports = [...source.matchAll(staticImport)].map(([, from, alone]) =>
    resolve(dirname(file), from ?? alone ?? ''),
  );
  const namespaces = [...source.matchAll(namespace)].map(([, name]) => {
    if (name === undefined || name === '') throw new Error(`${file}: useTranslations needs a namespace, as a literal`);
    return name;
  });
  return { imports, namespaces };
};

/** @returns the module and everything that it imports statically, of the portal's own */
export const staticModules = (entry: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(entry) || !/\.tsx?$/.test(entry) || !existsSync(entry)) return found;
  found.add(entry);
  for (const imported of readModule(entry).imports) staticModules(imported, found);
  return found;
};

const isWithin = (path: string, other: string): boolean => path === other || path.startsWith(`${other}.`);

/**
 * @param given paths that are loaded already
 * @returns paths of messages, such as `signIn` or `plan.scopes`, sorted, none within another
 */
export const neededMessages = (entry: string, given: readonly string[] = []): readonly string[] => {
  const all = [...staticModules(entry)].flatMap((file) => readModule(file).namespaces);
  const paths = [...new Set(all)].filter((path) => !given.some((other) => isWithin(path, other)));
  return paths.filter((path) => !paths.some((other) => other !== path && isWithin(path, other))).sort();
};
