/** What resolvers get to see of a request: who acts, how they came, and the parts that operations need. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../domain/access/authenticate.ts';
import type { PaymentProvider } from '../domain/billing/checkout.ts';
import type { CredentialLifetimes } from '../domain/credentials/issue-pair.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import {
  type Identified,
  identify,
  nobody,
  type PresentedAccess,
  presentedAccess,
} from '../http-kit/authenticate-request.ts';
import { consumeNetworkPermit as consumePermit, limitsFor } from '../http-kit/rate-limit-headers.ts';
import type { Keyring } from '../kernel/secrets.ts';
import type { Database } from '../platform/database/database.ts';
import type { HelperSessions } from '../platform/helper-sessions.ts';
import type { Intervals } from '../platform/intervals.ts';
import type { MailQueue } from '../platform/mail/outbox.ts';
import type { Logger } from '../platform/observability/logger.ts';
import type { PasswordHasher } from '../platform/passwords/password-hasher.ts';
import type { RateLimit } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';
import type { OperationFacts } from './documents.ts';

/** The parts of the running service that the operations of this surface are called with. */
export interface GraphqlServices {
  readonly database: Database;
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'remember'>;
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
  readonly intervals: Intervals;
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
    readonly externalProvider: { readonly displayName: string } | null;
  };
}

interface RequestFacts {
  readonly services: GraphqlServices;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly access: PresentedAccess;
  readonly operation: OperationFacts;
}

/** With the actor, or with the reason why there is none, which the logged-in guard throws. */
export type GraphqlContext = RequestFacts & Identified;

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
  const facts = { services, request, reply, access, operation };
  if (access.source === 'none' || needsNoActor(operation.rootFields)) return { ...facts, ...nobody };
  return { ...facts, ...(await identify(services, request, access, operation.kind === 'mutation')) };
};

// The mutations that mint, consume or check secrets, in one list: each stands alone in its request (contract,
// "Errors"). A new one belongs here before anywhere else.

/** Whether an access credential is looked at before it runs; if not, no Origin refuses it either. */
const credentialMutations: Readonly<Record<string, { readonly looksAtAccess: boolean }>> = {
  signUpWithPassword: { looksAtAccess: false },
  validateEmail: { looksAtAccess: false },
  resendVerification: { looksAtAccess: false },
  rejectSignUp: { looksAtAccess: false },
  confirmSignUp: { looksAtAccess: false },
  signInWithPassword: { looksAtAccess: false },
  // Checks its own tokens, and the Origin when those come from cookies.
  refreshAccessToken: { looksAtAccess: false },
  // For logged-out callers alone.
  completeInvitedProfile: { looksAtAccess: true },
  // Who is signed in decides whether it is the same person.
  exchangeAuthTokens: { looksAtAccess: true },
  switchOrganization: { looksAtAccess: true },
};

export const loneMutations: ReadonlySet<string> = new Set(Object.keys(credentialMutations));

/** Whether nobody is authenticated for an operation with these root fields. */
export const needsNoActor = (rootFields: readonly string[]): boolean =>
  rootFields.every((field) => credentialMutations[field]?.looksAtAccess === false);

// Operations that take a turn of a limit each time they are called: each alias is a call of its own.

/** The services for an operation that takes turns itself. */
export const countedServices = ({ services, reply }: GraphqlContext): GraphqlServices => ({
  ...services,
  limits: limitsFor(reply, services.limits),
});

/** @throws Refusal RATE_LIMITED */
export const consumeNetworkPermit = ({ services, request, reply }: GraphqlContext, limit: RateLimit): Promise<void> =>
  consumePermit({ limits: services.limits, request, reply }, limit);

/** @throws Refusal RATE_LIMITED */
export const consumeUserPermit = (
  { services, reply }: GraphqlContext,
  limit: RateLimit,
  userId: string,
): Promise<void> => limitsFor(reply, services.limits).take(limit, userId);
