/**
 * Files of the repository that are printed from code: `write` prints them again, `check` fails when one differs from
 * the printed text.
 *
 *     node scripts/generated.ts check|write [schema|docs]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { report, repositoryRoot } from './report.ts';

interface Generated {
  readonly file: string;
  /** The program that prints it, with its arguments. */
  readonly command: readonly string[];
}

const main = 'server/src/main.ts';

const groups: Readonly<Record<string, readonly Generated[]>> = {
  schema: [
    { file: 'server/schema.graphql', command: [main, 'print-schema'] },
    { file: 'server/application.schema.json', command: [main, 'print-application-schema'] },
    { file: 'server/src/application-definition.d.ts', command: ['scripts/printing/print-definition-types.ts'] },
  ],
  docs: [
    { file: '.env.example', command: [main, 'print-config-docs', '--format', 'env'] },
    { file: 'docs/configuration.md', command: [main, 'print-config-docs', '--format', 'markdown'] },
    { file: 'docs/events.md', command: [main, 'print-event-docs'] },
    { file: 'docs/architecture.md', command: ['scripts/printing/print-architecture.ts'] },
    { file: 'docs/limits.md', command: ['scripts/printing/print-limits.ts'] },
  ],
};

/** The text that the code prints, or null after an error message. */
const print = ({ file, command }: Generated): string | null => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  if (status === 0 && stdout !== '') return `${stdout.trimEnd()}\n`;
  process.stderr.write(`${stderr}\n${command.join(' ')} failed, so ${file} cannot be compared.\n`);
  return null;
};

/** Names the first line that differs. */
const firstDifference = (actual: string, expected: string): string => {
  const [has, wants] = [actual.split('\n'), expected.split('\n')];
  const index = wants.findIndex((line, at) => line !== has[at]);
  const at = index === -1 ? wants.length : index;
  return `line ${at + 1} is ${JSON.stringify(has[at] ?? '')}, the code prints ${JSON.stringify(wants[at] ?? '')}`;
};

const problemsOf = (group: string, item: Generated): string[] => {
  const path = join(repositoryRoot, item.file);
  const actual = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const expected = print(item);
  if (expected === null) return [`${item.file} cannot be printed`];
  if (actual === expected) return [];
  return [`${item.file} is out of date: ${firstDifference(actual, expected)}; npm run ${group}:print writes it`];
};

const write = (item: Generated): void => {
  const text = print(item);
  if (text === null) {
    process.exitCode = 1;
    return;
  }
  writeFileSync(join(repositoryRoot, item.file), text);
  process.stdout.write(`${item.file}\n`);
};

const [mode = '', group = ''] = process.argv.slice(2);
const items = groups[group];
if ((mode !== 'check' && mode !== 'write') || items === undefined) {
  process.stderr.write(`usage: node scripts/generated.ts check|write ${Object.keys(groups).join('|')}\n`);
  process.exitCode = 2;
} else if (mode === 'write') {
  items.forEach(write);
} else {
  report(
    items.flatMap((item) => problemsOf(group, item)),
    `${items.map(({ file }) => file).join(' and ')} are up to date.`,
  );
}
