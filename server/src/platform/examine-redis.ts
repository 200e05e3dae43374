/** Asks Redis as the service does, once, for `gatehouse doctor`. */
import { answerMilliseconds, connectMilliseconds, newClient, within } from './redis.ts';
import { type RedisTrouble, troubleOf } from './redis-troubles.ts';

/**
 * Reads, takes what nobody ever put there, and runs a script that counts nothing: a replica or a user who may only read
 * refuses that.
 */
const commands = [['GET', 'gatehouse:doctor'], ['GETDEL', 'gatehouse:doctor'], ['EVAL', 'return 1', '0'], ['TIME']];

/**
 * Writes nothing.
 * @param url as in REDIS_URL
 * @returns what is wrong; null when nothing is
 */
export const examineRedis = async (url: string): Promise<RedisTrouble | null> => {
  const client = newClient(url);
  // What happens to the connection fails the attempt below.
  client.on('error', () => undefined);
  try {
    await within(connectMilliseconds, client.connect());
    for (const command of commands) await within(answerMilliseconds, client.sendCommand(command));
    return null;
  } catch (error) {
    return troubleOf(error);
  } finally {
    client.destroy();
  }
};
