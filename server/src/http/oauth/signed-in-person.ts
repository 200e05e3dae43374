/**
 * Who is signed in to the portal in this browser. Only the cookie counts: a token in a header was given to a program, and
 * no program may answer for a person.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../domain/access/actor.ts';
import type { Authenticator } from '../../domain/access/authenticate.ts';
import type { LastSeenRecorder } from '../../domain/credentials/last-seen.ts';
import { Refusal } from '../../kernel/errors.ts';
import { addressOf } from '../../web/caller.ts';
import { readAuthCookies } from '../../web/cookies.ts';
import { continuePath } from './browser-binding.ts';

export interface SignedInDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly lastSeen: Pick<LastSeenRecorder, 'note'>;
  /**
   * The audiences that GraphQL accepts. The same as the portal's own, or each would send the person to the other for
   * ever.
   */
  readonly settings: { readonly graphqlAudiences: readonly string[] };
}

/** Null also when the access token's time is over: the portal renews it and comes back. */
export const findSignedInPerson = async (
  { authenticator, lastSeen, settings }: SignedInDeps,
  request: FastifyRequest,
): Promise<Actor | null> => {
  const { accessToken } = readAuthCookies(request);
  if (accessToken === undefined) return null;
  try {
    const actor = await authenticator.authenticate(accessToken, settings.graphqlAudiences);
    lastSeen.note(actor.credential.id, addressOf(request));
    return actor;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};

/** To the portal, which comes back with a full page load once somebody is signed in (specification, "HTTP routes"). */
export const detourToSignIn = (
  reply: FastifyReply,
  { frontendUrl }: { readonly frontendUrl: string },
  requestId: string,
  status: 302 | 303,
): FastifyReply => reply.redirect(`${frontendUrl}/signin?redirect=${continuePath(requestId)}`, status);
