/** `gatehouse serve` in development, with its demo provider, as `npm start` runs it. */
import { createServer } from 'node:net';
import { demoIssuer } from '../../../src/cli/demo/demo-provider.ts';
import { demoStripePort } from '../../../src/cli/demo/demo-stripe.ts';
import { type Config, readConfig } from '../../../src/config/config.ts';
import type { TestDatabase } from '../database/databases.ts';
import { freePort } from '../servers/listen.ts';
import { type Environment, environmentFor, type Serving, serve } from './gatehouse-process.ts';

/** Variables that are not named are as in development. */
export const configOf = (environment: Environment): Config =>
  readConfig(environment, () => 'made for development, of some length');

/** A port with free ports for its demo provider and its demo Stripe. */
export const portWithFreeCompanion = async (): Promise<number> => {
  for (;;) {
    const port = await freePort();
    const issuer = demoIssuer(configOf({ PORT: String(port) })) ?? '';
    const companions = [Number(new URL(issuer).port), demoStripePort(port)];
    if ((await Promise.all(companions.map(isFree))).every(Boolean)) return port;
  }
};

/** Whether no server listens at a port of 127.0.0.1. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

export interface DevelopmentService extends Serving {
  /** URL of the demo provider, if there is one. */
  readonly issuer: string;
}

export const serveDevelopment = async (
  stored: Pick<TestDatabase, 'url' | 'dataDirectory'>,
  more: Environment = {},
): Promise<DevelopmentService> => {
  const { PORT = String(await portWithFreeCompanion()) } = more;
  const own = { NODE_ENV: 'development', PORT, BASE_URL: `http://localhost:${PORT}`, ...more };
  const service = await serve({ ...environmentFor(stored), ...own });
  return { ...service, url: own.BASE_URL, issuer: demoIssuer(configOf(own)) ?? '' };
};
