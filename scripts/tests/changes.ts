/**
 * The files that a change touches, for suites that need not run when theirs are as before: those of all commits of the
 * last day, and of the work tree. TEST_CHANGED_SINCE names another commit to compare with.
 */
import { spawnSync } from 'node:child_process';
import { repositoryRoot } from '../report.ts';

/** @returns null where git cannot tell, as in an unpacked archive */
const git = (...args: readonly string[]): string | null => {
  const { status, stdout } = spawnSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
};

/**
 * The newest commit of this branch that is older than a day; null where there is none, as in a shallow clone. A merge
 * brings commits that may be older than it: they count by the day of the merge.
 */
const baseOfChange = (): string | null =>
  process.env['TEST_CHANGED_SINCE'] ??
  (git('rev-list', '-1', '--first-parent', '--before=24 hours ago', 'HEAD') || null);

/**
 * @param paths of files or, with a slash at the end, folders; relative to the repository
 * @returns whether one of them has changed; true where git cannot tell
 */
export const hasChanged = (paths: readonly string[]): boolean => {
  const base = baseOfChange();
  const committed = base === null ? null : git('diff', '--name-only', base, '--', ...paths);
  const added = git('ls-files', '--others', '--exclude-standard', '--', ...paths);
  return committed === null || added === null || committed !== '' || added !== '';
};
