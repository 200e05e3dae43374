/**
 * A copy of the repository in which faults are planted: the repository itself is never changed. Installed packages are
 * linked, but the workspaces among them are those of the copy.
 */
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../report.ts';

const leftOut = new Set(['.git', 'node_modules', 'data', 'test-results']);

/** A workspace is a symbolic link in node_modules, to a directory next to it. */
const linkPackages = (copy: string): void => {
  const [from, to] = [join(repositoryRoot, 'node_modules'), join(copy, 'node_modules')];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    const isWorkspace = lstatSync(join(from, name)).isSymbolicLink();
    if (isWorkspace) symlinkSync(readlinkSync(join(from, name)), join(to, name));
    else if (!name.startsWith('.')) symlinkSync(join(from, name), join(to, name));
  }
};

export const makeWorkingCopy = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'gatehouse-mutants-'));
  cpSync(repositoryRoot, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  linkPackages(copy);
  return copy;
};

export const removeWorkingCopy = (copy: string): void => rmSync(copy, { recursive: true, force: true });
