/** Helper sessions in the database. */
import { type Keyring, sha256 } from '../kernel/secrets.ts';
import type { Database } from './database/database.ts';
import { openValue, sealValue } from './helper-session-values.ts';
import type { HelperSessions } from './helper-sessions.ts';
import { keepEntry, readEntry, takeEntry, writeEntry } from './helper-sessions-store.ts';

export const createDatabaseHelperSessions = (database: Database, keyring: Keyring): HelperSessions => {
  const write: HelperSessions['write'] = async (sessionId, name, value, lifeSeconds) => {
    const hash = sha256(sessionId);
    await database.execute(writeEntry, [hash, name, sealValue(keyring, hash, name, value), lifeSeconds]);
  };
  return {
    read: async (sessionId, name) => {
      const hash = sha256(sessionId);
      const row = await database.maybeOne(readEntry, [hash, name]);
      return row === null ? null : openValue(keyring, hash, name, row.sealedValue);
    },
    write,
    keep: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      const sealed = sealValue(keyring, hash, name, value);
      const { sealedValue } = await database.one(keepEntry, [hash, name, sealed, lifeSeconds]);
      const kept = openValue(keyring, hash, name, sealedValue);
      if (kept !== null) return kept;
      // Not sealed here, or with a secret that is gone: it was never there.
      await write(sessionId, name, value, lifeSeconds);
      return value;
    },
    take: async (sessionId, name) => {
      const hash = sha256(sessionId);
      const row = await database.maybeOne(takeEntry, [hash, name]);
      return row === null ? null : openValue(keyring, hash, name, row.sealedValue);
    },
  };
};
