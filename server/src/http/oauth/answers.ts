/**
 * How the endpoints that clients call themselves answer a refusal or a failure: as JSON with `error` and
 * `error_description` (RFC 6749, section 5.2; RFC 7591, section 3.2.2), and how each attempt is noted.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionRule, ConnectionStep } from '../../domain/connections/steps.ts';
import { type OAuthErrorCode, OAuthRefusal } from '../../domain/oauth/oauth-refusal.ts';
import { Refusal } from '../../kernel/errors.ts';
import { noteStep, type StepDeps } from '../../web/connection-step.ts';
import { refusalOf } from '../../web/refusal-of.ts';

/** Nothing of an answer may be kept by anybody (RFC 6749, section 5.1). */
export const unstored = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });

const answer = (reply: FastifyReply, status: number, error: string, description: string): FastifyReply =>
  unstored(reply).status(status).send({ error, error_description: description });

const unreadable: ReadonlyMap<number, string> = new Map([
  [413, 'The body is too large.'],
  [415, 'The body is not of a type that is taken here.'],
]);

/** @param malformed what a request that cannot even be read is called at this endpoint */
export const answerFailures = (scope: FastifyInstance, malformed: OAuthErrorCode): void => {
  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    if (error instanceof OAuthRefusal) return answerRefusal(error, request, reply);
    const refusal = refusalOf(error);
    if (refusal !== null) return answerUnavailable(refusal, reply);
    const { statusCode: status = 500 } = error;
    if (status < 500) return answer(reply, status, malformed, unreadable.get(status) ?? 'This request cannot be read.');
    request.log.error({ event: 'request.failed', err: error, correlationId: request.id }, 'A request failed');
    return answer(reply, 500, 'server_error', `Something went wrong on our side. Tell the operator: ${request.id}`);
  });
};

const answerRefusal = (
  { error, message }: OAuthRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const isUnauthorized = error === 'invalid_client';
  // A client that tried the header is told so in the header (RFC 6749, section 5.2).
  if (isUnauthorized && request.headers.authorization !== undefined) {
    reply.header('www-authenticate', 'Basic realm="gatehouse"');
  }
  return answer(reply, isUnauthorized ? 401 : 400, error, message);
};

/** Too many, or no database: both pass, and the protocol has one word for them. */
const answerUnavailable = ({ status, message, details }: Refusal, reply: FastifyReply): FastifyReply => {
  const { retryAfterSeconds } = details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return answer(reply, status, 'temporarily_unavailable', message);
};

/** What came of a step. */
export interface Outcome {
  readonly clientId: string | null;
  /** Null: the step was passed. */
  readonly refused: { readonly rule: ConnectionRule; readonly detail: string | null } | null;
}

/**
 * Takes a step and notes it: passed, or refused by which rule. What failed through no rule is not noted.
 * @param clientId as the request names it, or null
 * @param outcomeOf what the result says of the step, where that is more than that it was passed
 */
export const noted = async <T>(
  deps: StepDeps,
  request: FastifyRequest,
  { step, clientId }: { readonly step: ConnectionStep; readonly clientId: string | null },
  take: () => Promise<T>,
  outcomeOf: (result: T) => Outcome = () => ({ clientId, refused: null }),
): Promise<T> => {
  try {
    const result = await take();
    const outcome = outcomeOf(result);
    noteStep(deps, request, step, outcome.clientId, outcome.refused);
    return result;
  } catch (error) {
    const refused = refusalIn(error);
    if (refused !== null) noteStep(deps, request, step, refused.rule === 'client_unknown' ? null : clientId, refused);
    throw error;
  }
};

const refusalIn = (error: unknown): Outcome['refused'] => {
  if (error instanceof OAuthRefusal) return error;
  return error instanceof Refusal && error.code === 'RATE_LIMITED' ? { rule: 'rate_limited', detail: null } : null;
};
