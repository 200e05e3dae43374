/** The GraphQL context of a request: its actor, the delivery of its answer, and the services that operations use. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../domain/access/authenticate.ts';
import type { Intervals, OperationSettings, Services } from '../domain/access/deps.ts';
import type { PaymentProvider } from '../domain/billing/checkout.ts';
import type { LastSeenRecorder } from '../domain/credentials/last-seen.ts';
import type { TokenNetworks } from '../domain/machine-tokens/token-networks.ts';
import {
  type Identified,
  identify,
  type PresentedAccess,
  presentedAccess,
  signedOut,
} from '../http-kit/authenticate-request.ts';
import type { ExchangeCookieSettings } from '../http-kit/exchange-cookie.ts';
import type { HelperCookieSettings } from '../http-kit/helper-session.ts';
import type { FrontEndSettings } from '../http-kit/origins.ts';
import { consumeNetworkPermit, consumeNetworkPermits, limitsFor } from '../http-kit/rate-limit-headers.ts';
import { nameParty } from '../platform/observability/context.ts';
import { type RateLimit, rateLimits } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';
import type { OperationInfo } from './documents.ts';

/** The services that operations of this surface are called with. */
export interface GraphqlServices extends Omit<Services, 'provider'> {
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'remember'>;
  readonly lastSeen: LastSeenRecorder;
  readonly tokenNetworks: TokenNetworks;
  /** Null when no plans are sold. */
  readonly payments: PaymentProvider | null;
  readonly intervals: Intervals;
  readonly settings: OperationSettings & ExchangeCookieSettings & HelperCookieSettings & FrontEndSettings;
}

interface RequestFacts {
  readonly services: GraphqlServices;
  readonly limits: RateLimits;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly access: PresentedAccess;
  readonly operation: OperationInfo;
}

/** Holds the actor, or the refusal that the logged-in guard throws. */
export type GraphqlContext = RequestFacts & Identified;

interface ReceivedOperation extends Pick<RequestFacts, 'request' | 'reply' | 'operation'> {
  /** Whether the access credential is checked; otherwise the operation runs unauthenticated. */
  readonly needsActor: boolean;
  /** Whether it does nothing but sign a person in, or keep them signed in. */
  readonly signsIn: boolean;
}

/**
 * Checks the Origin of cookie-authenticated requests, then authenticates.
 * @throws Refusal ORIGIN_REFUSED: a cookie comes from another origin (contract/credentials.md#allowed-origins)
 */
export const createContext = async (
  services: GraphqlServices,
  { request, reply, operation, needsActor, signsIn }: ReceivedOperation,
): Promise<GraphqlContext> => {
  nameParty({ signsIn });
  const access = presentedAccess(request);
  const facts = { services, limits: services.limits, request, reply, access, operation };
  if (access.source === 'none' || !needsActor) return { ...facts, ...signedOut };
  return { ...facts, ...(await identify(services, request, access, accepted(operation))) };
};

/** The guards decide which operations a machine may use. */
const accepted = ({ kind }: OperationInfo) => ({ mayChange: kind === 'mutation', machines: true });

// Rate-limit permits for operations: each call consumes one, and each alias is a separate call.

/** The services for an operation that consumes permits itself. */
export const countedServices = ({ services, reply }: GraphqlContext): GraphqlServices => ({
  ...services,
  limits: limitsFor(reply, services.limits),
});

/** The limits of which a call takes a permit before its resolver. */
export interface Permits {
  /** `none`: not even a signed-in caller needs the permit that every mutation takes of its actor. */
  readonly mutation?: 'none';
  readonly network?: RateLimit;
  /** Counted together with that of the network. */
  readonly site?: RateLimit;
  /** For operations whose guard requires an actor. */
  readonly user?: RateLimit;
}

/** Takes the permits of a root field, of a mutation first its actor's; then runs it. @throws Refusal RATE_LIMITED */
export const withPermits = <Result>(
  context: GraphqlContext,
  permits: Permits,
  run: () => Result,
): Result | Promise<Awaited<Result>> => {
  const { actor, operation } = context;
  const isCounted = actor !== null && operation.kind === 'mutation' && permits.mutation !== 'none';
  const { network, user } = permits;
  if (!isCounted && network === undefined && user === undefined) return run();
  return after(takePermits(context, permits, isCounted), run);
};

const takePermits = async (
  context: GraphqlContext,
  { network, site, user }: Permits,
  isCounted: boolean,
): Promise<void> => {
  if (isCounted) await consumeUserPermit(context, rateLimits.mutation);
  if (network !== undefined && site !== undefined) await consumeNetworkPermits(context, { network, site });
  else if (network !== undefined) await consumeNetworkPermit(context, network);
  if (user !== undefined) await consumeUserPermit(context, user);
};

const after = async <Result>(permit: Promise<void>, run: () => Result): Promise<Awaited<Result>> => {
  await permit;
  return await run();
};

const consumeUserPermit = async ({ services, reply, actor }: GraphqlContext, limit: RateLimit): Promise<void> => {
  if (actor !== null) await limitsFor(reply, services.limits).consume(limit, actor.user.id);
};
