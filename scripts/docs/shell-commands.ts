/**
 * Owns the rule on commands that pages name: npm scripts, commands of `gatehouse` with their options, and files exist.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { buildProgram } from '../../server/src/cli/program.ts';
import { blocksOf, inlineCode } from './code-blocks.ts';

/** The options of each command of `gatehouse`. */
type Commands = ReadonlyMap<string, ReadonlySet<string>>;

/** Those that the command line declares. */
export const declaredCommands = (): Commands =>
  new Map(
    buildProgram().commands.map((command) => [
      command.name(),
      new Set(command.options.flatMap(({ long }) => (typeof long === 'string' ? [long] : []))),
    ]),
  );

/** The npm scripts of a folder's package.json, or null without one. */
const scriptsIn = (root: string, folder: string): ReadonlySet<string> | null => {
  const file = join(root, folder, 'package.json');
  if (!existsSync(file)) return null;
  const { scripts = {} } = JSON.parse(readFileSync(file, 'utf8')) as { scripts?: Record<string, string> };
  return new Set(Object.keys(scripts));
};

interface Place {
  readonly root: string;
  /** Path of the page in the repository. */
  readonly page: string;
}

const scriptProblems = ({ root, page }: Place, line: string): readonly string[] =>
  Array.from(line.matchAll(/npm run (?:--?\w+ )*([a-z][\w:-]*)([^&|;]*)/g), ([, script = '', rest = '']) => {
    const workspace = /(?:-w|--workspace|--prefix)[ =](\S+)/.exec(rest)?.[1];
    const folders = workspace === undefined ? ['', dirname(page)] : [workspace];
    const isKnown = folders.some((folder) => scriptsIn(root, folder)?.has(script));
    return isKnown ? [] : [`npm has no script ${script}`];
  }).flat();

/** Words after the name that are the name again (`docker compose exec gatehouse gatehouse doctor`) or a separator. */
const callForm = /(?:^|[\s`$(])gatehouse(?: --)? (?<command>[a-z][\w-]+|--[\w-]+)(?<rest>[^&|;#]*)/g;

const commandProblems = (commands: Commands, line: string): readonly string[] =>
  Array.from(line.matchAll(callForm), ({ groups = {} }) => {
    const { command = '', rest = '' } = groups;
    if (['--help', '--version', 'gatehouse'].includes(command)) return [];
    const options = commands.get(command);
    if (options === undefined) return [`gatehouse has no command ${command}`];
    const named = Array.from(rest.matchAll(/(?<=\s)--[a-z][\w-]*/g), ([option]) => option);
    return named
      .filter((option) => !options.has(option) && option !== '--help')
      .map((option) => `gatehouse ${command} has no option ${option}`);
  }).flat();

const fileProblems = ({ root }: Place, line: string): readonly string[] =>
  Array.from(
    line.matchAll(/\bnode (?:--\S+ )*((?:scripts|server|bench|packages)\/\S+\.m?[jt]s)\b/g),
    ([, file = '']) => (existsSync(join(root, file)) ? [] : [`${file} does not exist`]),
  ).flat();

/** Comments name no commands, and a line that ends in a backslash goes on. */
const linesOf = (code: string): string[] =>
  code
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/(?<=^|\s)#.*$/gm, '')
    .split('\n');

/** @returns sentences, each with the page and the line of its block */
export const shellProblems = (place: Place, markdown: string, commands: Commands): string[] => {
  const shell = blocksOf(markdown).filter(({ language }) => ['sh', 'bash'].includes(language));
  const spans = inlineCode(markdown).filter(({ code }) => /^(?:npx )?gatehouse |^npm run |^node /.test(code));
  return [...shell, ...spans].flatMap(({ code, line }) =>
    linesOf(code)
      .flatMap((text) => [
        ...scriptProblems(place, text),
        ...commandProblems(commands, text),
        ...fileProblems(place, text),
      ])
      .map((problem) => `${place.page}:${line}: ${problem}`),
  );
};
