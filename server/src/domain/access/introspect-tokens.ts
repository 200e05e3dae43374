/** Introspection: what an access token grants at a resource of the application now (RFC 7662, section 2.2). */
import { Refusal } from '../../kernel/errors.ts';
import { withinDeadline } from '../../platform/database/deadlines.ts';
import { outsideContext } from '../../platform/observability/context.ts';
import type { LastSeenRecorder } from '../credentials/last-seen.ts';
import { isMachineToken, machineAudience } from '../credentials/token.ts';
import type { Resource } from '../scopes/application.ts';
import { type Actor, type ActorKind, isServiceAccount, kindOf, scopesOfActor, usableMembership } from './actor.ts';
import type { Authenticator } from './authenticate.ts';
import { requireAcceptedMachine } from './machine-actor.ts';

/** A token that is not for this resource, or not accepted now. Says nothing else. */
interface InactiveToken {
  readonly active: false;
}

/** The claims of RFC 7662, and those of the membership; what does not apply is absent. */
interface ActiveToken {
  readonly active: true;
  readonly sub: string;
  readonly username: string;
  readonly client_id?: string;
  /** Space-separated; granted, held now, and of the resource. May be empty. */
  readonly scope: string;
  readonly aud: string;
  /** Seconds since 1970, like `iat`. */
  readonly exp: number;
  readonly iat: number;
  readonly token_type: 'Bearer';
  readonly organization_id?: string;
  readonly membership_id?: string;
  readonly role?: string;
  readonly actor_kind: ActorKind;
}

/** Where the networks that tokens are used from are noted: `TokenNetworks`. */
interface NetworkNotes {
  note(actor: Actor, ip: string | null): void;
}

export interface IntrospectionDeps {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly lastSeen: Pick<LastSeenRecorder, 'note'>;
  readonly tokenNetworks: NetworkNotes;
  /** ORGANIZATION_MCP_ENABLED: without it, a resource gets no tokens, and those that exist are inactive. */
  readonly forOrganizations: boolean;
}

/**
 * Decides on each token by durable storage; tokens asked for together share a statement.
 * @param resource the tokens' audience
 * @param client the address of the resource's client, if the resource names it: policies may ask for it
 * @returns one answer for each token, in order
 * @throws DatabaseUnavailable: nothing is known of any token
 */
export const introspectTokens = (
  deps: IntrospectionDeps,
  resource: Resource,
  tokens: readonly string[],
  client: string | null,
): Promise<readonly (ActiveToken | InactiveToken)[]> =>
  // One deadline for all of them: a timer for each token would cost as much as its look-up.
  withinDeadline(Number.POSITIVE_INFINITY, () =>
    outsideContext(() => Promise.all(tokens.map((token) => introspect(deps, resource, token, client)))),
  );

const introspect = async (
  { authenticator, lastSeen, tokenNetworks, forOrganizations }: IntrospectionDeps,
  resource: Resource,
  token: string,
  client: string | null,
): Promise<ActiveToken | InactiveToken> => {
  try {
    const isMachine = resource.machineTokens && isMachineToken(token);
    if (!(isMachine || forOrganizations)) return { active: false };
    const actor = await authenticator.authenticate(token, [isMachine ? machineAudience : resource.url]);
    requireAcceptedMachine(actor, client);
    // A rotation asks whether a secret was used, and the list of connected clients when.
    if (isMachine || actor.credential.clientId !== null) lastSeen.note(actor.credential.id, client);
    tokenNetworks.note(actor, client);
    return claimsOf(actor, resource);
  } catch (error) {
    if (error instanceof Refusal) return { active: false };
    throw error;
  }
};

const claimsOf = (actor: Actor, resource: Resource): ActiveToken => {
  const { application, user, credential } = actor;
  // A resource that decides by role would let in a client that the organization refuses.
  const membership = credential.isClientRefused ? null : usableMembership(actor);
  const held = scopesOfActor(actor);
  return {
    active: true,
    sub: user.id,
    username: isServiceAccount(actor) ? user.name : user.email,
    ...(credential.clientId === null ? {} : { client_id: credential.clientMetadataUrl ?? credential.clientId }),
    // A session without scopes is not limited; a token for a resource has those alone that were granted to it.
    scope: resource.scopes.filter((scope) => credential.scopes.includes(scope) && held.has(scope)).join(' '),
    aud: resource.url,
    exp: inSeconds(credential.expiresAt),
    iat: inSeconds(credential.issuedAt),
    token_type: 'Bearer',
    ...(membership === null
      ? {}
      : {
          organization_id: membership.organization.id,
          ...(isServiceAccount(actor)
            ? {}
            : { membership_id: membership.id, role: application.shownRole(membership.role) }),
        }),
    actor_kind: kindOf(actor),
  };
};

const inSeconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);
