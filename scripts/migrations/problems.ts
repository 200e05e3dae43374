/**
 * Migrations that the previous version would not survive (docs/upgrading.md, "The rule for migrations"): by the linter
 * Squawk, and by rules that it lacks: dropped objects that statements use by name, constraints that may refuse rows of
 * the previous version, and code that no linter reads.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../report.ts';

/** Migrations up to this one are in the first release, which has no previous version. */
export const newestOfFirstRelease = 13;

/** Those of these migrations (absolute paths) that have a previous version. */
export const laterMigrations = (files: readonly string[]): string[] =>
  files.filter((file) => Number(basename(file).slice(0, 4)) > newestOfFirstRelease);

/** @param files absolute paths of migrations that have a previous version */
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
  if (!stdout.startsWith('[')) throw new Error(`Squawk does not run here: ${stderr}`);
  return (JSON.parse(stdout) as Finding[]).map(
    ({ file, line, rule_name: rule, message }) => `${basename(file)}:${line + 1} ${rule}: ${message}`,
  );
};

/** Squawk reports dropped tables and columns, if any drops at all. */
const ends =
  /^\s*DROP\s+(?!TABLE\b|COLUMN\b)|\bDROP\s+(?:CONSTRAINT|DEFAULT|EXPRESSION|IDENTITY)\b|\bRENAME\b|\bSET\s+SCHEMA\b|^\s*(?:REVOKE|TRUNCATE)\b/i;

const forbids =
  /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:CONSTRAINT\s+)?(?:TRIGGER|RULE|POLICY)\b|\bROW\s+LEVEL\s+SECURITY\b/i;

const hides = /^\s*DO\b|\bEXECUTE\b(?!\s+(?:FUNCTION|PROCEDURE)\b)/i;

const kinds = [
  { pattern: ends, says: 'ends or renames what the previous version may use' },
  { pattern: forbids, says: 'may refuse what the previous version writes' },
  { pattern: hides, says: 'does what the linter cannot read' },
] as const;

/** `-- unused since 0.2.0: why`: the previous version no longer uses it. `-- survived by 0.1.0: why`: it continues. */
const acknowledged = /^\s*-- (?:unused since|survived by) \d+\.\d+\.\d+: \S/;

const ended = (file: string): string[] => {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, index) => {
    const kind = kinds.find(({ pattern }) => pattern.test(withoutComment(line)));
    if (kind === undefined || commentsAbove(lines, index).some((comment) => acknowledged.test(comment))) return [];
    return [`${basename(file)}:${index + 1} ${kind.says}: ${line.trim()}`];
  });
};

const withoutComment = (line: string): string => line.replace(/--.*/, '');

/** The comment above the statement of this line, or directly above the line within it. */
const commentsAbove = (lines: readonly string[], index: number): string[] => {
  const before = lines.slice(0, index);
  const first = before.findLastIndex((line) => /(?:^|;)\s*$/.test(withoutComment(line))) + 1;
  const last = before.slice(0, first).findLastIndex((line) => !/^\s*--/.test(line)) + 1;
  return before.slice(last, first);
};
