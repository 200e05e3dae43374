/** Helper sessions in Redis: one key for each entry, which Redis forgets by itself. */
import { type Keyring, sha256 } from '../kernel/secrets.ts';
import { openValue, sealValue } from './helper-session-values.ts';
import type { HelperSessions } from './helper-sessions.ts';
import type { Redis } from './redis.ts';

const keyOf = (sessionHash: Buffer, name: string): string => `gatehouse:helper:${sessionHash.toString('hex')}:${name}`;

export const createRedisHelperSessions = (redis: Pick<Redis, 'send'>, keyring: Keyring): HelperSessions => {
  const sealed = (hash: Buffer, name: string, value: string): string =>
    sealValue(keyring, hash, name, value).toString('base64');
  const opened = (hash: Buffer, name: string, reply: unknown): string | null =>
    typeof reply === 'string' ? openValue(keyring, hash, name, Buffer.from(reply, 'base64')) : null;
  return {
    read: async (sessionId, name) => {
      const hash = sha256(sessionId);
      return opened(hash, name, await redis.send(['GET', keyOf(hash, name)]));
    },
    write: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      await redis.send(['SET', keyOf(hash, name), sealed(hash, name, value), 'EX', String(lifeSeconds)]);
    },
    keep: async (sessionId, name, value, lifeSeconds) => {
      const hash = sha256(sessionId);
      const [key, text, life] = [keyOf(hash, name), sealed(hash, name, value), String(lifeSeconds)];
      // Twice, because an entry may go between the two commands.
      for (const _attempt of [1, 2]) {
        if ((await redis.send(['SET', key, text, 'EX', life, 'NX'])) === 'OK') return value;
        const kept = opened(hash, name, await redis.send(['GETEX', key, 'EX', life]));
        if (kept !== null) return kept;
      }
      // Not sealed here, or with a secret that is gone: it was never there.
      await redis.send(['SET', key, text, 'EX', life]);
      return value;
    },
    take: async (sessionId, name) => {
      const hash = sha256(sessionId);
      return opened(hash, name, await redis.send(['GETDEL', keyOf(hash, name)]));
    },
  };
};
