/** A temporary directory in memory if there is enough: a suite writes thousands of small files and flushes each. */
import { accessSync, constants, statfsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryDirectory = '/dev/shm';
const enoughBytes = 4 * 1024 ** 3;

const hasRoomInMemory = (): boolean => {
  try {
    accessSync(memoryDirectory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryDirectory);
    return Math.min(bavail * bsize, freemem()) > enoughBytes;
  } catch {
    // Only Linux has it.
    return false;
  }
};

/** Runs `work` with its own temporary directory, which is removed when `work` ends. */
export const withTemporaryDirectory = async <T>(work: (directory: string) => Promise<T>): Promise<T> => {
  const directory = await mkdtemp(join(hasRoomInMemory() ? memoryDirectory : tmpdir(), 'gatehouse-tests-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
