/**
 * `@gatehouse/node`: who makes a request to a back end. Asks the service for each request and keeps nothing, so that a
 * revocation counts with the next request.
 */
import { askIdentity } from './ask-identity.ts';
import { type IncomingRequest, readRequest } from './incoming-request.ts';
import { introspectTokens, type ResourceCredentials } from './introspection.ts';
import { type McpProtection, mcpProtection } from './protect-mcp.ts';
import { Refusal } from './refusal.ts';
import { type Places, signInPage } from './sign-in-redirect.ts';
import type { Actor, Introspection, Membership } from './types.ts';

export type { IncomingRequest } from './incoming-request.ts';
export type { ResourceCredentials } from './introspection.ts';
export type { McpProtection } from './protect-mcp.ts';
export type { Refusal, RefusalCode, RefusalDetails } from './refusal.ts';
export type {
  ActingParty,
  ActiveToken,
  Actor,
  ActorKind,
  Introspection,
  McpAccess,
  Membership,
  ResourceMetadata,
} from './types.ts';

export interface IdentityOptions {
  /** URL of the service: its BASE_URL. */
  readonly baseUrl: string;
  /** Origin of the portal: FRONTEND_URL of the service. Default: the first of `frontends`, else `baseUrl`. */
  readonly frontendUrl?: string;
  /** Origins of front ends that people may return to; without `frontendUrl`, that of the portal first. */
  readonly frontends?: readonly string[];
  /** The resource of the application that this back end is, for `introspect` and `protectMcp`. */
  readonly resource?: ResourceCredentials;
  /** After which the service counts as unavailable. Default: 5000. */
  readonly timeoutMilliseconds?: number;
}

export interface Identity {
  /**
   * The actor of a request: by `Authorization: Bearer`, else by the cookie auth_access. With a cookie, any method but
   * GET, HEAD and OPTIONS, and any upgrade, requires an Origin or Referer of a front end.
   * @param request of Node, Express, Fastify, Hono, Next.js or the Fetch API. A request without a method, such as
   *   `{ headers: await headers() }`, counts as one that changes something: add `method: 'GET'` where it reads.
   * @param options `machines`: whether a machine credential is accepted too; by default it is refused with FORBIDDEN.
   *   `clientIp`: the address of the client; by default `ip` of Express's and Fastify's request, else the peer's,
   *   unless a proxy forwarded the request. An organization may accept its machines from certain networks alone.
   * @throws Refusal UNAUTHENTICATED: when the request has no valid token
   * @throws Refusal ACCESS_EXPIRED: when the access token must be refreshed
   * @throws Refusal ORIGIN_REFUSED: when a cookie comes from another origin
   * @throws Refusal UNAVAILABLE: when the service does not answer. It is not known who asks: never treat it as signed
   *   out.
   */
  readonly resolveActor: (
    request: IncomingRequest,
    options?: { readonly machines?: boolean; readonly clientIp?: string | undefined },
  ) => Promise<Actor>;
  /**
   * The membership of the active organization, which owns the requested data.
   * @throws Refusal MEMBERSHIP_REQUIRED: when the actor has none
   * @throws Refusal SECOND_FACTOR_REQUIRED: when the organization requires a second factor, and the session has none
   */
  readonly requireMembership: (actor: Actor) => Membership;
  /**
   * Returns when the actor holds all of these scopes.
   * @throws Refusal FORBIDDEN: with `details.missingScopes`; also for a scope that does not exist
   * @throws Refusal MEMBERSHIP_REQUIRED: when an organization scope is required and there is no active membership
   * @throws Refusal SECOND_FACTOR_REQUIRED: when scopes are missing because the session has no second factor
   */
  readonly requireScopes: (actor: Actor, scope: string, ...more: readonly string[]) => void;
  /**
   * Where a browser that navigates is sent to sign in, or to refresh its session: the portal's page, at `frontendUrl`.
   * From there it comes back to the page of the request, if that is at `frontendUrl`, `baseUrl` or one of `frontends`.
   * @returns a URL of the portal
   */
  readonly signInRedirect: (request: IncomingRequest) => string;
  /**
   * What access tokens grant at the `resource` of the options at this moment (RFC 7662).
   * @param token one, or a list of at most 100, which is answered in order
   * @param options `clientIp`: the address of the client that presented them. Without it a machine's token is inactive
   *   where its organization accepts certain networks alone.
   * @throws Refusal UNAVAILABLE: when the service does not answer
   * @throws Error without a `resource`, or with one that the service does not accept
   */
  readonly introspect: {
    (token: string, options?: { readonly clientIp?: string | undefined }): Promise<Introspection>;
    (
      tokens: readonly string[],
      options?: { readonly clientIp?: string | undefined },
    ): Promise<readonly Introspection[]>;
  };
  /**
   * Protects an MCP server, as the `resource` of the options.
   * @param server `resource`: its URL, as in the application's definition; `scopes`: those that its clients may ask for
   */
  readonly protectMcp: (server: { readonly resource: string; readonly scopes: readonly string[] }) => McpProtection;
}

