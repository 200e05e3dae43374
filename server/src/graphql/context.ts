/** What resolvers get to see of a request: who acts, how they came, and the parts that operations need. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../domain/access/actor.ts';
import type { Authenticator } from '../domain/access/authenticate.ts';
import type { PaymentProvider } from '../domain/billing/payment-provider.ts';
import type { CredentialLifetimes } from '../domain/credentials/issue-pair.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import { Refusal } from '../kernel/errors.ts';
import type { Keyring } from '../kernel/secrets.ts';
import type { Database } from '../platform/database/database.ts';
import type { HelperSessions } from '../platform/helper-sessions.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail/outbox.ts';
import type { PasswordHasher } from '../platform/password-hasher.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { type PresentedAccess, presentedAccess } from '../web/bearer.ts';
import { mayUseCookies } from '../web/origins.ts';
import { needsNoActor } from './credential-mutations.ts';
import type { OperationFacts } from './documents.ts';

/** The parts of the running service that the operations of this surface are called with. */
export interface GraphqlServices {
  readonly database: Database;
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly lastSeen: LastSeenRecorder;
  readonly passwords: PasswordHasher;
  readonly mail: MailQueue;
  readonly keyring: Keyring;
  readonly helperSessions: HelperSessions;
  readonly limits: RateLimits;
  readonly logger: Logger;
  /** Null where plans are not sold. */
  readonly payments: PaymentProvider | null;
  readonly lifetimes: CredentialLifetimes;
  readonly settings: {
    readonly baseUrl: string;
    readonly frontendUrl: string;
    readonly authCookieDomain: string | undefined;
    readonly sessionCookieDomain: string | undefined;
    readonly graphqlAudiences: readonly string[];
    readonly emailVerificationEnabled: boolean;
    readonly passwordBlocklist: boolean;
    readonly saltRounds: number;
    readonly defaultProduct: string | null;
  };
}

export interface GraphqlContext {
  readonly services: GraphqlServices;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly access: PresentedAccess;
  readonly actor: Actor | null;
  /** Why there is no actor; thrown by the logged-in guard. */
  readonly refusal: Refusal;
}

const notSignedIn = new Refusal('UNAUTHENTICATED', 'You are not signed in.');

/**
 * Builds the context of one request: refuses what cookies may not do from this origin, and authenticates.
 * @throws Refusal ORIGIN_REFUSED (specification, "Authentication" 8)
 */
export const createContext = async (
  services: GraphqlServices,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: OperationFacts,
): Promise<GraphqlContext> => {
  const access = presentedAccess(request);
  const base = { services, request, reply, access };
  if (access.source === 'none' || needsNoActor(operation.rootFields)) {
    return { ...base, actor: null, refusal: notSignedIn };
  }
  if (access.source === 'cookie' && operation.kind === 'mutation') requirePortalOrigin(request, services.settings);
  return { ...base, ...(await authenticate(services, request, access.token)) };
};

export const requirePortalOrigin = (
  request: FastifyRequest,
  settings: { readonly baseUrl: string; readonly frontendUrl: string },
): void => {
  if (mayUseCookies(request, settings)) return;
  throw new Refusal('ORIGIN_REFUSED', 'This request did not come from the portal, so its cookies do not count.');
};

const authenticate = async (
  services: GraphqlServices,
  request: FastifyRequest,
  token: string,
): Promise<Pick<GraphqlContext, 'actor' | 'refusal'>> => {
  try {
    const actor = await services.authenticator.authenticate(token, services.settings.graphqlAudiences);
    services.lastSeen.note(actor.credential.id, request.ip);
    return { actor, refusal: notSignedIn };
  } catch (error) {
    if (error instanceof Refusal) return { actor: null, refusal: error };
    throw error;
  }
};
