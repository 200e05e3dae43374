/**
 * Owns: what the surfaces share of HTTP: authentication, cookies, origins, CORS, bodies, hooks, rate limit headers.
 * Promises: All surfaces authenticate alike; a rejected Bearer never falls back to a cookie; a body never exceeds its
 *   memory budget.
 *
 * Access token to actor (GRAPHQL_BEARER_ACCEPTED_AUDIENCES; contract/credentials.md#access-credential-alone).
 */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Authenticator } from '../domain/access/authenticate.ts';
import { machineRefused } from '../domain/access/authorize.ts';
import { requireAcceptedMachine } from '../domain/access/machine-actor.ts';
import type { Caller } from '../domain/credentials/issue-pair.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import type { TokenNetworks } from '../domain/machine-tokens/token-networks.ts';
import { isPublicRefusal, type PublicRefusal, Refusal } from '../kernel/errors.ts';
import { plainAddress } from '../kernel/network.ts';
import { DatabaseUnavailable } from '../platform/database/database.ts';
import { nameParty, traced } from '../platform/observability/context.ts';
import { type CookieRequest, readAuthCookies } from './cookies.ts';
import { type FrontEndSettings, mayActAsSuperAdmin, requirePortalOrigin } from './origins.ts';

export interface IdentifyDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly lastSeen: Pick<LastSeenRecorder, 'note'>;
  readonly tokenNetworks: Pick<TokenNetworks, 'note'>;
  readonly settings: FrontEndSettings & { readonly graphqlAudiences: readonly string[] };
}

/** The parts of a request that identification needs beside the token. */
interface IdentifiedRequest extends Pick<FastifyRequest, 'headers'> {
  /** The client's. Null: a back end asks for its client, and does not name it. */
  readonly ip: string | undefined | null;
}

/** The credentials that the caller of {@link identify} accepts. */
interface Accepted {
  /** Whether the request can change state; if so, cookies are accepted only from a front end. */
  readonly mayChange: boolean;
  /** Whether tokens of machines are accepted; by default they are refused. */
  readonly machines?: boolean;
}

export type Identified =
  | { readonly actor: Actor; readonly refusal: null }
  | { readonly actor: null; readonly refusal: Refusal };

/** The result for a request without a token. */
export const signedOut: Identified = { actor: null, refusal: new Refusal('UNAUTHENTICATED', 'You are not signed in.') };

/**
 * The actor, or the refusal that explains its absence. Accepts the audiences of GraphQL, never credentials of OAuth
 * clients. Where the application has front ends, a cookie makes a super admin on the portal's pages alone.
 * @throws Refusal ORIGIN_REFUSED: when a cookie comes from another origin (contract/credentials.md#allowed-origins)
 * @throws DatabaseUnavailable when storage does not answer; never treated as unauthenticated
 */
export const identify = async (
  { authenticator, lastSeen, tokenNetworks, settings }: IdentifyDeps,
  request: IdentifiedRequest,
  access: PresentedAccess,
  { mayChange, machines = false }: Accepted,
): Promise<Identified> => {
  if (access.source === 'none') return signedOut;
  if (access.source === 'cookie' && mayChange) requirePortalOrigin(request, settings);
  try {
    const actor = await traced(
      () => ({ name: 'authenticate' }),
      () => authenticator.authenticate(access.token, settings.graphqlAudiences),
    );
    // Whatever audiences are configured: what a person granted to a client counts at its own resource alone.
    if (actor.credential.clientId !== null) throw signedOut.refusal;
    const address = request.ip === null ? null : addressOf({ ip: request.ip });
    if (actor.machine !== null) {
      // Cookies hold sessions of people: a machine sends its token itself.
      if (access.source === 'cookie') throw signedOut.refusal;
      if (!machines) throw machineRefused();
      requireAcceptedMachine(actor, address);
    }
    nameParty({ person: actor.user.id });
    lastSeen.note(actor.credential.id, address);
    tokenNetworks.note(actor, address);
    return { actor: access.source === 'cookie' ? actorByCookie(actor, request, settings) : actor, refusal: null };
  } catch (error) {
    if (error instanceof Refusal) return { actor: null, refusal: error };
    throw error;
  }
};

/** The actor of a request by cookie: without a super admin's authority where the page must not act as one. */
export const actorByCookie = <Who extends Actor>(
  actor: Who,
  request: Pick<FastifyRequest, 'headers'>,
  settings: FrontEndSettings,
): Who =>
  mayActAsSuperAdmin(request, settings)
    ? actor
    : { ...actor, user: { ...actor.user, isSuperAdmin: false, platformScopes: [] } };

// The presented access token: from the Authorization header (RFC 6750), else from the cookie.

export type PresentedAccess =
  | { readonly source: 'none' }
  | { readonly source: 'bearer' | 'cookie'; readonly token: string };

/** The token of an Authorization header (RFC 6750, section 2.1): null without one, empty for others, as DPoP. */
export const bearerOf = ({ headers: { authorization } }: Pick<FastifyRequest, 'headers'>): string | null =>
  authorization === undefined ? null : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');

/** Any Authorization header counts as a Bearer, if an invalid one: it never falls back to the cookie. */
export const presentedAccess = (request: CookieRequest): PresentedAccess => {
  const bearer = bearerOf(request);
  if (bearer !== null) return { source: 'bearer', token: bearer };
  const { accessToken } = readAuthCookies(request);
  return accessToken === undefined ? { source: 'none' } : { source: 'cookie', token: accessToken };
};

// Client address and user agent, as stored with a credential and counted by rate limits.

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a log
const unprintable = /[\u0000-\u001f\u007f-\u009f]/g;

/** The socket is closed and has no remote address. */
const unknownAddress = 'unknown';

/** The peer's address, or the one that a trusted proxy reports (TRUST_PROXY), without a port. */
export const addressOf = ({ ip }: { readonly ip: string | undefined }): string => plainAddress(ip ?? unknownAddress);

export const callerOf = (request: FastifyRequest): Caller => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent']?.replaceAll(unprintable, '') ?? null,
});

/** UNAVAILABLE when the database does not answer; null for a defect, and for the codes of a protocol. */
export const publicRefusalOf = (error: unknown): PublicRefusal | null => {
  const refusal = error instanceof DatabaseUnavailable ? unavailable() : error;
  return isPublicRefusal(refusal) ? refusal : null;
};

const unavailable = (): Refusal =>
  new Refusal('UNAVAILABLE', 'The service is briefly unavailable. Try again in a moment.');
