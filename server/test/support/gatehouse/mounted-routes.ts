/** Every route that a service mounts, in any module, so that a test over all of them misses none. */
import diagnostics from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';

export interface MountedRoute {
  readonly method: string;
  /** As declared: `/auth/mcp/continue/:requestId`. */
  readonly url: string;
}

/** Runs a function that starts services; returns its result, and the mounted routes without duplicates. */
export const withRoutesOf = async <T>(
  start: () => Promise<T>,
): Promise<{ readonly started: T; readonly routes: readonly MountedRoute[] }> => {
  const seen = new Map<string, MountedRoute>();
  const watch = (message: unknown): void => {
    if (!isInitialization(message)) return;
    message.fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) seen.set(`${each} ${url}`, { method: each, url });
    });
  };
  diagnostics.subscribe('fastify.initialization', watch);
  try {
    const started = await start();
    return { started, routes: [...seen.values()] };
  } finally {
    diagnostics.unsubscribe('fastify.initialization', watch);
  }
};

const isInitialization = (message: unknown): message is { readonly fastify: FastifyInstance } =>
  typeof message === 'object' && message !== null && 'fastify' in message;
