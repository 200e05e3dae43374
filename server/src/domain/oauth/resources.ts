/**
 * Protected resources: what a client asks for a token of (RFC 8707;
 * contract/organization-mcp.md#resources-of-organizations). Only the one named by its audience accepts a pair.
 */
import { Refusal } from '../../kernel/errors.ts';
import type { Application } from '../scopes/application.ts';
import { platformScopes } from '../scopes/scopes.ts';
import { briefRedirectUri } from './redirect-uris.ts';

/** A resource that the authorization server issues tokens for. */
export interface ProtectedResource {
  /** The audience of its tokens. */
  readonly audience: string;
  /** Its identifier. */
  readonly url: string;
  /** The name of an endpoint of this service; null for a resource of the application, which its URL names. */
  readonly name: string | null;
  /** Whether a grant is bound to one organization; Platform MCP belongs to none. */
  readonly isOfOrganization: boolean;
  /** All that can be granted for it. */
  readonly scopes: readonly string[];
}

const platformAudience = 'mcp';
const organizationAudience = 'mcp_organization';

/** The names of the endpoints of this service, for people (RFC 9728, resource_name). */
export const endpointNames = ({ name }: Pick<Application, 'name'>) => ({
  platform: `${name} Platform MCP`,
  organization: `${name} MCP`,
});

interface ServedResources {
  /** The issuer, without a trailing slash. */
  readonly baseUrl: string;
  readonly application: Pick<Application, 'name' | 'scopes' | 'resources'>;
  /** ORGANIZATION_MCP_ENABLED: without it, Platform MCP is the only resource. */
  readonly forOrganizations: boolean;
}

/** The resources that the authorization server issues tokens for. */
export class ProtectedResources {
  readonly platform: ProtectedResource;
  readonly #byName: ReadonlyMap<string, ProtectedResource>;
  readonly #byAudience: ReadonlyMap<string, ProtectedResource>;
  readonly #scopes: ReadonlySet<string>;

  constructor({ baseUrl, application, forOrganizations }: ServedResources) {
    this.platform = {
      audience: platformAudience,
      url: `${baseUrl}/mcp`,
      name: endpointNames(application).platform,
      isOfOrganization: false,
      scopes: platformScopes,
    };
    const bound = forOrganizations ? boundResources(baseUrl, application) : [];
    // Some clients name the origin, others the endpoint, with or without a trailing slash.
    const names = [
      ...['', '/', '/mcp', '/mcp/'].map((path) => [`${baseUrl}${path}`, this.platform] as const),
      ...bound.map((resource) => [resource.url, resource] as const),
      ...bound.filter(isEndpoint).map((resource) => [`${resource.url}/`, resource] as const),
    ];
    this.#byName = new Map(names.map(([name, resource]) => [inOneCase(name), resource]));
    this.#byAudience = new Map([this.platform, ...bound].map((resource) => [resource.audience, resource]));
    this.#scopes = new Set([this.platform, ...bound].flatMap(({ scopes }) => scopes));
  }

  /** Audiences of the pairs that are issued and refreshed. */
  get audiences(): readonly string[] {
    return [...this.#byAudience.keys()];
  }

  /** The resource of a pair, a code or a request; null for one that is not served now. */
  ofAudience(audience: string): ProtectedResource | null {
    return this.#byAudience.get(audience) ?? null;
  }

  /**
   * Those of the requested scopes that this server knows: clients add others, such as `openid`.
   * @returns null when none is left, as if none were given (contract/platform-mcp.md#requested-and-granted-scopes)
   */
  known(requested: readonly string[] | null): readonly string[] | null {
    const known = [...new Set(requested)].filter((name) => this.#scopes.has(name));
    return known.length === 0 ? null : known;
  }

  /**
   * @param given all values of the parameter `resource`; an empty one counts as omitted, null is not valid text
   * @returns null when it names none
   * @throws Refusal invalid_target: it names two, or one that is not served here
   */
  named(given: readonly (string | null)[]): ProtectedResource | null {
    const found = new Set(given.filter((name) => name !== '').map((name) => this.#find(name)));
    const [resource = null] = found;
    if (found.size <= 1) return resource;
    throw foreign('The parameter resource names more than one server: a token is for one of them.', null);
  }

  #find(name: string | null): ProtectedResource {
    const resource = name === null ? undefined : this.#byName.get(inOneCase(name));
    if (resource !== undefined) return resource;
    const message = `The parameter resource names no server that tokens are issued for here, such as ${this.platform.url}.`;
    throw foreign(message, name);
  }
}

const boundResources = (baseUrl: string, application: ServedResources['application']): readonly ProtectedResource[] => [
  {
    audience: organizationAudience,
    url: `${baseUrl}/mcp/organization`,
    name: endpointNames(application).organization,
    isOfOrganization: true,
    scopes: application.scopes.map(({ name }) => name),
  },
  ...application.resources.map(({ url, scopes }) => ({
    audience: url,
    url,
    name: null,
    isOfOrganization: true,
    scopes,
  })),
];

const isEndpoint = ({ audience }: ProtectedResource): boolean => audience === organizationAudience;

/** Scheme and host are case-insensitive, the path is not (RFC 3986, section 6.2.2.1). */
const inOneCase = (resource: string): string =>
  resource.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, (origin) => origin.toLowerCase());

const foreign = (message: string, name: string | null): Refusal =>
  new Refusal('invalid_target', message, {
    rule: 'resource_foreign',
    detail: name === null ? null : briefRedirectUri(name),
  });

/** Requires that a request names no other resource (RFC 8707, section 2.2). @throws Refusal invalid_target */
export const requireSameResource = (named: ProtectedResource | null, audience: string): void => {
  if (named === null || named.audience === audience) return;
  throw foreign('The parameter resource names another server than the one that the person gave access to.', named.url);
};
