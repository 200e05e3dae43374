/**
 * Listening at the ports of the configuration, alone or beside other workers; and the sentence for a port or an address
 * that cannot be had.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { CommandFailed } from './exit.ts';

type Ports = Pick<Config, 'port' | 'host' | 'metrics'>;

/** @param isShared other workers listen at the same ports */
export const listen = async ({ http, metricsHttp }: App, config: Ports, isShared: boolean): Promise<void> => {
  const { port, host, metrics } = config;
  const reusePort = isShared && hasSharedPorts;
  const at = (of: App['http'], number: number, variable: string): Promise<void> =>
    explained({ port: number, host, variable }, async () => {
      // Handed on to Node as it is; the framework's types do not know of reusePort.
      const options = { port: number, host: addressOf(host), reusePort };
      await of.listen(options);
    });
  if (metricsHttp !== null && metrics.port !== null) await at(metricsHttp, metrics.port, 'METRICS_PORT');
  await at(http, port, 'PORT');
};

/**
 * Where the kernel can share a port among processes, each worker has its own queue of connections, which dies with it.
 * Elsewhere the supervisor accepts and hands on, and a connection on its way to a worker that is killed hangs.
 */
const hasSharedPorts = process.platform === 'linux' || process.platform === 'freebsd';

/** The framework would open a second server for ::1 by this name, for whose answers no end waits. */
const addressOf = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/**
 * Looks for the ports before a start does anything else. Workers need it too: those of two services would share one port
 * without an error.
 * @throws CommandFailed when something listens at a port of the configuration
 */
export const requireFreePorts = async ({ port, host, metrics }: Ports): Promise<void> => {
  for (const [number, variable] of [
    [metrics.port, 'METRICS_PORT'],
    [port, 'PORT'],
  ] as const) {
    if (number !== null) await explained({ port: number, host, variable }, () => tryPort(number, addressOf(host)));
  }
};

const tryPort = async (port: number, host: string): Promise<void> => {
  const server = createServer();
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
};

interface Place {
  readonly port: number;
  readonly host: string;
  readonly variable: string;
}

const explained = async (place: Place, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    const sentence = sentenceFor(code, place);
    throw sentence === null ? error : new CommandFailed(sentence);
  }
};

const sentenceFor = (code: unknown, { port, host, variable }: Place): string | null => {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is taken: stop what holds it, or set ${variable}.`;
    case 'EACCES':
      return `Port ${port} on ${host} needs rights that this process lacks: set ${variable}.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return `HOST is ${host}, which is no address of this machine: correct it, or set 0.0.0.0 for all of them.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, a name that cannot be looked up: correct it, or set an address.`;
    default:
      return null;
  }
};
