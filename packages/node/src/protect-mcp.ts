/**
 * Protects an MCP server of one's own (RFC 9728; MCP, "Authorization"): its metadata, and the challenges of 401 and
 * 403.
 */
import { type IncomingRequest, readRequest } from './incoming-request.ts';
import { Refusal } from './refusal.ts';
import type { Introspection, McpAccess, ResourceMetadata } from './types.ts';

export interface McpProtection {
  /** The path of `metadata` on the server of the resource (RFC 9728, section 3.1). */
  readonly metadataPath: string;
  /** To be answered as JSON at `metadataPath`. */
  readonly metadata: ResourceMetadata;
  /**
   * What the Bearer token of a request grants at this moment.
   * @param options `clientIp`: the address of the client; by default as the request has it
   * @throws Refusal UNAUTHENTICATED: without an active token for this resource; its `headers` have the challenge
   * @throws Refusal UNAVAILABLE: when the service does not answer
   */
  readonly authenticate: (
    request: IncomingRequest,
    options?: { readonly clientIp?: string | undefined },
  ) => Promise<McpAccess>;
  /**
   * Returns when the token grants all of these scopes, which are among those of the metadata.
   * @throws Refusal FORBIDDEN: its `headers` have the challenge that asks the client for more scopes
   */
  readonly requireScopes: (access: Pick<McpAccess, 'scopes'>, scope: string, ...more: readonly string[]) => void;
}

interface McpParts {
  /** URL of the service, which is the authorization server. */
  readonly baseUrl: string;
  /** URL of the resource, as in the application's definition. */
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly introspect: (token: string, clientIp: string | null) => Promise<Introspection>;
}

const wellKnown = '/.well-known/oauth-protected-resource';

export const mcpProtection = ({ baseUrl, resource, scopes, introspect }: McpParts): McpProtection => {
  const { origin, pathname, search } = new URL(resource);
  const metadataPath = `${wellKnown}${pathname === '/' ? '' : pathname}${search}`;
  const challenge = (error: string | null, asked: readonly string[]): Record<string, string> => {
    const parts = { ...(error === null ? {} : { error }), scope: asked.join(' ') };
    return { 'www-authenticate': challengeOf(parts, `${origin}${metadataPath}`) };
  };
  const unauthenticated = (message: string, error: string | null): Refusal =>
    new Refusal('UNAUTHENTICATED', message, { headers: challenge(error, scopes) });

  return {
    metadataPath,
    metadata: {
      resource,
      authorization_servers: [baseUrl],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    },
    authenticate: async (request, options = {}) => {
      const { header, clientIp } = readRequest(request);
      const token = bearerOf(header('authorization') ?? '');
      if (token === null) throw unauthenticated('This server needs an access token.', null);
      const answer = await introspect(token, options.clientIp ?? clientIp);
      if (answer.active && answer.aud === resource) return accessOf(token, resource, answer);
      throw unauthenticated('This access token is not accepted.', 'invalid_token');
    },
    requireScopes: ({ scopes: granted }, ...needed) => {
      const missingScopes = needed.filter((scope) => !granted.includes(scope));
      if (missingScopes.length === 0) return;
      const wanted = [...new Set([...granted, ...needed])];
      throw new Refusal('FORBIDDEN', 'The access token does not grant this.', {
        details: { missingScopes },
        headers: challenge('insufficient_scope', wanted),
      });
    },
  };
};

interface Challenge {
  readonly error?: string;
  readonly scope: string;
}

/** In bytes, all ASCII: with the other headers of a reply less than the 8 KB that proxies let through. */
const maxChallengeLength = 4096;

/**
 * The challenge of RFC 6750, section 3. The scopes are left out where they make it too long: the parameter is optional,
 * and a client then asks for all that the metadata has. A shortened list would make it ask for fewer than it was
 * granted.
 */
const challengeOf = ({ scope, ...parts }: Challenge, metadataUrl: string): string => {
  const whole = bearerWith({ ...parts, scope, resource_metadata: metadataUrl });
  return whole.length <= maxChallengeLength ? whole : bearerWith({ ...parts, resource_metadata: metadataUrl });
};

const bearerWith = (parts: Readonly<Record<string, string>>): string =>
  `Bearer ${Object.entries(parts)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;

/** RFC 6750, section 2.1. */
const bearerOf = (authorization: string): string | null => /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;

const accessOf = (
  token: string,
  resource: string,
  introspection: Extract<Introspection, { readonly active: true }>,
): McpAccess => ({
  token,
  clientId: introspection.client_id ?? '',
  scopes: introspection.scope.split(' ').filter((scope) => scope !== ''),
  expiresAt: introspection.exp,
  resource: new URL(resource),
  extra: { introspection },
});
