/** Operations that take a turn of a limit each time they are called: each alias is a call of its own. */
import type { RateLimit } from '../platform/rate-limit-table.ts';
import { limitsFor, takeTurnOfNetwork as takeTurn } from '../web/rate-limit-headers.ts';
import type { GraphqlContext, GraphqlServices } from './context.ts';

/** The services for an operation that takes turns itself. */
export const countedServices = ({ services, reply }: GraphqlContext): GraphqlServices => ({
  ...services,
  limits: limitsFor(reply, services.limits),
});

/** @throws Refusal RATE_LIMITED */
export const takeTurnOfNetwork = ({ services, request, reply }: GraphqlContext, limit: RateLimit): Promise<void> =>
  takeTurn({ limits: services.limits, request, reply }, limit);

/** @throws Refusal RATE_LIMITED */
export const takeTurnOfPerson = (
  { services, reply }: GraphqlContext,
  limit: RateLimit,
  userId: string,
): Promise<void> => limitsFor(reply, services.limits).take(limit, userId);
