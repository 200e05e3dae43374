/** Health probes: `GET /healthz` (the process is alive) and `GET /readyz` (it can serve and is not draining). */
import type { FastifyInstance } from 'fastify';
import { scaledMillis } from '../kernel/waits/wait-scale.ts';
import { within } from '../kernel/waits/within.ts';
import type { Database, DatabaseStats } from '../platform/database/database.ts';
import { NoPrimary } from '../platform/database/failure.ts';
import type { Redis } from '../platform/redis/redis.ts';

/** Shared with the process: set when the service as a whole stops, not when one of several workers does. */
export interface Drain {
  isDraining: boolean;
}

/** Dependencies that readiness checks or reports. */
export interface ReadinessDeps {
  readonly database: Database;
  /** Redis; null when not configured. */
  readonly cache: Pick<Redis, 'isAvailable' | 'eviction'> | null;
  /** The mail queue. */
  readonly queue: { readonly isWorking: boolean };
}

const limits = scaledMillis({ readinessMilliseconds: 2000 });

/**
 * The database is the only dependency that fails the probe. Cache, queue, turns and stalled commits are only reported:
 * every other process shares them, or serves all others meanwhile. A server that is not confirmed as the primary
 * answers no look-up; `primary` says why.
 */
export const mountHealth = (app: FastifyInstance, { database, cache, queue }: ReadinessDeps, drain: Drain): void => {
  app.get('/healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const failure = await failureInTime(database);
    const isReachable = failure === null;
    const isReady = isReachable && !drain.isDraining;
    const checks = {
      database: stateOf(isReachable),
      ...(failure instanceof NoPrimary ? { databaseHosts: byPlace(failure.hosts) } : {}),
      cache: cache === null ? 'none' : stateOf(cache.isAvailable),
      ...(cache?.eviction === 'evicts' ? { eviction: 'evicts' } : {}),
      queue: stateOf(queue.isWorking),
      process: drain.isDraining ? 'draining' : 'ok',
      ...troublesOf(database.stats()),
    };
    return reply
      .header('cache-control', 'no-store')
      .status(isReady ? 200 : 503)
      .send({ status: stateOf(isReady), checks });
  });
};

/** By place in the list, from 1: anyone may ask, and the names are internal. */
const byPlace = (hosts: NoPrimary['hosts']): object => Object.fromEntries(hosts.map((state, at) => [at + 1, state]));

/** Reported only while they last. */
const troublesOf = (stats: DatabaseStats | null): Readonly<Record<string, string>> => ({
  ...(stats !== null && stats.turns.heldBack > 0 ? { turns: 'held_back' } : {}),
  ...(stats?.primary?.isConfirmed === false ? { primary: stats.primary.refusal ?? 'unconfirmed' } : {}),
  ...(stats?.primary?.isStalled === true ? { commits: 'stalled' } : {}),
});

const stateOf = (isGood: boolean): 'ok' | 'unavailable' => (isGood ? 'ok' : 'unavailable');

/** Null when the database answers; else the reason, or true for a silence. */
const failureInTime = (database: Database): Promise<unknown> => {
  const failure = database.ping().then(
    () => null,
    (error: unknown) => error,
  );
  return within(limits.readinessMilliseconds, failure, () => true);
};
