/** GATEHOUSE_SECRET of a development instance: generated once into DATA_DIR, readable by its owner only. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomHex } from '../kernel/secrets.ts';

/** The secret in the data directory; made now when there is none. */
export const developmentSecret = (dataDirectory: string): string => {
  const file = join(dataDirectory, 'development-secret');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  const secret = randomHex(32);
  writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  return secret;
};
