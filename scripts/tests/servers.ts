/** The PostgreSQL and the Redis of a suite, and whether they answer. */
import { connect } from 'node:net';

interface Server {
  readonly name: string;
  readonly variable: string;
  readonly url: string;
  readonly defaultPort: number;
}

const connectMilliseconds = 3000;

/** TEST_DATABASE_URL and TEST_REDIS_URL, or the servers of this machine. */
const servers = (): readonly Server[] => [
  {
    name: 'PostgreSQL',
    variable: 'TEST_DATABASE_URL',
    url: process.env['TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    defaultPort: 5432,
  },
  {
    name: 'Redis',
    variable: 'TEST_REDIS_URL',
    url: process.env['TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379',
    defaultPort: 6379,
  },
];

/** Without the password that the URL may contain. */
const placeOf = ({ url, defaultPort }: Server): { readonly host: string; readonly port: number } => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port === '' ? defaultPort : port) };
};

const answers = (server: Server): Promise<boolean> => {
  const place = placeOf(server);
  // A Unix socket has no host to connect to; the suite itself reports when no server listens.
  if (place.host === '') return Promise.resolve(true);
  return new Promise((resolve) => {
    const socket = connect(place);
    const settle = (reached: boolean): void => {
      socket.destroy();
      resolve(reached);
    };
    socket.setTimeout(connectMilliseconds, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
};

/** One sentence for each server that does not answer. */
export const missingServers = async (): Promise<readonly string[]> => {
  const missing: string[] = [];
  for (const server of servers()) {
    if (await answers(server)) continue;
    const { host, port } = placeOf(server);
    missing.push(`No ${server.name} answers at ${host}:${port}: start one, or name another by ${server.variable}.`);
  }
  return missing;
};

/** The variables by which tests find them. */
export const serverEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(servers().map(({ variable, url }) => [variable, url]));
