/** Owns whether this machine can build and run containers as the tests of server/test/containers do. */
import { existsSync } from 'node:fs';
import { findProgram } from './programs.ts';

/** The reason why it cannot; null when it can. */
export const containersReason = (): string | null => {
  const commands = ['podman', 'runc', 'catatonit', 'iptables', 'debootstrap'].filter((name) => !findProgram(name));
  // Podman alone calls it.
  const missing = [...commands, ...(existsSync('/usr/lib/podman/netavark') ? [] : ['netavark'])];
  if (missing.length > 0) return `The tests of containers need Debian's ${missing.join(', ')}`;
  return process.getuid?.() === 0 ? null : 'The tests of containers need root, as debootstrap does';
};
