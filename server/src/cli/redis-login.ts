/** A Redis that says at start that it does not know us: a slip in REDIS_URL, which nobody would find in the log. */
import { type Config, ConfigRefused } from '../config/config.ts';

/**
 * A Redis that is away is none: the service starts without it and finds it later.
 * @throws ConfigRefused when Redis refuses user or password
 */
export const requireRedisLogin = async ({ redisUrl: url }: Config): Promise<void> => {
  if (url === undefined) return;
  const { examineRedis } = await import('../platform/examine-redis.ts');
  const trouble = await examineRedis(url);
  if (trouble?.kind !== 'credentials') return;
  throw new ConfigRefused([
    `REDIS_URL has a user or a password that Redis refuses (${trouble.reason}): correct it; characters such as @ and / are percent-encoded there.`,
  ]);
};
