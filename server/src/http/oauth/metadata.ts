/**
 * What a client reads to find its way: the protected resource (RFC 9728) and its authorization server (RFC 8414). Made
 * of the configuration once, never of what a request says of its host.
 */
import type { FastifyInstance } from 'fastify';
import type { ConnectionStep } from '../../domain/connections/steps.ts';
import { scopesOfTools } from '../../domain/tools/catalogue.ts';
import { noteStep, type StepDeps } from '../../web/connection-step.ts';
import { shareWithEveryOrigin } from './sharing.ts';

export interface MetadataDeps extends StepDeps {
  readonly settings: {
    /** The issuer: an origin, without a slash at its end. */
    readonly baseUrl: string;
  };
}

// What opens something at /mcp: clients ask for all of a list that they find here.
const resourceMetadata = (baseUrl: string) => ({
  resource: `${baseUrl}/mcp`,
  authorization_servers: [baseUrl],
  scopes_supported: scopesOfTools,
  bearer_methods_supported: ['header'],
  resource_name: 'Gatehouse Platform MCP',
});

const serverMetadata = (baseUrl: string) => ({
  issuer: baseUrl,
  authorization_endpoint: `${baseUrl}/auth/mcp/authorize`,
  token_endpoint: `${baseUrl}/auth/mcp/token`,
  registration_endpoint: `${baseUrl}/auth/mcp/register`,
  revocation_endpoint: `${baseUrl}/auth/mcp/revoke`,
  scopes_supported: scopesOfTools,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_response_iss_parameter_supported: true,
});

const resourceUrl = '/.well-known/oauth-protected-resource';
const serverUrl = '/.well-known/oauth-authorization-server';

export const mountMetadata = (scope: FastifyInstance, deps: MetadataDeps): void => {
  const serve = (url: string, step: ConnectionStep, metadata: object): void => {
    scope.get(url, async (request, reply) => {
      noteStep(deps, request, step, null, null);
      return reply.header('cache-control', 'public, max-age=300').send(metadata);
    });
  };
  // RFC 9728, section 3.1: the path of the resource stands behind the well-known one; some clients leave it out.
  const resource = resourceMetadata(deps.settings.baseUrl);
  for (const url of [resourceUrl, `${resourceUrl}/mcp`]) serve(url, 'resource_metadata', resource);
  serve(serverUrl, 'server_metadata', serverMetadata(deps.settings.baseUrl));
  shareWithEveryOrigin(scope, [resourceUrl, `${resourceUrl}/mcp`, serverUrl], 'GET, HEAD, OPTIONS');
};
