/**
 * Authenticates a request: from the access token that it presents to the actor, or to the reason why there is none.
 * Every surface with the portal's cookies or a Bearer asks here (specification, "Authentication" and "HTTP routes").
 */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Authenticator } from '../domain/access/authenticate.ts';
import type { Caller } from '../domain/credentials/issue-pair.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import { Refusal } from '../kernel/errors.ts';
import { plainAddress } from '../kernel/network.ts';
import { DatabaseUnavailable } from '../platform/database/database.ts';
import { traced } from '../platform/observability/context.ts';
import { type CookieRequest, readAuthCookies } from './cookies.ts';
import { type OriginSettings, requirePortalOrigin } from './origins.ts';

// Who acts in a request: the steps from the token that it presents to the actor, or to the reason why there is none.
// GraphQL and every other route that takes the portal's cookies or a program's Bearer asks here, so that none of them
// decides otherwise (specification, "Authentication" and "HTTP routes").

export interface IdentifyDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly lastSeen: Pick<LastSeenRecorder, 'note'>;
  readonly settings: OriginSettings & { readonly graphqlAudiences: readonly string[] };
}

/** What is looked at beside the token. */
export type IdentifiedRequest = Pick<FastifyRequest, 'headers' | 'ip'>;

export type Identified =
  | { readonly actor: Actor; readonly refusal: null }
  | { readonly actor: null; readonly refusal: Refusal };

/** For a request that presents no token. */
export const nobody: Identified = {
  actor: null,
  refusal: new Refusal('UNAUTHENTICATED', 'You are not signed in.'),
};

/**
 * The actor, or why nobody acts. Of the audiences that GraphQL accepts; a Bearer that is refused never falls back to the
 * cookie.
 * @param mayChange whether the request can change anything: cookies then count from the portal's origins alone
 * @throws Refusal ORIGIN_REFUSED (specification, "Authentication" 8)
 * @throws DatabaseUnavailable when storage does not answer; never "nobody"
 */
export const identify = async (
  { authenticator, lastSeen, settings }: IdentifyDeps,
  request: IdentifiedRequest,
  access: PresentedAccess,
  mayChange: boolean,
): Promise<Identified> => {
  if (access.source === 'none') return nobody;
  if (access.source === 'cookie' && mayChange) requirePortalOrigin(request, settings);
  try {
    const actor = await traced(
      () => ({ name: 'authenticate' }),
      () => authenticator.authenticate(access.token, settings.graphqlAudiences),
    );
    lastSeen.note(actor.credential.id, addressOf(request));
    return { actor, refusal: null };
  } catch (error) {
    if (error instanceof Refusal) return { actor: null, refusal: error };
    throw error;
  }
};

// Where a request's access token stands: the Authorization header (RFC 6750), else the cookie; Bearer wins.

export type PresentedAccess =
  | { readonly source: 'none' }
  | { readonly source: 'bearer' | 'cookie'; readonly token: string };

/** An Authorization header of any other shape counts as an invalid Bearer: it never falls back to the cookie. */
export const presentedAccess = (request: CookieRequest): PresentedAccess => {
  const header = request.headers.authorization;
  if (header !== undefined) return { source: 'bearer', token: /^Bearer +(\S+) *$/i.exec(header)?.[1] ?? '' };
  const { accessToken } = readAuthCookies(request);
  return accessToken === undefined ? { source: 'none' } : { source: 'cookie', token: accessToken };
};

// The facts of a request that a credential remembers, and that limits count.

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these must not reach the database or a log
const unprintable = /[\u0000-\u001f\u007f-\u009f]/g;

/** Of a peer that is gone by now: its connection does not tell any more. */
const unknownAddress = 'unknown';

/** The peer's address, or the one that a trusted proxy names (TRUST_PROXY), without a port. */
export const addressOf = ({ ip }: { readonly ip: string | undefined }): string => plainAddress(ip ?? unknownAddress);

export const callerOf = (request: FastifyRequest): Caller => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent']?.replaceAll(unprintable, '') ?? null,
});

// Which errors are refusals to every surface: those that say so, and a database that does not answer.

/** The refusal to show for an error, or null for a defect. */
export const refusalOf = (error: unknown): Refusal | null => {
  if (error instanceof Refusal) return error;
  return error instanceof DatabaseUnavailable
    ? new Refusal('UNAVAILABLE', 'The service is briefly unavailable. Try again in a moment.')
    : null;
};
