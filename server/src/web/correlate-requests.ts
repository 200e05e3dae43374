/** Gives each request its correlation id: in a header of the answer, and in every line that is logged meanwhile. */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { during, type Work, workInProgress } from '../platform/correlation.ts';
import type { Database } from '../platform/database/database.ts';
import { requestMillis } from '../platform/database/time-limits.ts';
import { WaitBudget } from '../platform/database/wait-budget.ts';
import type { BeginRequestSpan } from './request-spans.ts';

export const correlationHeader = 'x-correlation-id';

const decorator = 'workOfRequest';

/**
 * Before every other hook: they, and the handlers, run as part of the request.
 * @param beginSpan null where no spans are taken
 * @param engine a network stands between us and PostgreSQL, and so each request has a limit to its waits there
 */
export const correlateRequests = (
  app: FastifyInstance,
  engine: Database['engine'],
  beginSpan: BeginRequestSpan | null = null,
): void => {
  app.decorateRequest(decorator, null);
  app.addHook('onRequest', (request, reply, done) => {
    const known = engine === 'postgres' ? limited(request.id, reply.raw) : { correlationId: request.id };
    const span = beginSpan?.(request, reply);
    const work = span === undefined ? known : { ...known, span };
    request.setDecorator<Work>(decorator, work);
    reply.header(correlationHeader, request.id);
    during(work, done);
  });
  // What comes after a body has been read runs where the connection was made, and has to be led back.
  app.addHook('preValidation', (request, _reply, done) => {
    const work = request.getDecorator<Work>(decorator);
    if (workInProgress() === work) done();
    else during(work, done);
  });
};

const limited = (correlationId: string, response: ServerResponse): Work => {
  const waits = new WaitBudget(requestMillis);
  // Comes after every answer, also after one that the client did not wait for.
  response.once('close', () => waits.end());
  return { correlationId, waits };
};
