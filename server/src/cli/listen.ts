/** Listening at HOST and PORT, alone or with other workers, and the error for an unavailable port. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { CommandFailed } from './exit.ts';

type Ports = Pick<Config, 'port' | 'host' | 'metrics'>;

/** @param isShared whether other workers listen on the same ports */
export const listen = async ({ http, metricsHttp }: App, config: Ports, isShared: boolean): Promise<void> => {
  const { port, host, metrics } = config;
  const reusePort = isShared && hasSharedPorts;
  const at = (of: App['http'], number: number, variable: string): Promise<void> =>
    explained({ port: number, host, variable }, async () => {
      // Passed through to Node; the framework's types lack reusePort.
      const options = { port: number, host: addressOf(host), reusePort };
      await of.listen(options);
    });
  if (metricsHttp !== null && metrics.port !== null) await at(metricsHttp, metrics.port, 'METRICS_PORT');
  await at(http, port, 'PORT');
};

/**
 * Whether the kernel can share a port: each worker then has its own connection queue, which dies with it. Elsewhere the
 * supervisor forwards connections, and one on its way to a killed worker hangs.
 */
const hasSharedPorts = process.platform === 'linux' || process.platform === 'freebsd';

/** For `localhost` the framework would open a second server on ::1, whose responses a close does not wait for. */
const addressOf = (host: string): string => (host === 'localhost' ? '127.0.0.1' : host);

/** For workers too: two services would share a port without an error. @throws CommandFailed when a port is in use */
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
      return `Port ${port} on ${host} is in use: stop the process that uses it, or set ${variable}.`;
    case 'EACCES':
      return `Port ${port} on ${host} needs permissions that this process lacks: set ${variable}.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return `HOST is ${host}, which is not an address of this machine: correct it, or set 0.0.0.0 for all addresses.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `HOST is ${host}, a name that cannot be resolved: correct it, or set an address.`;
    default:
      return null;
  }
};
