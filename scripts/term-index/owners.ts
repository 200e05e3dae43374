/**
 * The code of operations and settings: the functions of the domain that a resolver calls, with the file that declares
 * it, and what reads the property of `config.ts` that a variable becomes.
 */
import { join } from 'node:path/posix';
import type { CodeFile } from './sources.ts';

const most = 3;

/** Paths by the name of an operation or a setting, the most important first. */
export type Owners = ReadonlyMap<string, readonly string[]>;

const resolvers = /\bguarded\(\s*operations\.(?<name>\w+),(?<body>[\s\S]*?)(?=^ {2}\}\),|^\);|^\}\)\);)/gm;
const imports = /^import (?:type )?\{(?<names>[^}]*)\} from '(?<from>\.[^']+)';/gm;

/** Files of functions of the domain that a file of GraphQL types imports, by the name of the function. */
const importedFrom = ({ path, text }: CodeFile): ReadonlyMap<string, string> =>
  new Map(
    Array.from(text.matchAll(imports), ({ groups }) => groups ?? {}).flatMap(({ names = '', from = '' }) =>
      Array.from(names.matchAll(/\w+/g), ([name]): [string, string] => [name, join(path, '..', from)]),
    ),
  );

const ofResolvers = (file: CodeFile): readonly (readonly [string, readonly string[]])[] => {
  const imported = importedFrom(file);
  return Array.from(file.text.matchAll(resolvers), ({ groups }) => groups ?? {}).map(({ name = '', body = '' }) => {
    const called = Array.from(body.matchAll(/\b(\w+)\(/g), ([, callee = '']) => imported.get(callee) ?? '');
    const functions = [...called, imported.get(name) ?? ''].filter((path) => path.startsWith('server/src/domain/'));
    return [name, [...functions, file.path]];
  });
};

export const ownersOfOperations = (files: readonly CodeFile[]): Owners =>
  new Map(files.filter(({ path }) => path.startsWith('server/src/graphql/types/')).flatMap(ofResolvers));

/** The file that adds a command to the program. */
export const ownersOfCommands = (files: readonly CodeFile[]): Owners =>
  new Map(
    files.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/\.command\('([a-z-]+)/g), ([, name = '']) => [`gatehouse ${name}`, [path]] as const),
    ),
  );

/**
 * How code reads a variable: a property of `config.ts` of one word with its object, others by a name of their own. What
 * only declares it, gives it a constant or is a function of that name does not count.
 */
const readsOf = (config: string, variable: string): RegExp => {
  const properties = config.matchAll(new RegExp(`(\\w+): (?:\\w+\\(|.*&& )?values\\.${variable}\\b`, 'g'));
  const reads = Array.from(properties, ([, name = '']) =>
    /[A-Z]/.test(name)
      ? `\\.${name}\\b|(?<!readonly |const )\\b${name}\\b(?!: ['\\d]|\\))`
      : `\\b(?:config|mcp|metrics)\\.${name}\\b|Pick<Config, [^>]*'${name}'`,
  );
  return new RegExp(reads.join('|') || '(?!)', 'g');
};

/** After files whose first comment names the variable: what decides, joins the parts, starts, refuses and diagnoses. */
const ranks: readonly RegExp[] = [
  /^$/,
  /\/(?:domain|http-kit|platform)\//,
  /\/(?:http|mcp|graphql)\//,
  /\/app\//,
  /\/cli\/(?!doctor|demo|print)/,
  /\/config\/problems/,
  /\/cli\/doctor\//,
];
const schema = 'server/src/config/variables.ts';

/** @param variables names of settings */
export const ownersOfSettings = (files: readonly CodeFile[], variables: readonly string[]): Owners => {
  const config = files.find(({ path }) => path === 'server/src/config/config.ts')?.text ?? '';
  const ownersOf = (variable: string): readonly string[] => {
    const [name, reads] = [new RegExp(`\\b${variable}\\b`), readsOf(config, variable)];
    const users = files
      .map(({ path, text, owns }) => ({
        path,
        rank: name.test(owns) && !path.includes('/doctor/') ? 0 : ranks.findIndex((rank) => rank.test(path)),
        count: text.match(reads)?.length ?? 0,
        isNamed: name.test(text),
      }))
      .filter(({ path, rank, count, isNamed }) => path.startsWith('server/') && rank >= 0 && (count > 0 || isNamed))
      .toSorted((left, right) => left.rank - right.rank || right.count - left.count);
    const rule = users.filter(({ path }) => path.endsWith('/config/problems.ts'));
    const readers = users.filter(({ rank, count }) => rank === 0 || count > 0);
    return [...readers.slice(0, most - rule.length), ...rule, ...users]
      .slice(0, most)
      .toSorted((left, right) => left.rank - right.rank)
      .map(({ path }) => path);
  };
  return new Map(variables.map((variable) => [variable, [...ownersOf(variable), schema].slice(0, most)]));
};
