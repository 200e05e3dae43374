/**
 * How a client learns what its limits are and how it stands with them: the headers RateLimit-Policy and RateLimit
 * (draft-ietf-httpapi-ratelimit-headers-11), on every answer to a request that took a turn, and Retry-After.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networkOf, siteOf } from '../kernel/network.ts';
import { type LimitState, paceOf } from '../platform/rate-limit/gcra.ts';
import type { RateLimit } from '../platform/rate-limit/rate-limit-table.ts';
import type { RateLimits } from '../platform/rate-limit/rate-limits.ts';
import { addressOf } from './authenticate-request.ts';

/** By the name of the limit, in the order in which turns were taken. */
type LimitStates = Map<string, LimitState>;

const decorator = 'standingsOfRequest';

/** Lets each request keep its standings; to be called once, before any takes a turn. */
export const registerRateLimitHeaders = (app: FastifyInstance): void => {
  app.decorateRequest(decorator, null);
};

/** The limits as a request takes turns of them: what it is left with stands in its answer. */
export const limitsFor = (reply: FastifyReply, limits: RateLimits): RateLimits =>
  limits.watchedBy((limitState) => note(reply, limitState));

/** What takes a turn of the network that a request came from. */
export interface CountedRequest {
  readonly limits: RateLimits;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** @throws Refusal RATE_LIMITED */
export const consumeNetworkPermit = ({ limits, request, reply }: CountedRequest, limit: RateLimit): Promise<void> =>
  limitsFor(reply, limits).take(limit, networkOf(addressOf(request)));

/** Limits that are counted together for the network that a request came from, and for the site of that network. */
export interface NetworkLimits {
  readonly network: RateLimit;
  readonly site: RateLimit;
}

/** Takes a permit of both, or of neither. @throws Refusal RATE_LIMITED */
export const takePermitsOfNetwork = (
  { limits, request, reply }: CountedRequest,
  { network, site }: NetworkLimits,
): Promise<void> => {
  const address = addressOf(request);
  return limitsFor(reply, limits).takeAll([
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

/** The burst, and the time in which a whole one comes back. */
const policyOf = ({ limit }: LimitState): string =>
  `"${limit.name}";q=${limit.burst};w=${Math.ceil(limit.burst * paceOf(limit).each)}`;

/** Turns that are left, and the time in which there are no more than that. */
const stateOf = ({ limit, remaining, nextSeconds }: LimitState): string =>
  `"${limit.name}";r=${remaining}${nextSeconds > 0 ? `;t=${nextSeconds}` : ''}`;

/** Tells whoever was refused when to come back: the last of these instants. */
export const tellWhenToRetry = (
  reply: FastifyReply,
  details: readonly { readonly retryAfterSeconds?: number }[],
): void => {
  const seconds = details.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  if (seconds.length > 0) reply.header('retry-after', String(Math.max(...seconds)));
};
