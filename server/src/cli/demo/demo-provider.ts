/**
 * Owns: the identity provider and the accounts of a development instance.
 * Promises: It listens on loopback only and accepts only its own instance; production never starts it.
 *
 * "demo Google": accepts any chosen identity, so that external sign-in works out of the box.
 */
import { createServer, type Server } from 'node:http';
import type { Config, ExternalProviderConfig } from '../../config/config.ts';
import { orNull } from '../../kernel/attempts.ts';
import { isLoopback } from '../../kernel/network.ts';
import { randomSecret } from '../../kernel/secrets.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { type Chooser, createChooser } from './chooser.ts';
import { answerPage, answerText, closed, listenOnLoopback } from './frame.ts';
import { createIssuer, type LoadLibrary } from './issuer.ts';
import { overPage } from './page.ts';

export interface DemoProvider {
  /** The client configuration of the service. */
  readonly client: ExternalProviderConfig;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * @returns null outside development, with a configured provider, on a host other than loopback, without the library, or
 *   when its port is taken
 */
export const startDemoProvider = async (config: Config, logger: Logger): Promise<DemoProvider | null> => {
  const issuer = demoIssuer(config);
  if (issuer === null || !isInstalled()) return null;
  const { hostname, port } = new URL(issuer);
  const place = { hostname, port: Number(port), frontendUrl: config.frontendUrl };
  return openDemoProvider(place, () => import('oidc-provider'), logger);
};

interface ProviderPlace {
  /** A name of loopback. */
  readonly hostname: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly frontendUrl: string;
}

/** Null when the port is taken. @param loadLibrary called with the first request */
export const openDemoProvider = async (
  { hostname, port, frontendUrl }: ProviderPlace,
  loadLibrary: LoadLibrary,
  logger: Logger,
): Promise<DemoProvider | null> => {
  const server = createServer();
  // One request per connection: a client must not send its next request to a provider that is closing.
  server.maxRequestsPerSocket = 1;
  const opened = await listenOnLoopback(server, port, (code) => warnOfPort(logger, port, code));
  if (opened === null) return null;
  const client = {
    issuer: `http://${hostname}:${opened}`,
    clientId: 'gatehouse-in-development',
    clientSecret: randomSecret(),
    displayName: 'demo Google',
  };
  answerWith(server, { client, frontendUrl, loadLibrary, logger });
  // The server holds no state worth keeping the process alive for.
  server.unref();
  return { client, close: () => closed(server) };
};

/**
 * The issuer URL, the same at every start, because accounts are linked to it: its port follows PORT. It has the other
 * loopback name than the service, so that browsers treat it as another site.
 * @returns null when there is to be no demo provider
 * @internal The services of tests use it.
 */
export const demoIssuer = ({ mode, externalProvider, baseUrl, frontendUrl, port }: Config): string | null => {
  if (mode !== 'development' || externalProvider !== null) return null;
  const hosts = [baseUrl, frontendUrl].map((url) => new URL(url).hostname);
  if (!hosts.every(isLoopback)) return null;
  const isNamed = hosts.some((host) => host.endsWith('localhost'));
  return `http://${isNamed ? '127.0.0.1' : 'localhost'}:${port + (port <= highestPort - apart ? apart : -apart)}`;
};

const highestPort = 65_535;
/** Larger than the distance between the ports of parallel instances. */
const apart = 10_000;

/** Production installations omit the library. */
const isInstalled = (): boolean => orNull(() => import.meta.resolve('oidc-provider')) !== null;

const warnOfPort = (logger: Logger, port: number, code: string): void => {
  const what = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
  logger.warn(
    { event: 'demo_provider.off', port, code },
    `The demo Google did not start: its port ${port} ${what}. Set PORT to another number; the demo Google uses a port that is ${apart} from it`,
  );
};

interface ProviderParts {
  readonly client: ExternalProviderConfig;
  readonly frontendUrl: string;
  readonly loadLibrary: LoadLibrary;
  readonly logger: Logger;
}

const answerWith = (server: Server, parts: ProviderParts): void => {
  const { client, frontendUrl, logger } = parts;
  const { host } = new URL(client.issuer);
  let loading: Promise<Chooser> | null = null;
  const load = (): Promise<Chooser> => {
    loading ??= loadChooser(parts).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  server.on('request', (request, response) => {
    // Set here for the library's responses too, which lack it.
    response.setHeader('x-content-type-options', 'nosniff');
    // DNS rebinding: a foreign page can resolve its own name to this server, but its browser sends that name as Host.
    if (request.headers.host !== host) return answerText(response, 421, `This is ${client.issuer}.`);
    load()
      .then((chooser) => chooser.answer(request, response))
      .catch((error: unknown) => {
        logger.warn({ event: 'demo_provider.failed', err: error }, 'The demo provider failed');
        if (response.headersSent) response.destroy();
        else answerPage(response, 500, overPage(frontendUrl));
      });
  });
};

const loadChooser = async ({ frontendUrl, ...parts }: ProviderParts): Promise<Chooser> => {
  const redirectUri = `${frontendUrl}/auth/google/callback`;
  const issuer = await createIssuer({ ...parts, redirectUri, failurePage: overPage(frontendUrl) });
  return createChooser(issuer, frontendUrl);
};
