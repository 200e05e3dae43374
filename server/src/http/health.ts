/** GET /healthz: the process lives. GET /readyz: it can serve, and is not about to stop. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/database/database.ts';

/** Shared with the process: set once the service was asked to stop, not one worker of several. */
export interface Drain {
  isDraining: boolean;
}

/** What the service stands on. */
export interface ReadinessDeps {
  readonly database: Database;
  /** Redis; null where there is none. */
  readonly cache: { readonly isAvailable: boolean } | null;
  /** Of mails. */
  readonly queue: { readonly isWorking: boolean };
}

const readinessMilliseconds = 2000;

/**
 * Without a database nobody can be served. Cache and queue are told of, and no reason to send people elsewhere: another
 * process has the same ones.
 */
export const mountHealth = (app: FastifyInstance, { database, cache, queue }: ReadinessDeps, drain: Drain): void => {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReachable = await answersInTime(database);
    const isReady = isReachable && !drain.isDraining;
    const checks = {
      database: stateOf(isReachable),
      cache: cache === null ? 'none' : stateOf(cache.isAvailable),
      queue: stateOf(queue.isWorking),
      process: drain.isDraining ? 'draining' : 'ok',
    };
    return reply
      .header('cache-control', 'no-store')
      .status(isReady ? 200 : 503)
      .send({ status: stateOf(isReady), checks });
  });
};

const stateOf = (isGood: boolean): 'ok' | 'unavailable' => (isGood ? 'ok' : 'unavailable');

const answersInTime = async (database: Database): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), readinessMilliseconds);
  });
  const answer = database.ping().then(
    () => true,
    () => false,
  );
  const isReachable = await Promise.race([answer, timeout]);
  clearTimeout(timer);
  return isReachable;
};
