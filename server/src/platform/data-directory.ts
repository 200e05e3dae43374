/**
 * The data directory of a development installation, and the secret that is made in it once.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { randomHex } from '../kernel/secrets.ts';

// Owns how DATA_DIR comes to be: one directory after the other, so that each refusal of the file system is an answer.

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

// GATEHOUSE_SECRET of a development instance: generated once into DATA_DIR, readable by its owner only.

const secretBytes = 32;

/** The secret in the data directory; made now when there is none. */
export const developmentSecret = (dataDirectory: string): string => {
  const file = join(dataDirectory, 'development-secret');
  const found = readSecret(file);
  if (found !== null) return found;
  makeDataDirectory(dataDirectory);
  const secret = randomHex(secretBytes);
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
    return secret;
  } catch (error) {
    // Another process that started at the same moment was first: its secret is everybody's.
    const others = isCode(error, 'EEXIST') ? readSecret(file) : null;
    if (others === null) throw error;
    return others;
  }
};

/** Null where there is none; a file that was cut off, by a full disk for instance, is no secret and goes. */
const readSecret = (file: string): string | null => {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text.length >= secretBytes) return text;
    rmSync(file);
    return null;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
};

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
