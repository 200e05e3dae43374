/**
 * What the endpoints of OAuth share: form parameters, responses and errors (RFC 6749, section 5), CORS and body parsing.
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

// How the endpoints that clients call themselves answer a refusal or a failure: as JSON with `error` and
// `error_description` (RFC 6749, section 5.2; RFC 7591, section 3.2.2), and how each attempt is noted.

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

// Parameters as a query or a form writes them (WHATWG URL, application/x-www-form-urlencoded), with nothing made up.

/** A text whose escapes are no UTF-8 is null: the platform's own parser would put other characters in their place. */
export const parseParameters = (text: string): RequestParameters => {
  const parameters = new Map<string, (string | null)[]>();
  for (const pair of text.split('&').filter((part) => part !== '')) {
    const [name = '', ...value] = pair.split('=');
    const key = decode(name);
    if (key === null) continue;
    const values = parameters.get(key) ?? [];
    // Into the list that is there: a body has room to repeat one name fifty thousand times.
    values.push(decode(value.join('=')));
    parameters.set(key, values);
  }
  return parameters;
};

const decode = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // URIError, the one way in which it fails.
    return null;
  }
};

/** The query of a request's address as it came. */
export const queryOf = ({ url }: FastifyRequest): string => {
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
};

/** Of a Content-Type, without its parameters; empty when there is none. */
export const mediaTypeOf = ({ headers }: FastifyRequest): string => {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase();
};

/** The parameters of a form body, or null; those of the query do not count (RFC 6749, section 3.2). */
export const readForm = (request: FastifyRequest): RequestParameters | null => {
  if (mediaTypeOf(request) !== 'application/x-www-form-urlencoded') return null;
  return parseParameters(typeof request.body === 'string' ? request.body : '');
};

/** The client that a form names, for the record of connections: null when it is none by its text. */
export const clientNamedIn = (form: RequestParameters | null): string | null => {
  const [clientId] = form?.get('client_id') ?? [];
  return clientId !== undefined && clientId !== null && isId(clientId) ? clientId : null;
};

const secrets = ['client_secret', 'client_assertion', 'client_assertion_type'];

/**
 * A form of a client that says who it is, and proves nothing: no client has anything to prove it by.
 * @throws OAuthRefusal invalid_request when there is no form, or it repeats a parameter; invalid_client when the client
 *   tries to authenticate
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

/** @throws OAuthRefusal invalid_request when the parameter is missing, repeated or no text */
export const readRequired = (parameters: RequestParameters, name: string): string => {
  const value = readOnce(parameters, name);
  if (value === null) throw malformed(`The parameter ${name} is missing.`);
  return value;
};

const malformed = (message: string): OAuthRefusal => new OAuthRefusal('invalid_request', 'request_malformed', message);

// CORS of the endpoints that clients call themselves (contract, "OAuth and MCP"): every origin, never with credentials.
// Nothing here reads a cookie, so a foreign page gets no more than anybody.

/** Shares the routes of a scope, and answers the preflight of these addresses. @param methods as a header lists them */
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

// Bodies as texts of whatever type: each endpoint reads them itself, and says in its own words what is wrong with one.

/** @param mostBytes a longer body is refused with 413 */
export const takeTexts = (scope: FastifyInstance, budget: BodyBudget, maxBytes: number): void =>
  readBodiesWithin(scope, { budget, maxBytes, contentType: '*', as: 'text' });
