/** Owns the data directory, and the secret that a development installation generates in it once. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { randomHex } from '../kernel/secrets.ts';

// Creates DATA_DIR level by level, so that each file system error is reported.

/**
 * Creates the directory and its missing parents, accessible to their owner only. Does nothing when it exists. Without
 * Node's `recursive`, which never ends below a process file system.
 * @throws the file system's error, with its code, at the first directory that cannot be created
 */
export const makeDataDirectory = (directory: string): void => {
  const path = resolve(directory);
  for (const missing of missingAbove(path)) makeOne(missing);
  if (!statSync(path).isDirectory()) mkdirSync(path);
};

/** The directory and its parents that do not exist, topmost first. */
const missingAbove = (directory: string): readonly string[] => {
  const parent = dirname(directory);
  if (parent === directory || existsSync(directory)) return [];
  return [...missingAbove(parent), directory];
};

const makeOne = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same time may have been first.
    if (!existsSync(path)) throw error;
  }
};

// GATEHOUSE_SECRET of a development instance: generated once into DATA_DIR, readable by its owner only.

const secretBytes = 32;

/** Returns the secret in the data directory; generates it when there is none. */
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
    // Another process that started at the same time was first: all use its secret.
    const others = isCode(error, 'EEXIST') ? readSecret(file) : null;
    if (others === null) throw error;
    return others;
  }
};

/** Null when there is none; a truncated file, for example after a full disk, is deleted. */
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
