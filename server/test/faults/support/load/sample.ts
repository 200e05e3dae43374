/** A part of many cases that differs from commit to commit, so that those of a day try all of them. */
import { spawnSync } from 'node:child_process';

/** @returns 0 where git cannot tell, as in an unpacked archive */
const commitNumber = (): number => {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? Number.parseInt(stdout, 16) : 0;
};

/** Every n-th of the cases, the same for the same commit. */
export const everyNth = <Case>(cases: readonly Case[], n: number): readonly Case[] => {
  const first = commitNumber() % n;
  return cases.filter((_case, index) => index % n === first);
};
