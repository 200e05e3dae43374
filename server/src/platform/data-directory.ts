/** Owns how DATA_DIR comes to be: one directory after the other, so that each refusal of the file system is an answer. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes the directory and those above it that are missing, for their owner alone. Nothing happens where it is there.
 *
 * Not by Node's `recursive`: below a process file system, which refuses a new directory as if its parent were missing,
 * that never ends.
 * @throws Error of the file system, with its code, at the first directory that cannot be made
 */
export const makeDataDirectory = (directory: string): void => {
  const path = resolve(directory);
  for (const missing of missingAbove(path)) makeOne(missing);
  if (!statSync(path).isDirectory()) mkdirSync(path);
};

/** The directory itself and those above it, the highest first, as far as they are not there. */
const missingAbove = (directory: string): readonly string[] => {
  const parent = dirname(directory);
  if (parent === directory || existsSync(directory)) return [];
  return [...missingAbove(parent), directory];
};

const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same moment may have been first.
    if (!existsSync(path)) throw error;
  }
};
