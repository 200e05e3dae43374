/** Helper sessions in the database. */
import { type Keyring, sha256 } from '../kernel/secrets.ts';
import type { Database } from './database/database.ts';
import { openValue, sealValue } from './helper-session-values.ts';
import type { HelperSessions } from './helper-sessions.ts';
import { readEntry, sweepEntries, takeEntry, writeEntry } from './helper-sessions-store.ts';

export const createDatabaseHelperSessions = (database: Database, keyring: Keyring): HelperSessions => ({
  read: async (sessionId, name) => {
    const hash = sha256(sessionId);
    const row = await database.maybeOne(readEntry, [hash, name]);
    return row === null ? null : openValue(keyring, hash, name, row.sealedValue);
  },
  write: async (sessionId, name, value, lifeSeconds) => {
    const hash = sha256(sessionId);
    await database.execute(sweepEntries, []);
    await database.execute(writeEntry, [hash, name, sealValue(keyring, hash, name, value), lifeSeconds]);
  },
  take: async (sessionId, name) => {
    const hash = sha256(sessionId);
    const row = await database.maybeOne(takeEntry, [hash, name]);
    return row === null ? null : openValue(keyring, hash, name, row.sealedValue);
  },
  close: async () => {
    // The database is closed by who opened it.
  },
});
