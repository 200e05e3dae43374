/** Health probes: `GET /healthz` (the process is alive) and `GET /readyz` (it can serve and is not draining). */

import type { FastifyInstance } from 'fastify';
import { scaledMillis } from '../kernel/wait-scale.ts';
import { within } from '../kernel/within.ts';
import type { Database } from '../platform/database/database.ts';

/** Shared with the process: set when the service as a whole stops, not when one of several workers does. */
export interface Drain {
  isDraining: boolean;
}

/** Dependencies that readiness checks or reports. */
export interface ReadinessDeps {
  readonly database: Database;
  /** Redis; null when not configured. */
  readonly cache: { readonly isAvailable: boolean } | null;
  /** The mail queue. */
  readonly queue: { readonly isWorking: boolean };
}

const limits = scaledMillis({ readinessMilliseconds: 2000 });

/**
 * The database is the only dependency that fails the probe. Cache and queue are only reported: every other process
 * shares them. So are turns: while one person or organization is held back, all others are served.
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
      ...((database.stats()?.turns.heldBack ?? 0) > 0 ? { turns: 'held_back' } : {}),
    };
    return reply
      .header('cache-control', 'no-store')
      .status(isReady ? 200 : 503)
      .send({ status: stateOf(isReady), checks });
  });
};

const stateOf = (isGood: boolean): 'ok' | 'unavailable' => (isGood ? 'ok' : 'unavailable');

const answersInTime = (database: Database): Promise<boolean> => {
  const answer = database.ping().then(
    () => true,
    () => false,
  );
  return within(limits.readinessMilliseconds, answer, () => false);
};
