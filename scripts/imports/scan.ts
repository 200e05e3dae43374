/** Reads the imports of TypeScript sources. `rules.ts` decides which is allowed. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path/posix';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';
import { lineNumbers } from '../line-numbers.ts';

/** One import, re-export, dynamic import or worker reference. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** True for an import of types alone. */
  readonly typeOnly: boolean;
  /** True for `import(…)`, which its caller can catch. */
  readonly dynamic?: true;
  /** The imported names, `default` among them; every name for a namespace, a dynamic import or `export *`. */
  readonly names: readonly string[] | 'every';
}

interface Scan {
  readonly imports: readonly Import[];
  /** Lines of `import(…)` whose argument is not a string literal. */
  readonly computedImports: readonly number[];
}

const textOf = (node: ESTree.Node | undefined): string | null =>
  node?.type === 'Literal' && typeof node.value === 'string' ? node.value : null;

const isModulePath = (specifier: string): boolean => /^\.{1,2}\/.*\.[mc]?[jt]sx?$/.test(specifier);

/** A worker is loaded by `new URL(path, import.meta.url)`; paths of other files (migrations, pages) are not imports. */
const workerPath = ({ callee, arguments: [path] }: ESTree.NewExpression): string | null => {
  const specifier = callee.type === 'Identifier' && callee.name === 'URL' ? textOf(path) : null;
  return specifier !== null && isModulePath(specifier) ? specifier : null;
};

interface NamedEntry {
  readonly kind: string;
  readonly name: string | null;
}

/** The name that an entry has in the module that exports it; null for all names together. */
const nameOf = ({ kind, name }: NamedEntry): string | null => (kind === 'Default' ? 'default' : name);

const namesOf = (entries: readonly NamedEntry[]): Import['names'] => {
  const names = entries.map(nameOf);
  return names.includes(null) ? 'every' : names.filter((name) => name !== null);
};

/** The dynamic import that an expression awaits, in parentheses or not; null for any other expression. */
const awaitedImport = (node: ESTree.Node | null): ESTree.ImportExpression | null => {
  if (node?.type === 'ParenthesizedExpression') return awaitedImport(node.expression);
  return node?.type === 'AwaitExpression' && node.argument.type === 'ImportExpression' ? node.argument : null;
};

/** The names in `const { a, b: c } = …`; every name for any other pattern. */
const destructured = (pattern: ESTree.Node): Import['names'] => {
  if (pattern.type !== 'ObjectPattern') return 'every';
  const names = pattern.properties.map((each) =>
    each.type === 'Property' && each.key.type === 'Identifier' && !each.computed ? each.key.name : null,
  );
  return names.includes(null) ? 'every' : names.filter((name) => name !== null);
};

/**
 * @param path of the file, whose extension decides the syntax
 * @internal A test covers the cases that no source has.
 */
export const scan = (path: string, source: string): Scan => {
  const { program, module } = parseSync(path, source);
  const lineAt = lineNumbers(source);
  const imports: Import[] = [];
  const computedImports: number[] = [];
  const add = (start: number, specifier: string, typeOnly: boolean, names: Import['names']): void => {
    imports.push({ specifier, line: lineAt(start), typeOnly, names });
  };
  for (const { start, entries, moduleRequest } of module.staticImports) {
    const typeOnly = entries.length > 0 && entries.every(({ isType }) => isType);
    add(start, moduleRequest.value, typeOnly, namesOf(entries.map(({ importName }) => importName)));
  }
  for (const { start, entries } of module.staticExports) {
    const request = entries.find(({ moduleRequest }) => moduleRequest !== null)?.moduleRequest;
    if (!request) continue;
    const typeOnly = entries.every(({ isType }) => isType);
    add(start, request.value, typeOnly, namesOf(entries.map(({ importName }) => importName)));
  }
  /** Names that are taken of a dynamic import where it is awaited. */
  const takenNames = new Map<number, Import['names']>();
  new Visitor({
    MemberExpression: ({ object, property, computed }) => {
      const awaited = awaitedImport(object);
      if (awaited !== null && property.type === 'Identifier' && !computed)
        takenNames.set(awaited.start, [property.name]);
    },
    VariableDeclarator: ({ id, init }) => {
      const awaited = awaitedImport(init);
      if (awaited !== null) takenNames.set(awaited.start, destructured(id));
    },
    ImportExpression: ({ start, source: argument }) => {
      const specifier = textOf(argument);
      if (specifier === null) computedImports.push(lineAt(start));
      else {
        const names = takenNames.get(start) ?? 'every';
        imports.push({ specifier, line: lineAt(start), typeOnly: false, dynamic: true, names });
      }
    },
    TSImportType: ({ start, source: argument }) => add(start, argument.value, true, 'every'),
    NewExpression: (node) => {
      const specifier = workerPath(node);
      if (specifier !== null) add(node.start, specifier, false, []);
    },
  }).visit(program);
  return { imports, computedImports };
};

export interface Source extends Scan {
  /** Relative to the repository's root. */
  readonly path: string;
}

export const readSource = (root: string, path: string): Source => ({
  path,
  ...scan(path, readFileSync(join(root, path), 'utf8')),
});

export const isRelative = (specifier: string): boolean => specifier.startsWith('.');

/** The file that a relative specifier names; the portal's bundler lets extensions go. */
export const resolveImport = (root: string, from: string, specifier: string): string => {
  const path = join(dirname(from), specifier);
  const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${path}/index.tsx`];
  return candidates.find((candidate) => extname(candidate) !== '' && existsSync(join(root, candidate))) ?? path;
};
