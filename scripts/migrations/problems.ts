/**
 * Migrations that the previous version would not survive (docs/upgrading.md, "The rule for migrations"). The linter
 * Squawk finds most; this file adds statements that remove or rename an object, that may refuse rows of the previous
 * version, or that contain code which the linter does not parse.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../report.ts';

/**
 * The last migration of the first release, which has no previous version.
 * @internal A test goes to each side of it.
 */
export const newestOfFirstRelease = 12;

/** The migrations after the first release. @param files absolute paths of migrations */
export const laterMigrations = (files: readonly string[]): string[] =>
  files.filter((file) => Number(basename(file).slice(0, 4)) > newestOfFirstRelease);

/** @param files absolute paths of migrations after the first release */
export const migrationProblems = (files: readonly string[]): string[] =>
  files.length === 0 ? [] : [...linted(files), ...files.flatMap(ended)];

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule_name: string;
  readonly message: string;
}

const linted = (files: readonly string[]): string[] => {
  const squawk = join(repositoryRoot, 'node_modules/squawk-cli/js/bin/squawk');
  const config = join(repositoryRoot, 'scripts/migrations/squawk.toml');
  const { stdout, stderr } = spawnSync(process.execPath, [squawk, '--config', config, '--reporter', 'json', ...files], {
    encoding: 'utf8',
  });
  if (!stdout.startsWith('[')) throw new Error(`Squawk cannot run: ${stderr}`);
  return (JSON.parse(stdout) as Finding[]).map(
    ({ file, line, rule_name: rule, message }) => `${basename(file)}:${line + 1} ${rule}: ${message}`,
  );
};

/** Squawk reports removed tables and columns itself. */
const ends =
  /^\s*DROP\s+(?!TABLE\b|COLUMN\b)|\bDROP\s+(?:CONSTRAINT|DEFAULT|EXPRESSION|IDENTITY)\b|\bRENAME\b|\bSET\s+SCHEMA\b|^\s*(?:REVOKE|TRUNCATE)\b/i;

const forbids =
  /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:CONSTRAINT\s+)?(?:TRIGGER|RULE|POLICY)\b|\bROW\s+LEVEL\s+SECURITY\b/i;

const hides = /^\s*DO\b|\bEXECUTE\b(?!\s+(?:FUNCTION|PROCEDURE)\b)/i;

const kinds = [
  { pattern: ends, problem: 'removes or renames an object that the previous version may use' },
  { pattern: forbids, problem: 'may refuse rows that the previous version writes' },
  { pattern: hides, problem: 'runs code that the linter cannot parse' },
] as const;

/**
 * `-- unused since 0.2.0: why`: the previous version no longer uses it. `-- survived by 0.1.0: why`: it keeps working.
 */
const acknowledged = /^\s*-- (?:unused since|survived by) \d+\.\d+\.\d+: \S/;

const ended = (file: string): string[] => {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const kind = kinds.find(({ pattern }) => pattern.test(withoutComment(line)));
    if (kind === undefined || commentsAbove(lines, index).some((comment) => acknowledged.test(comment))) return [];
    return [`${basename(file)}:${index + 1} ${kind.problem}: ${line.trim()}`];
  });
};

const withoutComment = (line: string): string => line.replace(/--.*/, '');

/** The comments above the statement of this line, or directly above the line within the statement. */
const commentsAbove = (lines: readonly string[], index: number): string[] => {
  const before = lines.slice(0, index);
  const first = before.findLastIndex((line) => /(?:^|;)\s*$/.test(withoutComment(line))) + 1;
  const last = before.slice(0, first).findLastIndex((line) => !/^\s*--/.test(line)) + 1;
  return before.slice(last, first);
};
