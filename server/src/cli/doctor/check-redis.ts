/** Doctor check of Redis or Valkey: whether it accepts the login and the commands used. Writes nothing. */
import type { Config } from '../../config/config.ts';
import { isRedisEncrypted } from '../../config/problems.ts';
import { present } from '../../kernel/collections.ts';
import { examineRedis } from '../../platform/redis/redis.ts';
import type { RedisEviction, RedisTrouble } from '../../platform/redis/redis-troubles.ts';
import { type Finding, findingsOn } from './findings.ts';

const { ok, warning, error } = findingsOn('redis');

export const checkRedis = async ({ redisUrl, isHardened }: Config): Promise<Finding[]> => {
  if (redisUrl === undefined)
    return [ok('REDIS_URL is not set: the database stores helper sessions and counts rate limits.')];
  const server = placeOf(redisUrl);
  const { trouble, eviction } = await examineRedis(redisUrl);
  return present(
    trouble === null ? ok(`Redis at ${server} accepts this configuration.`) : faultOf(trouble, server),
    trouble === null && evictionFinding(eviction),
    isHardened && !isRedisEncrypted(redisUrl) && plaintext,
  );
};

const evictionFinding = (eviction: RedisEviction): Finding | null => {
  if (eviction === 'refuses') return null;
  return eviction === 'evicts'
    ? warning(
        'Redis deletes keys when its memory is full, so that strangers who fill it could reset rate limits: the database counts them instead.',
        'Set maxmemory-policy to noeviction, or use a Redis of its own for Gatehouse.',
      )
    : warning(
        'Redis does not tell whether it deletes keys when its memory is full, which would reset rate limits.',
        'Grant the user in REDIS_URL +info, and set maxmemory-policy to noeviction.',
      );
};

const plaintext = warning(
  'REDIS_URL is redis://: what is sent to Redis, with the password, is not encrypted.',
  'Use rediss:// and a server with TLS; then REDIS_PLAINTEXT is not needed.',
);

const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname}:${port || '6379'}`;
};

const lost =
  'Until this is fixed, sign-in with the identity provider and analytics decisions are refused, and the database counts rate limits.';

const faultOf = ({ kind, reason }: RedisTrouble, server: string): Finding => {
  switch (kind) {
    case 'away':
      return error(
        `Redis at ${server} cannot be reached (${reason === 'timeout' ? 'no answer in time' : reason}). ${lost}`,
        'Start it, or correct host and port in REDIS_URL; rediss:// is for a server with TLS, whose certificate must name the host. Without REDIS_URL the database stores helper sessions.',
      );
    case 'credentials':
      return error(
        `Redis at ${server} refused the user or the password (${reason}). ${lost}`,
        'Correct user and password in REDIS_URL; characters such as @ and / are percent-encoded there.',
      );
    case 'rights':
      return error(
        `The user in REDIS_URL lacks permissions at ${server} that Gatehouse needs (${reason}). ${lost}`,
        'Grant it the permissions in docs/operations.md under "Redis" (ACL SETUSER … ~gatehouse:* +get +set +getex +getdel +eval +time +info), and +select for a database other than 0.',
      );
    case 'refused':
      return error(
        `Redis at ${server} answers with an error (${reason}). ${lost}`,
        'Use Redis 6.2 or Valkey 7.2 or newer, a primary and not a replica, and in REDIS_URL a number of a database that exists.',
      );
  }
};
