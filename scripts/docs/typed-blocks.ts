/**
 * Owns the rule on blocks of data and TypeScript: JSON and YAML parse, and a complete module passes the type checker
 * with the packages of this repository.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { blocksOf, type CodeBlock } from './code-blocks.ts';

interface MarkdownPage {
  readonly page: string;
  readonly markdown: string;
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

const dataProblem = ({ language, code }: CodeBlock): string | null => {
  try {
    if (language === 'json') JSON.parse(code);
    if (language === 'yaml') for (const { errors } of parseAllDocuments(code)) for (const error of errors) throw error;
    return null;
  } catch (error) {
    return messageOf(error);
  }
};

/** @returns sentences */
export const dataProblems = ({ page, markdown }: MarkdownPage): string[] =>
  blocksOf(markdown).flatMap((block) => {
    const problem = dataProblem(block);
    return problem === null ? [] : [`${page}:${block.line}: ${problem}`];
  });

interface Module {
  /** Path below the folder that is checked. */
  readonly file: string;
  readonly code: string;
  readonly page: string;
  /** Of the page, where the code begins. */
  readonly line: number;
}

/** A module is complete when it imports, leaves nothing out, and the page has each file that it imports. */
const isComplete = ({ code }: CodeBlock, names: ReadonlySet<string>): boolean => {
  if (!/^import /m.test(code) || code.includes('…')) return false;
  const relative = Array.from(code.matchAll(/from '(\.[^']+)'/g), ([, path = '']) => path.replace(/^\.\//, ''));
  return relative.every((path) => names.has(path));
};

/** The modules of a page, each in a folder of the page under its name. */
export const modulesOf = ({ page, markdown }: MarkdownPage): Module[] => {
  const blocks = blocksOf(markdown).filter(({ language }) => ['ts', 'tsx'].includes(language));
  const names = new Set(blocks.flatMap(({ fileName }) => fileName ?? []));
  const folder = page.replace(/\W+/g, '-');
  return blocks
    .filter((block) => isComplete(block, names))
    .map(({ fileName, line, language, code }) => ({
      file: join(folder, fileName ?? `line-${line}.${language}`),
      code,
      page,
      line,
    }));
};

const compilerOptions = (root: string) => ({
  lib: ['es2024', 'dom', 'dom.iterable'],
  jsx: 'react-jsx',
  types: ['node', 'vite/client'],
  noUnusedLocals: false,
  noUnusedParameters: false,
  paths: {
    gatehouse: [join(root, 'server/src/gatehouse.d.ts')],
    '@gatehouse/*': ['index.ts', 'index.tsx'].map((name) => join(root, 'packages/*/src', name)),
  },
});

/**
 * A page that declares types for a whole program (`declare module`) is a program of its own; all others are one.
 *
 * @param folder a temporary one inside the repository, so that its packages are found
 * @returns sentences
 */
export const typeProblems = (root: string, folder: string, modules: readonly Module[]): string[] => {
  const apart = new Set(modules.filter(({ code }) => code.includes('declare module')).map(({ page }) => page));
  const programs = Map.groupBy(modules, ({ page }) => (apart.has(page) ? page : ''));
  return [...programs.values()].flatMap((program) => problemsOfProgram(root, folder, program));
};

const problemsOfProgram = (root: string, folder: string, modules: readonly Module[]): string[] => {
  rmSync(folder, { recursive: true, force: true });
  for (const { file, code } of modules) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), code);
  }
  const options = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: compilerOptions(root),
    // An augmented module must be part of the program.
    include: ['**/*', join(root, 'packages/*/src/index.*')],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  return status === 0
    ? []
    : `${stdout}${stderr}`
        .trim()
        .split('\n')
        .map((line) => placed(line, modules));
};

/** A line of the compiler, with the place in the page. */
const placed = (line: string, modules: readonly Module[]): string => {
  const [, file, row = ''] = /^([^(]+)\((\d+),\d+\): /.exec(line) ?? [];
  const found = modules.find((module) => module.file === file);
  return found === undefined ? line : line.replace(/^[^:]+/, `${found.page}:${found.line + Number(row) - 1}`);
};
