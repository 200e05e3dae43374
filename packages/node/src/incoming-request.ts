/** Reads requests of Node, Express, Fastify, Hono, Next.js and the Fetch API alike. */

/** A request of Node: also Express's, and that of an API route of Next.js. */
interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express: the URL before a router was mounted. */
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly socket?: { readonly remoteAddress?: string | undefined } | undefined;
}

/** A request of the Fetch API: also that of a route handler or the proxy of Next.js. */
interface FetchRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { get(name: string): string | null };
}

type BareRequest = NodeRequest | FetchRequest;

/** Express and Fastify: the address of the client, by the proxies that the server is told to trust. */
interface WithAddress {
  readonly ip?: string | undefined;
}

/** Fastify's request and Hono's `c.req` hold one of Node or Fetch, and Hono's context holds `c.req`. */
export type IncomingRequest =
  | (BareRequest & WithAddress)
  | ({ readonly raw: BareRequest } & WithAddress)
  | { readonly req: { readonly raw: BareRequest } };

/** The part of a request that the package reads. */
export interface ReadRequest {
  /** Undefined where the request does not say, as in a server component of Next.js. */
  readonly method: string | undefined;
  /** A path with its query, or a whole URL; empty where the request does not say. */
  readonly url: string;
  /** The value of a header, lines of one name joined; null without it. @param name in lower case */
  readonly header: (name: string) => string | null;
  /** The address of the client; null where the request does not say. */
  readonly clientIp: string | null;
}

export const readRequest = (given: IncomingRequest): ReadRequest => {
  const request = bareRequestOf(given);
  const { headers, method, url = '' } = request;
  const original = 'originalUrl' in request ? request.originalUrl : undefined;
  const header = isFetchHeaders(headers)
    ? (name: string) => headers.get(name)
    : (name: string) => joined(name, headers[name]);
  const peer = 'socket' in request ? request.socket?.remoteAddress : undefined;
  return { method, url: original ?? url, header, clientIp: clientIpOf(given, peer, header) };
};

/**
 * The peer of a request that a proxy has forwarded is that proxy, unless the server is told to trust it and says
 * another address. A client that forges such a header makes its own address unknown.
 */
const clientIpOf = (given: object, peer: string | undefined, header: ReadRequest['header']): string | null => {
  const told = 'ip' in given && typeof given.ip === 'string' ? given.ip : peer;
  const isForwarded = header('x-forwarded-for') !== null || header('forwarded') !== null;
  return told === undefined || (told === peer && isForwarded) ? null : told;
};

const bareRequestOf = (given: IncomingRequest): BareRequest => {
  if ('raw' in given) return given.raw;
  return 'headers' in given ? given : given.req.raw;
};

const isFetchHeaders = (headers: BareRequest['headers']): headers is FetchRequest['headers'] =>
  typeof headers['get'] === 'function';

/** RFC 9110, section 5.3; RFC 9113, section 8.2.3, for cookies. */
const joined = (name: string, value: string | readonly string[] | undefined): string | null =>
  typeof value === 'string' ? value : (value?.join(name === 'cookie' ? '; ' : ', ') ?? null);
