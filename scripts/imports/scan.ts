/**
 * Lists the imports of a TypeScript source file. Which import is allowed is decided in `rules.ts`.
 */
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** One import, re-export, dynamic import or worker reference. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** True for an import of types alone. */
  readonly typeOnly: boolean;
}

export interface Scan {
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

/** @param path of the file, whose extension decides the syntax */
export const scan = (path: string, source: string): Scan => {
  const { program, module } = parseSync(path, source);
  const lineAt = (index: number): number => source.slice(0, index).split('\n').length;
  const imports: Import[] = [];
  const computedImports: number[] = [];
  const add = (start: number, specifier: string, typeOnly: boolean): void => {
    imports.push({ specifier, line: lineAt(start), typeOnly });
  };
  for (const { start, entries, moduleRequest } of module.staticImports) {
    add(start, moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType));
  }
  for (const { start, entries } of module.staticExports) {
    const request = entries.find(({ moduleRequest }) => moduleRequest !== null)?.moduleRequest;
    if (request)
      add(
        start,
        request.value,
        entries.every(({ isType }) => isType),
      );
  }
  new Visitor({
    ImportExpression: ({ start, source: argument }) => {
      const specifier = textOf(argument);
      if (specifier === null) computedImports.push(lineAt(start));
      else add(start, specifier, false);
    },
    TSImportType: ({ start, source: argument }) => add(start, argument.value, true),
    NewExpression: (node) => {
      const specifier = workerPath(node);
      if (specifier !== null) add(node.start, specifier, false);
    },
  }).visit(program);
  return { imports, computedImports };
};
