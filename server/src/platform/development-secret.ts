/** GATEHOUSE_SECRET of a development instance: generated once into DATA_DIR, readable by its owner only. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../kernel/secrets.ts';
import { makeDataDirectory } from './data-directory.ts';

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
