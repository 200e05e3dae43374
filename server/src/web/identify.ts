/**
 * Who acts in a request: the steps from the token that it presents to the actor, or to the reason why there is none.
 * GraphQL and every other route that takes the portal's cookies or a program's Bearer asks here, so that none of them
 * decides otherwise (specification, "Authentication" and "HTTP routes").
 */
import type { FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Authenticator } from '../domain/access/authenticate.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import { Refusal } from '../kernel/errors.ts';
import { traced } from '../platform/tracing.ts';
import type { PresentedAccess } from './bearer.ts';
import { addressOf } from './caller.ts';
import { type OriginSettings, requirePortalOrigin } from './origins.ts';

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
