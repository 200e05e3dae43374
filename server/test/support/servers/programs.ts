/** Owns the search for programs that some tests need and that may not be installed. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Null when it is not installed. Debian installs nginx and haproxy where only root's PATH leads. */
export const findProgram = (name: string): string | null =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
    .map((directory) => join(directory, name))
    .find(isExecutable) ?? null;

/** Of a cluster of PostgreSQL that fails over by itself. */
export interface ClusterPrograms {
  readonly patroni: string;
  readonly etcd: string;
  readonly haproxy: string;
}

/** @returns their paths, or the packages of Debian that are missing */
export const findClusterPrograms = (): ClusterPrograms | readonly string[] => {
  const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map(findProgram);
  if (patroni && etcd && haproxy) return { patroni, etcd, haproxy };
  return Object.entries({ patroni, 'etcd-server': etcd, haproxy }).flatMap(([name, path]) => (path ? [] : [name]));
};
