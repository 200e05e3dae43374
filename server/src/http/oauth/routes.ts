/**
 * Owns: the HTTP endpoints and pages of the authorization server for MCP clients.
 * Promises: Answers have the form of RFC 6749, 7591, 7009, 8414 and 9728; no token is ever in a URL.
 */
import type { FastifyError, FastifyInstance } from 'fastify';
import type { ConnectionStep } from '../../domain/client-onboarding/steps.ts';
import { endpointNames } from '../../domain/oauth/resources.ts';
import { scopesOfTools } from '../../domain/tools/catalogue.ts';
import { recordStep } from '../../http-kit/connection-step.ts';
import { takeTexts } from '../../http-kit/request-content.ts';
import { nameParty } from '../../platform/observability/context.ts';
import { answerNotFound } from '../fallbacks.ts';
import { mountAuthorize } from './authorize.ts';
import { mountContinue } from './continue.ts';
import { answerWithPage } from './error-page.ts';
import { mountStylesheet, stylesheets } from './pages.ts';
import { mountRegister } from './register.ts';
import { type OAuthRouteDeps, shareWithClients } from './responses.ts';
import { mountRevoke, mountToken } from './token.ts';

// The endpoints, each in a scope of its own.

const maxEndpointBody = 100 * 1024;

/** Mounts the endpoints. `app/surfaces.ts` calls it only when MCP_ENABLED is on; otherwise none of the paths exists. */
export const mountOauth = async (app: FastifyInstance, deps: OAuthRouteDeps): Promise<void> => {
  await app.register(async (scope) => mountMetadata(scope, deps));
  await app.register(async (scope) => mountAuthorizationPages(scope, deps));
  for (const mountEndpoint of [mountRegister, mountToken, mountRevoke]) {
    await app.register(async (scope) => {
      takeTexts(scope, deps.bodies, maxEndpointBody);
      mountEndpoint(scope, deps);
    });
  }
};

// Metadata of the resource (RFC 9728) and its authorization server (RFC 8414), never derived from a request's Host.

/** A resource of this service, as its metadata describes it. */
interface DescribedResource {
  readonly url: string;
  readonly name: string;
  /** Those of its tools alone: clients request every scope that they find here. */
  readonly scopes: readonly string[];
  /** The paths of its metadata. */
  readonly paths: readonly string[];
}

/** RFC 9728, section 3.1: the resource path follows the well-known path; some clients omit that of Platform MCP. */
const describedResources = ({ settings, application, organizationScopes }: OAuthRouteDeps): DescribedResource[] => {
  const { baseUrl } = settings;
  const platform = {
    url: `${baseUrl}/mcp`,
    name: endpointNames(application).platform,
    scopes: scopesOfTools,
    paths: [resourceUrl, `${resourceUrl}/mcp`],
  };
  if (organizationScopes === null) return [platform];
  const organization = {
    url: `${baseUrl}/mcp/organization`,
    name: endpointNames(application).organization,
    scopes: organizationScopes,
    paths: [`${resourceUrl}/mcp/organization`],
  };
  return [platform, organization];
};

const resourceMetadata = (baseUrl: string, resource: Pick<DescribedResource, 'url' | 'name' | 'scopes'>) => ({
  resource: resource.url,
  authorization_servers: [baseUrl],
  scopes_supported: resource.scopes,
  bearer_methods_supported: ['header'],
  resource_name: resource.name,
});

const serverMetadata = ({ baseUrl, mcp }: OAuthRouteDeps['settings']) => ({
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
  // Absent means false. A client that reads it does not register, so it is there only where a document can be used.
  ...(mcp.clientMetadataAllowList.length > 0 ? { client_id_metadata_document_supported: true } : {}),
});

const resourceUrl = '/.well-known/oauth-protected-resource';
const serverUrl = '/.well-known/oauth-authorization-server';
const everyWellKnown = '/.well-known/*';

const mountMetadata = (scope: FastifyInstance, deps: OAuthRouteDeps): void => {
  const serve = (url: string, step: ConnectionStep, metadata: object): void => {
    scope.get(url, async (request, reply) => {
      recordStep(deps, request, step, null, null);
      return reply.header('cache-control', 'public, max-age=300').send(metadata);
    });
  };
  const { baseUrl } = deps.settings;
  const resources = describedResources(deps);
  for (const resource of resources) {
    for (const url of resource.paths) serve(url, 'resource_metadata', resourceMetadata(baseUrl, resource));
  }
  serve(serverUrl, 'server_metadata', serverMetadata(deps.settings));
  // Clients in a browser look at several addresses, and must be able to read that nothing is there.
  scope.get(everyWellKnown, answerNotFound);
  shareWithClients(scope, [everyWellKnown], ['GET', 'HEAD']);
};

// Browser pages of the authorization flow: authorize, consent, and their stylesheet.

/** An answer names every scope that the page showed: an application may have 200 of 64 characters. */
const maxFormBody = 24 * 1024;

/** @param scope a scope of these pages alone: forms are read as text, and refusals are shown as pages */
const mountAuthorizationPages = (scope: FastifyInstance, deps: OAuthRouteDeps): void => {
  takeTexts(scope, deps.bodies, maxFormBody);
  scope.addHook('onRequest', async (_request, reply) => {
    // A person who connects a client signs it in.
    nameParty({ signsIn: true });
    reply.header('cache-control', 'no-store');
  });
  scope.setErrorHandler<FastifyError>(answerWithPage(deps));
  mountStylesheet(scope, stylesheets.oauth);
  mountAuthorize(scope, deps);
  mountContinue(scope, deps);
};
