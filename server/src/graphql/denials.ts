/** Reports failed operations: annotates the trace of each, and logs those that were denied. */
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http-kit/authenticate-request.ts';
import { annotate } from '../platform/observability/context.ts';
import type { LogThrottle } from '../platform/observability/log-throttle.ts';
import type { Logger } from '../platform/observability/logger.ts';
import type { GraphqlContext } from './context.ts';
import type { Ran } from './endpoint.ts';
import type { ShownError } from './error-format.ts';

const denials: ReadonlySet<string> = new Set(['FORBIDDEN', 'ORIGIN_REFUSED']);
/** Counts authenticated callers alone: a sign-in that waits for its second factor has an event of its own. */
const denialsOfCallers: ReadonlySet<string> = new Set([...denials, 'SECOND_FACTOR_REQUIRED']);

interface Denials {
  readonly logger: Logger;
  readonly refusals: LogThrottle;
}

/** One line per request of an authenticated caller; denials of unauthenticated callers are aggregated. */
export const recordFailure = (
  { logger, refusals }: Denials,
  errors: readonly ShownError[],
  request: FastifyRequest,
  ran?: Ran<GraphqlContext>,
): void => {
  annotate({ 'graphql.error.code': errors[0]?.extensions.code ?? 'unknown' });
  const actor = ran?.context.actor ?? null;
  const counted = actor === null ? denials : denialsOfCallers;
  const code = errors.map(({ extensions }) => extensions.code).find((each) => counted.has(each));
  if (code === undefined) return;
  const operation = ran?.operation.rootFields.join() ?? null;
  const facts = { event: 'access.denied', code, operation, ip: addressOf(request) } as const;
  const message = 'An operation was denied';
  if (actor === null)
    refusals.note(code, (count) =>
      logger.info({ ...facts, userId: null, credentialId: null, refusals: count }, message),
    );
  else logger.info({ ...facts, userId: actor.user.id, credentialId: actor.credential.id }, message);
};
