/** GET /healthz: the process lives. GET /readyz: it can serve, and is not about to stop. */
import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/database/database.ts';

/** Shared with the process: set once a stop was asked for. */
export interface Drain {
  isDraining: boolean;
}

const readinessMilliseconds = 2000;

export const mountHealth = (app: FastifyInstance, database: Database, drain: Drain): void => {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const isReachable = await answersInTime(database);
    const checks = { database: isReachable ? 'ok' : 'unavailable', process: drain.isDraining ? 'draining' : 'ok' };
    const isReady = isReachable && !drain.isDraining;
    return reply
      .header('cache-control', 'no-store')
      .status(isReady ? 200 : 503)
      .send({ status: isReady ? 'ok' : 'unavailable', checks });
  });
};

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
