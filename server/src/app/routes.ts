/**
 * Owns the list of the service's own routes, each with what it requires of a request. Only a listed route can be
 * mounted; an adopter's are guarded by the adopter (docs/added-routes.md).
 */
import type { RouteOptions } from 'fastify';

const graphql =
  'An access token as a Bearer, or in a cookie with an Origin of the portal; then the guard of the operation (graphql/operations.ts).';
const mcp =
  'Host and Origin of this service, an access token of the audience mcp as a Bearer, and a rate limit permit of its session (mcp/admission.ts).';
const organizationMcp =
  'Host and Origin of this service, an access token of the audience mcp_organization as a Bearer, and a rate limit permit of its session (mcp/admission.ts).';
const networkPermit = 'A rate limit permit of the network.';
const publicClient = 'The id of a public client, which has no secret; the token or code is the proof.';
const development = 'Host of this service; mounted outside production alone, while no SMTP server is configured.';

/** HEAD is served wherever GET is, and OPTIONS wherever CORS is (http-kit/cors.ts). */
const routes: Readonly<Record<string, string>> = {
  'GET /healthz': 'Nothing.',
  'GET /readyz': 'Nothing.',
  'GET /metrics': 'METRICS_TOKEN as a Bearer, when it is set.',

  'GET /graphql': `${graphql} Mutations are refused.`,
  'POST /graphql': graphql,
  'ANY /graphql': 'Always refused: 405.',

  'GET /auth/google': networkPermit,
  'GET /auth/google/callback': 'The helper session that began the attempt, and its state (RFC 6749, section 10.12).',
  'GET /auth/google/prepare-link': 'A session of the portal, and Fetch Metadata or an Origin of its own site.',
  'GET /auth/google/link/:questionId': 'The helper session that the question belongs to.',
  'POST /auth/google/link/:questionId':
    'The same helper session, the CSRF token of the page, and an Origin of the portal.',
  'GET /auth/google/pages.css': 'Nothing.',

  'GET /.well-known/oauth-protected-resource': 'Nothing.',
  'GET /.well-known/oauth-protected-resource/mcp': 'Nothing.',
  'GET /.well-known/oauth-protected-resource/mcp/organization': 'Nothing.',
  'GET /.well-known/oauth-authorization-server': 'Nothing.',
  'GET /.well-known/*': 'Nothing; every other path there answers 404 to every origin.',
  'POST /auth/mcp/register': 'Rate limit permits of the network and of its site.',
  'GET /auth/mcp/authorize':
    'A registered client and one of its redirect URIs; a rate limit permit of the user, or of the network and its site.',
  'GET /auth/mcp/continue/:requestId':
    'The browser that began the request, and a session of the portal; without one, it redirects to sign-in.',
  'POST /auth/mcp/continue/:requestId':
    'The same browser and session, the CSRF token of the page, and an Origin of the portal.',
  'GET /auth/mcp/pages.css': 'Nothing.',
  'POST /auth/mcp/token': `${networkPermit} ${publicClient}`,
  'POST /auth/mcp/revoke': `${networkPermit} ${publicClient}`,
  'ANY /mcp': mcp,
  'ANY /mcp/': mcp,
  'ANY /mcp/organization': organizationMcp,
  'ANY /mcp/organization/': organizationMcp,

  'ANY /auth/identity':
    'An access token as a Bearer, or in a cookie; with a cookie, an Origin of the portal unless the original request only reads.',
  'POST /auth/introspect':
    'Name and secret of a resource of the application (RFC 7617); a rate limit permit of the network for each wrong pair.',
  'POST /auth/tokens/report': `${networkPermit} To have a token is the proof that it leaked.`,

  'POST /webhooks/stripe': "A signature with the webhook's secret, not older than five minutes.",

  'GET /dev/mailbox': development,
  'GET /dev/mailbox/:id': development,
  'GET /dev/mailbox.json': development,
  'GET /dev/mailbox.css': development,
  'DELETE /dev/mailbox': `${development} An Origin must be the portal's.`,
  'GET /brand/:file': 'Nothing; mounted when the application has a logo or a colour.',
  'GET /assets/own-texts-:file': 'Nothing; mounted when the application has texts of the portal.',
  'GET /assets/*': 'Nothing; every other path that a browser navigates to gets the page of the portal.',
};

/**
 * Every listed route as `METHOD url`.
 * @internal A test compares it with what is mounted.
 */
export const listedRoutes: readonly string[] = Object.keys(routes);

/** An `onRoute` hook. @throws Error for a route that the list does not name */
export const requireListed = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>): void => {
  for (const each of [method].flat()) {
    if (each === 'HEAD' || each === 'OPTIONS') continue;
    if (`${each} ${url}` in routes || `ANY ${url}` in routes) continue;
    throw new Error(`${each} ${url} is not in the list of routes (app/routes.ts)`);
  }
};
