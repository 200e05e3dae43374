/**
 * Prints the import graph of `server/src` as text: the layers and the rooms of the domain, each with its number of
 * files and of import statements to others.
 *
 *     node scripts/printing/print-import-graph.ts [root of a checkout]
 */
import { relative } from 'node:path/posix';
import { isRelative, readSource, resolveImport, type Source } from '../imports/scan.ts';
import { repositoryRoot } from '../report.ts';
import { sourceFiles } from '../source-files.ts';

const tree = 'server/src';

/** The part of the graph that a file belongs to; null for a file outside of it. */
type PartOf = (file: string) => string | null;

const layerOf: PartOf = (file) => relative(tree, file).split('/')[0]?.replace(/\.ts$/, '') ?? null;
const roomOf: PartOf = (file) => /^server\/src\/domain\/([^/]+)\//.exec(file)?.[1] ?? null;

interface Part {
  files: number;
  /** Import statements by the part that they lead to. */
  readonly imports: Map<string, number>;
}

const graphOf = (root: string, sources: readonly Source[], partOf: PartOf): ReadonlyMap<string, Part> => {
  const parts = new Map<string, Part>();
  for (const { path, imports } of sources) {
    const name = partOf(path);
    if (name === null) continue;
    const part = parts.get(name) ?? { files: 0, imports: new Map<string, number>() };
    parts.set(name, part);
    part.files += 1;
    for (const { specifier } of imports.filter((item) => isRelative(item.specifier))) {
      const target = partOf(resolveImport(root, path, specifier));
      if (target !== null && target !== name) part.imports.set(target, (part.imports.get(target) ?? 0) + 1);
    }
  }
  return parts;
};

/**
 * The parts in an order in which each imports only later ones, as far as there is one: those with fewer importers
 * first.
 */
const inOrder = (graph: ReadonlyMap<string, Part>): string[] => {
  const left = new Set(graph.keys());
  const isImported = (name: string): boolean => [...left].some((other) => graph.get(other)?.imports.has(name) === true);
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left].find((name) => !isImported(name)) ?? [...left][0] ?? '';
    left.delete(next);
    order.push(next);
  }
  return order;
};

const linesOf = (graph: ReadonlyMap<string, Part>): string[] => {
  const order = inOrder(graph);
  const width = Math.max(...order.map((name) => name.length));
  return order.map((name) => {
    const { files, imports } = graph.get(name) ?? { files: 0, imports: new Map<string, number>() };
    const arrows = order.flatMap((target) => (imports.has(target) ? [`${target} ${imports.get(target)}`] : []));
    return `${name.padEnd(width)} ${String(files).padStart(3)} → ${arrows.join(', ') || '-'}`;
  });
};

const root = process.argv[2] ?? repositoryRoot;
const sources = sourceFiles(root, tree).map((path) => readSource(root, path));
for (const [title, partOf] of [
  ['Layers', layerOf],
  ['Rooms', roomOf],
] as const) {
  const graph = graphOf(root, sources, partOf);
  const arrows = [...graph.values()].reduce((sum, { imports }) => sum + imports.size, 0);
  process.stdout.write(`${title}: ${graph.size}, ${arrows} arrows\n${linesOf(graph).join('\n')}\n\n`);
}
