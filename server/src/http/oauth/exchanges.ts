/**
 * Shared parts of the OAuth endpoints: form parameters, responses and errors (RFC 6749, section 5), CORS and body
 * parsing.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ConnectionRule, ConnectionStep } from '../../domain/client-onboarding/steps.ts';
import { type RequestParameters, readOnce } from '../../domain/oauth/authorize.ts';
import { type OAuthErrorCode, OAuthRefusal } from '../../domain/oauth/oauth-refusal.ts';
import { refusalOf } from '../../http-kit/authenticate-request.ts';
import { noteStep, type StepDeps } from '../../http-kit/connection-step.ts';
import { type BodyBudget, leaveBodiesUnread, readBodiesWithin } from '../../http-kit/request-bodies.ts';
import { Refusal } from '../../kernel/errors.ts';
import { isId } from '../../kernel/ids.ts';

// Error responses of the endpoints that clients call: JSON with `error` and `error_description` (RFC 6749, section 5.2;
// RFC 7591, section 3.2.2). Each attempt is logged.

/** Responses must not be cached (RFC 6749, section 5.1). */
export const unstored = (reply: FastifyReply): FastifyReply =>
  reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });

const answer = (reply: FastifyReply, status: number, error: string, description: string): FastifyReply =>
  unstored(reply).status(status).send({ error, error_description: description });

const unreadable: ReadonlyMap<number, string> = new Map([
  [413, 'The body is too large.'],
  [415, 'The body is not of a type that is taken here.'],
]);

/** @param malformed the error code for a request that cannot be parsed at this endpoint */
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
  // A client that used the Authorization header gets the challenge in a header (RFC 6749, section 5.2).
  if (isUnauthorized && request.headers.authorization !== undefined) {
    reply.header('www-authenticate', 'Basic realm="gatehouse"');
  }
  return answer(reply, isUnauthorized ? 401 : 400, error, message);
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
  readonly refused: { readonly rule: ConnectionRule; readonly detail: string | null } | null;
}

/**
 * Runs a step and logs whether it succeeded or by which rule it was refused. A failure without a rule is not logged.
 * @param clientId as in the request, or null
 * @param outcomeOf derives the outcome from the result, when it is more than a success
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

// Parameters of a query or a form (WHATWG URL, application/x-www-form-urlencoded), without replacement characters.

/** Text with escapes that are not UTF-8 becomes null: the platform's own parser would insert replacement characters. */
export const parseParameters = (text: string): RequestParameters => {
  const parameters = new Map<string, (string | null)[]>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=');
    const key = decode(name);
    if (key === null) continue;
    const values = parameters.get(key) ?? [];
    // Appends in place: a body has room to repeat one name fifty thousand times.
    values.push(decode(value.join('=')));
    parameters.set(key, values);
  }
  return parameters;
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // URIError is the only possible error.
    return null;
  }
};

/** The raw query of a request's URL. */
export const queryOf = ({ url }: FastifyRequest): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
};

/** The media type without parameters; empty when there is none. */
export const mediaTypeOf = ({ headers }: FastifyRequest): string => {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
};

/** The parameters of a form body, or null; query parameters are ignored (RFC 6749, section 3.2). */
export const readForm = (request: FastifyRequest): RequestParameters | null => {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return null;
  return parseParameters(typeof request.body === 'string' ? request.body : '');
};

/** The client id in a form, for the connection log; null when it is not in the format of an id. */
export const clientNamedIn = (form: RequestParameters | null): string | null => {
  const [clientId] = form?.get('client_id') ?? [];
  return clientId !== undefined && clientId !== null && isId(clientId) ? clientId : null;
};

const secrets = ['client_secret', 'client_assertion', 'client_assertion_type'];

/**
 * Checks the form of a public client, which identifies itself but has no credential to authenticate with.
 * @throws OAuthRefusal invalid_request: when there is no form, or it repeats a parameter
 * @throws OAuthRefusal invalid_client: when the client tries to authenticate
 */
export const requireFormOfPublicClient = (
  request: FastifyRequest,
  form: RequestParameters | null,
): RequestParameters => {
  if (form === null) throw malformed('The body must be application/x-www-form-urlencoded.');
  const hasSecret = secrets.some((name) => readOnce(form, name) !== null);
  const isBasic = /^basic(?: |$)/i.test(request.headers.authorization ?? '');
  if (!hasSecret && !isBasic) return form;
  throw new OAuthRefusal(
    'invalid_client',
    'request_malformed',
    'Clients have no secret here: name the client_id in the body and send nothing to prove it.',
  );
};

/** @throws OAuthRefusal invalid_request: when the parameter is missing, repeated or not valid text */
export const readRequired = (parameters: RequestParameters, name: string): string => {
  const value = readOnce(parameters, name);
  if (value === null) throw malformed(`The parameter ${name} is missing.`);
  return value;
};

const malformed = (message: string): OAuthRefusal => new OAuthRefusal('invalid_request', 'request_malformed', message);

// CORS of the endpoints that clients call (contract, "OAuth and MCP"): every origin, never with credentials. No
// endpoint reads a cookie, so a foreign page gains no access.

/**
 * Shares the routes of a scope, and answers the preflight of these URLs.
 * @param methods as a header lists them
 */
export const shareWithEveryOrigin = (scope: FastifyInstance, urls: readonly string[], methods: string): void => {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'ratelimit, ratelimit-policy, retry-after, www-authenticate',
    });
  });
  scope.register(async (preflights) => {
    leaveBodiesUnread(preflights);
    for (const url of urls) preflights.options(url, (_request, reply) => answerPreflight(reply, methods));
  });
};

const answerPreflight = async (reply: FastifyReply, methods: string): Promise<FastifyReply> =>
  reply
    .headers({
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
      'access-control-max-age': '600',
    })
    .status(204)
    .send();

// Bodies as text of any media type: each endpoint parses them itself and returns its own errors.

/** @param maxBytes a longer body is rejected with 413 */
export const takeTexts = (scope: FastifyInstance, budget: BodyBudget, maxBytes: number): void =>
  readBodiesWithin(scope, { budget, maxBytes, contentType: '*', as: 'text' });
