/** Which resources a client may ask a token for (RFC 8707; contract, "OAuth for MCP"): this server, by any of its names. */
import { OAuthRefusal } from './oauth-refusal.ts';
import { briefRedirectUri } from './redirect-uris.ts';

/** Some clients name the origin, others the endpoint, with a slash or without. */
const namesOf = (baseUrl: string): readonly string[] =>
  ['', '/', '/mcp', '/mcp/'].map((path) => inOneCase(`${baseUrl}${path}`));

/** Scheme and host are the same in any case, the path is not (RFC 3986, section 6.2.2.1). */
const inOneCase = (resource: string): string =>
  resource.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());

/**
 * @param resources every value of the parameter; an empty one counts as left out, null is no text
 * @param baseUrl the issuer
 * @throws OAuthRefusal invalid_target
 */
export const requireOwnResource = (resources: readonly (string | null)[], baseUrl: string): void => {
  const own = namesOf(baseUrl);
  const isForeign = (resource: string | null): boolean =>
    resource === null || (resource !== '' && !own.includes(inOneCase(resource)));
  const foreign = resources.find(isForeign);
  if (foreign === undefined) return;
  throw new OAuthRefusal(
    'invalid_target',
    'resource_foreign',
    `The parameter resource names another server than this one, which is ${baseUrl}/mcp.`,
    foreign === null ? null : briefRedirectUri(foreign),
  );
};
