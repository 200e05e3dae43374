/** Directories that cannot be closed to other users, and what is done to the others. */
import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { claimDirectory } from '../../src/platform/database/embedded/embedded-directory.ts';
import { makePrivate, makeTreePrivate, sharingOf } from '../../src/platform/database/embedded/private-files.ts';
import { DatabaseRefused } from '../../src/platform/database/failure.ts';

const directories: string[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

const directoryOf = async (mode: number): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-private-'));
  directories.push(directory);
  await chmod(directory, mode);
  return directory;
};

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777;

/** As if the process had another user than the one that owns what this test creates. */
const asAnotherUser = (): void => {
  vi.spyOn(process, 'geteuid').mockReturnValue(4_000_000);
};

describe.runIf(process.platform !== 'win32')('A data directory that is open to other users', () => {
  it.each([0o755, 0o770, 0o777, 0o701])('is closed when it is ours: %o', async (mode) => {
    const directory = await directoryOf(mode);
    claimDirectory(directory);
    expect(await modeOf(directory)).toBe(0o700);
  });

  it.each([0o755, 0o2775, 0o777])('is refused unchanged when it belongs to another user: %o', async (mode) => {
    const directory = await directoryOf(mode);
    asAnotherUser();
    expect(() => claimDirectory(directory)).toThrow(DatabaseRefused);
    expect(() => claimDirectory(directory)).toThrow(
      /is open to other users and belongs to another one \(uid \d+\); set /,
    );
    expect(await modeOf(directory)).toBe(mode);
  });

  it('is refused unchanged when all users share it, by root too', async () => {
    const directory = await directoryOf(0o1777);
    vi.spyOn(process, 'geteuid').mockReturnValue(0);
    expect(() => claimDirectory(directory)).toThrow(/is shared by all users of this machine; set /);
    expect(await modeOf(directory)).toBe(0o1777);
  });

  it('is used as it is when it is private already', async () => {
    const directory = await directoryOf(0o700);
    asAnotherUser();
    expect(sharingOf(directory)).toBeNull();
  });

  it('is closed with all that is below it, and what a link in it names is not', async () => {
    const outside = await directoryOf(0o755);
    const directory = await directoryOf(0o777);
    await mkdir(join(directory, 'deep'));
    await writeFile(join(directory, 'deep', 'file'), 'x');
    await chmod(join(directory, 'deep'), 0o777);
    await chmod(join(directory, 'deep', 'file'), 0o666);
    await symlink(outside, join(directory, 'link'));
    makeTreePrivate(directory);
    const paths = [directory, join(directory, 'deep'), join(directory, 'deep', 'file'), outside];
    expect(await Promise.all(paths.map(modeOf))).toEqual([0o700, 0o700, 0o600, 0o755]);
  });

  it.runIf(process.platform === 'linux')('is refused where the file system does not let its owner change it', () => {
    expect(() => makePrivate('/proc/self/task')).toThrow(
      /^Other users may open \/proc\/self\/task, and this process cannot/,
    );
  });
});
