/** Shared by the OAuth endpoints: responses and errors (RFC 6749, section 5), the form of a public client, and CORS. */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../domain/access/deps.ts';
import type { ConnectionStep } from '../../domain/client-onboarding/steps.ts';
import { malformedRequest, type RequestParameters, readOnce } from '../../domain/oauth/authorization-request.ts';
import type { OAuthDeps } from '../../domain/oauth/clients.ts';
import { type IdentifyDeps, publicRefusalOf } from '../../http-kit/authenticate-request.ts';
import { type RefusedBy, recordStep, refusedBy, type StepDeps } from '../../http-kit/connection-step.ts';
import { shareResponses } from '../../http-kit/cors.ts';
import type { BodyBudget } from '../../http-kit/request-bodies.ts';
import { readForm } from '../../http-kit/request-content.ts';
import { isOAuthRefusal, type OAuthErrorCode, type OAuthRefusal, Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Counts } from '../../platform/observability/metrics.ts';
import type { RateLimits } from '../../platform/rate-limit/rate-limits.ts';

/** Dependencies of the routes of the authorization server. */
export interface OAuthRouteDeps extends OAuthDeps, IdentifyDeps, StepDeps, Deps<'application'> {
  readonly keyring: Keyring;
  readonly limits: RateLimits;
  /** Memory budget for unauthenticated bodies. */
  readonly bodies: BodyBudget;
  /** Scopes of the tools at /mcp/organization; null while it does not exist. */
  readonly organizationScopes: readonly string[] | null;
  /** Null when metrics are off. */
  readonly counts: Pick<Counts, 'tokenRequests'> | null;
  readonly settings: OAuthDeps['settings'] &
    IdentifyDeps['settings'] &
    Pick<Config, 'authCookieDomain' | 'refreshTtlSeconds'>;
}

// Errors of the endpoints that clients call: JSON with `error` and `error_description` (RFC 6749, section 5.2; RFC
// 7591, section 3.2.2). Each attempt is logged.

/** Responses must not be cached (RFC 6749, section 5.1). */
export const unstored = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });

const answer = (reply: FastifyReply, status: number, error: string, description: string): FastifyReply =>
  unstored(reply).status(status).send({ error, error_description: description });

const unreadable: ReadonlyMap<number, string> = new Map([
  [413, 'The body is too large.'],
  [415, 'The content type of the body is not supported.'],
]);

/** @param malformed the error code for a request that cannot be parsed at this endpoint */
export const answerFailures = (scope: FastifyInstance, malformed: OAuthErrorCode): void => {
  scope.setErrorHandler<FastifyError>((error, request, reply) => {
    if (isOAuthRefusal(error)) return answerRefusal(error, request, reply);
    const refusal = publicRefusalOf(error);
    if (refusal !== null) return answerUnavailable(refusal, reply);
    const { statusCode: status = 500 } = error;
    if (status < 500) return answer(reply, status, malformed, unreadable.get(status) ?? 'This request cannot be read.');
    request.log.error({ event: 'request.failed', err: error, correlationId: request.id }, 'A request failed');
    return answer(
      reply,
      500,
      'server_error',
      `Something went wrong on our side. Send this id to the operator: ${request.id}`,
    );
  });
};

const answerRefusal = (
  { code, status, message }: OAuthRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  // A client that used the Authorization header gets the challenge in a header (RFC 6749, section 5.2).
  if (status === 401 && request.headers.authorization !== undefined) {
    reply.header('www-authenticate', 'Basic realm="gatehouse"');
  }
  return answer(reply, status, code, message);
};

/** Rate limit or unavailable database: both are temporary, and the protocol has one error code for them. */
const answerUnavailable = ({ status, message, details }: Refusal, reply: FastifyReply): FastifyReply => {
  const { retryAfterSeconds } = details;
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  return answer(reply, status, 'temporarily_unavailable', message);
};

/** The outcome of a step. */
export interface Outcome {
  readonly clientId: string | null;
  /** Null when the step succeeded. */
  readonly refused: RefusedBy | null;
}

/**
 * Runs a step and logs whether it succeeded or by which rule it was refused. A failure without a rule is not logged.
 * @param clientId as in the request, or null
 * @param outcomeOf derives the outcome from the result, when it is more than a success
 */
export const recordingStep = async <T>(
  deps: StepDeps,
  request: FastifyRequest,
  { step, clientId }: { readonly step: ConnectionStep; readonly clientId: string | null },
  take: () => Promise<T>,
  outcomeOf: (result: T) => Outcome = () => ({ clientId, refused: null }),
): Promise<T> => {
  try {
    const result = await take();
    const outcome = outcomeOf(result);
    recordStep(deps, request, step, outcome.clientId, outcome.refused);
    return result;
  } catch (error) {
    const refused = refusedBy(error);
    if (refused !== null) recordStep(deps, request, step, refusedClient(error, clientId), refused);
    throw error;
  }
};

/** The client whose step was refused: as far as it is known. */
const refusedClient = (error: unknown, named: string | null): string | null => {
  if (!(error instanceof Refusal)) return named;
  return error.rule === 'client_unknown' ? null : (error.clientId ?? named);
};

/** The client id in a form, for the connection log; null when it is not in the format of an id. */
export const clientNamedIn = (form: RequestParameters | null): string | null => {
  const [clientId] = form?.get('client_id') ?? [];
  return clientId !== undefined && clientId !== null && isId(clientId) ? clientId : null;
};

const secrets = ['client_secret', 'client_assertion', 'client_assertion_type'];

/** @throws Refusal invalid_request: when the body is not a form */
export const requireForm = (request: FastifyRequest): RequestParameters => {
  const form = readForm(request);
  if (form === null) throw malformedRequest('The body must be application/x-www-form-urlencoded.');
  return form;
};

/**
 * Requires a public client, which identifies itself but has no credential to authenticate with.
 * @throws Refusal invalid_client: the client tries to authenticate; invalid_request: the form repeats a parameter of it
 */
export const requirePublicClient = ({ headers }: FastifyRequest, form: RequestParameters): void => {
  const hasSecret = secrets.some((name) => readOnce(form, name) !== null);
  const isBasic = /^basic(?: |$)/i.test(headers.authorization ?? '');
  if (!hasSecret && !isBasic) return;
  throw new Refusal(
    'invalid_client',
    'Clients have no secret here: send the client_id in the body, without client authentication.',
    { rule: 'request_malformed' },
  );
};

/** Shares endpoints that clients call with every origin: they read no cookie, so a foreign page gains no access. */
export const shareWithClients = (scope: FastifyInstance, urls: readonly string[], methods: readonly string[]): void =>
  shareResponses(scope, urls, {
    origins: 'every origin',
    methods,
    allowedHeaders: ['content-type', 'authorization', 'mcp-protocol-version'],
    exposedHeaders: ['ratelimit', 'ratelimit-policy', 'retry-after', 'www-authenticate'],
  });
