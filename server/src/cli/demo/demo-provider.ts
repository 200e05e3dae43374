/**
 * "demo Google": an identity provider beside a development instance that has none, so that sign-in by a provider works
 * out of the box. It believes whoever is chosen, so it listens on the loopback alone and for this instance alone.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Config, ExternalProviderConfig } from '../../config/config.ts';
import { isLoopback } from '../../kernel/network.ts';
import type { Logger } from '../../platform/observability/logger.ts';
import { answerPage, answerText, type Chooser, createChooser } from './chooser.ts';
import { createIssuer } from './issuer.ts';
import { overPage } from './page.ts';

export interface DemoProvider {
  /** With which the service uses it. */
  readonly client: ExternalProviderConfig;
  /** Idempotent. */
  close(): Promise<void>;
}

/**
 * Listens where {@link demoIssuer} says; what it is made of is loaded when somebody comes.
 * @returns null where there is none: not in development, with a provider of one's own, on other machines, without the
 *   library, or with its port taken
 */
export const startDemoProvider = async (config: Config, logger: Logger): Promise<DemoProvider | null> => {
  const issuer = demoIssuer(config);
  if (issuer === null || !isInstalled()) return null;
  const client = {
    issuer,
    clientId: 'gatehouse-in-development',
    clientSecret: randomBytes(32).toString('base64url'),
    displayName: 'demo Google',
  };
  const server = createServer();
  // No connection outlives its answer, or somebody would send their next request into the end of this provider.
  server.maxRequestsPerSocket = 1;
  answerWith(server, client, config.frontendUrl, logger);
  if (!(await isListening(server, Number(new URL(issuer).port), logger))) return null;
  // It holds nothing that would be lost.
  server.unref();
  return { client, close: () => closed(server) };
};

/**
 * The same address at every start, for people are known by it: a port that follows PORT. Browsers take it for another
 * site than the service, as they do with a real provider, for it has another of the loopback's two names.
 * @returns null where there is to be no demo provider
 */
export const demoIssuer = ({ mode, externalProvider, baseUrl, frontendUrl, port }: Config): string | null => {
  if (mode !== 'development' || externalProvider !== null) return null;
  const hosts = [baseUrl, frontendUrl].map((url) => new URL(url).hostname);
  if (!hosts.every(isLoopback)) return null;
  const isNamed = hosts.some((host) => host.endsWith('localhost'));
  return `http://${isNamed ? '127.0.0.1' : 'localhost'}:${port + (port <= highestPort - apart ? apart : -apart)}`;
};

const highestPort = 65_535;
/** Further than instances side by side are from each other. */
const apart = 10_000;

/** An installation for production leaves it out. */
const isInstalled = (): boolean => {
  try {
    import.meta.resolve('oidc-provider');
    return true;
  } catch {
    return false;
  }
};

/** Nothing else than this provider depends on it, so the service starts without. */
const isListening = async (server: Server, port: number, logger: Logger): Promise<boolean> => {
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  try {
    await listening;
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown';
    const what = code === 'EADDRINUSE' ? 'is taken' : `cannot be listened at (${String(code)})`;
    logger.warn(
      { event: 'demo_provider.off', port, code },
      `There is no demo Google: its port ${port} ${what}. Set PORT to another one, for that of demo Google is ${apart} from it`,
    );
    return false;
  }
};

const closed = async (server: Server): Promise<void> => {
  if (!server.listening) return;
  const ended = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await ended;
};

const answerWith = (server: Server, client: ExternalProviderConfig, frontendUrl: string, logger: Logger): void => {
  const { host } = new URL(client.issuer);
  let loading: Promise<Chooser> | null = null;
  const load = (): Promise<Chooser> => {
    loading ??= loadChooser(client, frontendUrl, logger).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
  server.on('request', (request, response) => {
    // For the answers of its library too, which sets none.
    response.setHeader('x-content-type-options', 'nosniff');
    // A page elsewhere can make its own name lead here, but not its browser say another Host.
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

const loadChooser = async (client: ExternalProviderConfig, frontendUrl: string, logger: Logger): Promise<Chooser> => {
  const redirectUri = `${frontendUrl}/auth/google/callback`;
  const issuer = await createIssuer({ client, redirectUri, logger, failurePage: overPage(frontendUrl) });
  return createChooser(issuer, frontendUrl);
};
