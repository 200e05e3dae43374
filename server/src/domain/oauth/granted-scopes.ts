/**
 * What a client may ask for and what it gets: of the platform's scopes those that it asked for and that the person holds
 * (contract, "OAuth for MCP"). Scopes of an organization are never granted to a client.
 */
import { isPlatformScope, type PlatformScope, platformScopes } from '../scopes/scopes.ts';

/** The names in a `scope` parameter (RFC 6749, section 3.3). */
export const scopeNames = (text: string): string[] => text.split(' ').filter((name) => name !== '');

/** Those of a list that there are, each once. Clients ask for whatever others offer, so the rest is passed over. */
export const knownScopes = (names: readonly string[]): PlatformScope[] => [...new Set(names.filter(isPlatformScope))];

/**
 * @param requested null asks for everything that the person holds
 * @param held by the person now
 */
export const grantedScopes = (requested: readonly string[] | null, held: ReadonlySet<string>): PlatformScope[] =>
  platformScopes.filter((scope) => held.has(scope) && (requested === null || requested.includes(scope)));
