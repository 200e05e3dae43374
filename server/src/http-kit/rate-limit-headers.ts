/**
 * Rate-limit headers: RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11) on every response to a
 * request that consumed a permit, and Retry-After.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../kernel/network.ts';
import { type LimitState, paceOf } from '../platform/rate-limit/gcra.ts';
import type { RateLimit } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';
import { addressOf } from './authenticate-request.ts';

/** Keyed by limit name, in the order in which permits were consumed. */
type LimitStates = Map<string, LimitState>;

const decorator = 'rateLimitStates';

/** Decorates requests with their limit states. Call once, before any permit is consumed. */
export const registerRateLimitHeaders = (app: FastifyInstance): void => {
  app.decorateRequest(decorator, null);
};

/** Wraps the limits so that the state after each permit is written to the response headers. */
export const limitsFor = (reply: FastifyReply, limits: RateLimits): RateLimits =>
  limits.watchedBy((limitState) => note(reply, limitState));

interface CountedRequest {
  readonly limits: RateLimits;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** @throws Refusal RATE_LIMITED: when no permit is left */
export const consumeNetworkPermit = ({ limits, request, reply }: CountedRequest, limit: RateLimit): Promise<void> =>
  limitsFor(reply, limits).consume(limit, networkOf(addressOf(request)));

/** Limits counted together: one for the client's network, one for the site that contains it. */
export interface NetworkLimits {
  readonly network: RateLimit;
  readonly site: RateLimit;
}

/** Consumes a permit of both limits, or of neither. @throws Refusal RATE_LIMITED: either has none left */
export const consumeNetworkPermits = (
  { limits, request, reply }: CountedRequest,
  { network, site }: NetworkLimits,
): Promise<void> => {
  const address = addressOf(request);
  return limitsFor(reply, limits).consumeAll([
    { limit: network, subject: networkOf(address) },
    { limit: site, subject: siteOf(address) },
  ]);
};

const note = (reply: FastifyReply, limitState: LimitState): void => {
  const { request } = reply;
  const known = request.getDecorator<LimitStates | null>(decorator) ?? new Map<string, LimitState>();
  request.setDecorator<LimitStates>(decorator, known.set(limitState.limit.name, limitState));
  const all = [...known.values()];
  reply.header('ratelimit-policy', all.map(policyOf).join(', '));
  reply.header('ratelimit', all.map(stateOf).join(', '));
};

/** Quota (`q`) and the window (`w`) in which a full burst is restored. */
const policyOf = ({ limit }: LimitState): string =>
  `"${limit.name}";q=${limit.burst};w=${Math.ceil(limit.burst * paceOf(limit).each)}`;

/** Remaining permits (`r`) and the seconds until the next one is restored (`t`). */
const stateOf = ({ limit, remaining, nextSeconds }: LimitState): string =>
  `"${limit.name}";r=${remaining}${nextSeconds > 0 ? `;t=${nextSeconds}` : ''}`;

/** Sets Retry-After to the longest wait among the refusals. */
export const setRetryAfter = (
  reply: FastifyReply,
  details: readonly { readonly retryAfterSeconds?: number }[],
): void => {
  const seconds = details.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  if (seconds.length > 0) reply.header('retry-after', String(Math.max(...seconds)));
};
