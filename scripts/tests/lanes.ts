/**
 * The lanes of the server's tests. The name of a file says its lane, and `laneProblems` refuses a file in another one:
 *  - `NAME.pure.test.ts` starts no service and no database, and runs once;
 *  - `NAME.engine.test.ts` depends on the engine: it asks which one it runs on, sends requests that meet in the
 *    database, or makes statements for filters. It runs on the embedded engine and on PostgreSQL with Redis;
 *  - `NAME.test.ts` sends one request at a time through a service, and runs on the embedded engine alone. At night it
 *    runs on PostgreSQL too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path/posix';
import { isRelative, readSource, resolveImport, type Source } from '../imports/scan.ts';
import { sourceFiles } from '../source-files.ts';

/** @internal The configuration of Vitest reads it. */
export type Lane = 'pure' | 'service' | 'engine';

const tests = 'server/test/';

/**
 * Folders with a suite of their own (server/vitest.config.ts), whose files have no lane.
 * @internal The configuration of Vitest reads it.
 */
export const separateFolders = {
  mocked: 'Replaces modules, in a process for each file.',
  'time-limits': 'Waits until a time limit has passed.',
  processes: 'Starts processes of the service, and kills some.',
  browser: 'Opens the portal in Chromium.',
  tooling: 'Tests the scripts of this repository.',
  site: 'Reads the site of the documentation in Chromium.',
  races: 'Runs concurrent callers of which one may win.',
  fuzz: 'Uses random input.',
  statistics: 'Counts the answers to a crowd.',
  timing: 'Measures response times: on a quiet machine only.',
  'real-clients': 'Runs published MCP clients, which are installed separately.',
  gallery: 'Photographs the portal, for `npm run gallery` alone.',
  shipping: 'Packs the package and installs it.',
  faults: 'Injects faults into its own servers.',
  containers: 'Builds the image, and runs it under Podman.',
} as const;

/** A file that imports one of these can start a service or a database. */
const starters = ['support/gatehouse/gatehouse.ts', 'support/database/databases.ts'].map((path) => tests + path);

/** Folders about what the engines, or Redis, do differently. */
const engineFolders = ['platform', 'limits', 'cleanup', 'helper-sessions'].map((folder) => `${tests}${folder}/`);

/** One journey through every operation, on either engine. */
const engineJourney = /\/authorization-matrix\./;

/** Modules that tell the engine, by the names whose import says that the outcome depends on it; null for any name. */
const engineModules: Readonly<Record<string, readonly string[] | null>> = {
  'support/database/engines.ts': null,
  'support/database/serving-role.ts': null,
  'support/database/nested-loops.ts': null,
  'support/checks/interleavings.ts': null,
  'support/checks/concurrency.ts': ['inParallel', 'startApart', 'raceWithSlow', 'alternateFirst'],
};

/** Titles of tests whose requests meet in the database. */
const meeting =
  /\b(?:concurrent\w*|simultaneous\w*|at the same (?:time|moment)|in parallel|one of two|however often it is (?:asked for|answered)|any number of retries|first caller|(?:two|three|four|five|eight|ten|twenty|fifty|several|many|copies|uses|clicks|attempts|requests|confirmations|changes|owners|people|workers|times|among \w+) at once)\b/i;
/** Requirements that a race decides: comments above tests. */
const racing = /^ *\/\/ Contract: .*\ba race\b/m;
/** Titles of tests of a list with a statement for each filter or order, which are not among those prepared on both. */
const filtering = /\b(?:filters? by|filtered by|searches by|sort \w+ by)\b/i;
/** Also those below the rows of a table. */
const title = /(?:\b(?:it|describe)\b[^\n]*?|^ *\]\))\(\s*(["'`])((?:(?!\1).)*)\1/gm;

const laneOfName = (path: string): Lane => {
  if (path.endsWith('.pure.test.ts')) return 'pure';
  return path.endsWith('.engine.test.ts') ? 'engine' : 'service';
};

const isSeparate = (path: string): boolean =>
  Object.keys(separateFolders).some((folder) => path.startsWith(`${tests}${folder}/`));

/** Reads each module once for all files that import it. */
class ImportGraph {
  readonly #root: string;
  readonly #sources = new Map<string, Source | null>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Null for a module outside of the tests. */
  source(path: string): Source | null {
    const known = this.#sources.get(path);
    if (known !== undefined) return known;
    const source = path.startsWith(tests) && existsSync(join(this.#root, path)) ? readSource(this.#root, path) : null;
    this.#sources.set(path, source);
    return source;
  }

  /** The modules whose values a module imports. */
  imports(path: string): readonly { readonly path: string; readonly names: readonly string[] | 'every' }[] {
    return (this.source(path)?.imports ?? [])
      .filter(({ specifier, typeOnly }) => isRelative(specifier) && !typeOnly)
      .map(({ specifier, names }) => ({ path: resolveImport(this.#root, path, specifier), names }));
  }

  reaches(from: string, targets: readonly string[]): boolean {
    const seen = new Set([from]);
    for (const path of seen) for (const { path: next } of this.imports(path)) seen.add(next);
    return targets.some((target) => seen.has(target));
  }
}

const namesEngine = (graph: ImportGraph, path: string): boolean =>
  graph.imports(path).some(({ path: module, names }) => {
    const telling = engineModules[module.slice(tests.length)];
    if (telling === undefined) return false;
    return telling === null || names === 'every' || names.some((name) => telling.includes(name));
  });

/** The reason for which a file that starts a service belongs to the engine lane, or null. */
const engineReason = (graph: ImportGraph, path: string, text: string): string | null => {
  if (engineFolders.some((folder) => path.startsWith(folder))) return 'its folder is about engines';
  if (engineJourney.test(path)) return 'it is the journey through every operation';
  if (namesEngine(graph, path)) return 'it imports what tells the engine, or sends requests in parallel';
  if (/\bTEST_(?:DATABASE|REDIS)_URL\b/.test(text)) return 'it reads which servers the run has';
  if (racing.test(text)) return 'a race decides a requirement';
  const titles = [...text.matchAll(title)].map(([, , words = '']) => words);
  const named = titles.find((words) => meeting.test(words) || filtering.test(words));
  return named === undefined ? null : `a test is about requests that meet, or about a filter: "${named}"`;
};

/** @param text of the file @returns its lane, and why it has no other */
const laneOf = (graph: ImportGraph, path: string, text: string): { readonly lane: Lane; readonly reason: string } => {
  if (!graph.reaches(path, starters)) return { lane: 'pure', reason: 'it can start no service and no database' };
  const reason = engineReason(graph, path, text);
  if (reason !== null) return { lane: 'engine', reason };
  return { lane: 'service', reason: 'it starts a service, and nothing in it depends on the engine' };
};

/**
 * @param root the repository
 * @returns a sentence for each file whose name says another lane than its content
 */
export const laneProblems = (root: string): string[] => {
  const graph = new ImportGraph(root);
  return sourceFiles(root, 'server/test')
    .filter((path) => path.endsWith('.test.ts') && !isSeparate(path))
    .flatMap((path) => {
      const { lane, reason } = laneOf(graph, path, readFileSync(join(root, path), 'utf8'));
      const named = laneOfName(path);
      return named === lane ? [] : [`${path} is named for the lane ${named} and belongs to ${lane}: ${reason}`];
    });
};
