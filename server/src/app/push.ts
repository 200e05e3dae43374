/** Where there is a Redis: what changes here is told to all processes, whose actors in memory make room. */
import type { Config } from '../config/config.ts';
import { Authenticator } from '../domain/access/authenticate.ts';
import { StaleActors } from '../domain/access/stale-actors.ts';
import type { Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { Redis } from '../platform/redis.ts';
import { announceChanges } from './announced-changes.ts';

export interface Push {
  /** The same database, of whose changes the others are told. */
  over(database: Database): Database;
  close(): void;
}

const channelName = 'gatehouse:changed';

/** @param actors a measurement brings its own, which keeps nobody in memory */
export const openPush = async (
  { redisUrl: url }: Config,
  redis: Redis | null,
  actors: unknown,
  logger: Logger,
): Promise<Push | null> => {
  if (url === undefined || redis === null || !(actors instanceof Authenticator)) return null;
  const { RedisChannel } = await import('../platform/redis-channel.ts');
  const stale = new StaleActors(actors, (text) => channel.send(text));
  const received = (text: string): void => stale.heard(text);
  const channel = new RedisChannel({ url, logger, redis, name: channelName, received });
  return {
    over: (database) => announceChanges(database, (ids) => stale.changed(ids)),
    close: () => channel.close(),
  };
};
