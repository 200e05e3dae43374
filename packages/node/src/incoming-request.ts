/** Reads requests of Node, Express, Fastify, Hono, Next.js and the Fetch API alike. */

/** A request of Node: also Express's, and that of an API route of Next.js. */
interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  /** Express: the URL before a router was mounted. */
  readonly originalUrl?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A request of the Fetch API: also that of a route handler or the proxy of Next.js. */
interface FetchRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { get(name: string): string | null };
}

type BareRequest = NodeRequest | FetchRequest;

/** Fastify's request and Hono's `c.req` hold one of Node or Fetch, and Hono's context holds `c.req`. */
export type IncomingRequest =
  | BareRequest
  | { readonly raw: BareRequest }
  | { readonly req: { readonly raw: BareRequest } };

/** What the package reads of a request. */
export interface ReadRequest {
  /** Undefined where the request does not say, as in a server component of Next.js. */
  readonly method: string | undefined;
  /** A path with its query, or a whole URL; empty where the request does not say. */
  readonly url: string;
  /** The value of a header, lines of one name joined; null without it. @param name in lower case */
  readonly header: (name: string) => string | null;
}

export const readRequest = (given: IncomingRequest): ReadRequest => {
  const request = bareRequestOf(given);
  const { headers, method, url = '' } = request;
  if (isFetchHeaders(headers)) return { method, url, header: (name) => headers.get(name) };
  const original = 'originalUrl' in request ? request.originalUrl : undefined;
  return { method, url: original ?? url, header: (name) => joined(name, headers[name]) };
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
