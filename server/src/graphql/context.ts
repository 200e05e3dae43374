/** What resolvers get to see of a request: who acts, how they came, and the parts that operations need. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../domain/access/authenticate.ts';
import type { PaymentProvider } from '../domain/billing/payment-provider.ts';
import type { CredentialLifetimes } from '../domain/credentials/issue-pair.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import type { Keyring } from '../kernel/secrets.ts';
import type { Database } from '../platform/database/database.ts';
import type { HelperSessions } from '../platform/helper-sessions.ts';
import type { Intervals } from '../platform/intervals.ts';
import type { Logger } from '../platform/logger.ts';
import type { MailQueue } from '../platform/mail/outbox.ts';
import type { PasswordHasher } from '../platform/password-hasher.ts';
import type { RateLimits } from '../platform/rate-limits.ts';
import { type PresentedAccess, presentedAccess } from '../web/bearer.ts';
import { type Identified, identify, nobody } from '../web/identify.ts';
import { needsNoActor } from './credential-mutations.ts';
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