const defaultTimeoutMilliseconds = 5000;

/** @throws TypeError when a URL is none, or has a path */
export const createIdentity = (options: IdentityOptions): Identity => {
  const baseUrl = originOf(options.baseUrl);
  const places = placesOf(baseUrl, options);
  const service = { baseUrl, timeoutMilliseconds: options.timeoutMilliseconds ?? defaultTimeoutMilliseconds };
  type Client = string | null | undefined;
  const introspectAll = (tokens: readonly string[], client: Client): Promise<readonly Introspection[]> => {
    if (options.resource === undefined) throw new Error('createIdentity needs the option resource for introspection.');
    return introspectTokens(service, options.resource, tokens, client);
  };
  const introspectOne = async (token: string, client: Client): Promise<Introspection> =>
    (await introspectAll([token], client))[0] ?? { active: false };
  type Options = { readonly clientIp?: string | undefined };
  function introspect(token: string, asked?: Options): Promise<Introspection>;
  function introspect(tokens: readonly string[], asked?: Options): Promise<readonly Introspection[]>;
  async function introspect(
    given: string | readonly string[],
    { clientIp }: Options = {},
  ): Promise<Introspection | readonly Introspection[]> {
    return typeof given === 'string' ? introspectOne(given, clientIp) : introspectAll(given, clientIp);
  }
  return {
    resolveActor: async (request, asked) => askIdentity(service, readRequest(request), asked),
    requireMembership,
    requireScopes,
    signInRedirect: (request) => signInPage(places, readRequest(request)),
    introspect,
    protectMcp: (server) => mcpProtection({ ...server, baseUrl, introspect: introspectOne }),
  };
};

/** Whether an error is a refusal, whose status, code and message may be shown to the caller. */
export const isRefusal = (error: unknown): error is Refusal => error instanceof Refusal;

const originOf = (text: string): string => {
  const { origin, href } = new URL(text);
  if (href === `${origin}/`) return origin;
  throw new TypeError(`${text} is no origin: it must have no path, as https://id.example.com.`);
};

const placesOf = (baseUrl: string, { frontendUrl, frontends = [] }: IdentityOptions): Places => {
  const others = frontends.map(originOf);
  const portal = frontendUrl === undefined ? (others[0] ?? baseUrl) : originOf(frontendUrl);
  return { portal, origins: [portal, ...others, baseUrl] };
};

const requireMembership: Identity['requireMembership'] = ({ currentMembership, needsSecondFactor }) => {
  if (currentMembership !== null) return currentMembership;
  if (needsSecondFactor?.membership === true) throw secondFactorRequired();
  throw new Refusal('MEMBERSHIP_REQUIRED', 'Choose an organization first.');
};

const requireScopes: Identity['requireScopes'] = (actor, ...needed) => {
  if (needed.some((scope) => !isPlatformScope(scope))) requireMembership(actor);
  const missingScopes = needed.filter((scope) => !actor.scopes.includes(scope));
  if (missingScopes.length === 0) return;
  // Scopes of an organization that needs a second factor were refused with its membership.
  if (actor.needsSecondFactor?.platform === true && missingScopes.every(isPlatformScope)) throw secondFactorRequired();
  throw new Refusal('FORBIDDEN', 'You are not allowed to do this here.', { details: { missingScopes } });
};

const secondFactorRequired = (): Refusal =>
  new Refusal('SECOND_FACTOR_REQUIRED', 'This needs a session with a second factor: a passkey or a one-time code.');

/** Scopes of super admins; an application cannot define others that begin like this. */
const isPlatformScope = (scope: string): boolean => /^(?:mcp|sessions|users|organizations|invitations):/.test(scope);
