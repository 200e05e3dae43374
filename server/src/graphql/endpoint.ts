/**
 * Owns: `/graphql`: the endpoint, documents and their limits, the context, guards and errors.
 * Promises: An operation runs only after every check; its errors carry a public code, and nothing of an unexpected one.
 *
 * GraphQL over HTTP on fastify, for any schema and context. Authentication and cookies belong to the context. Nothing
 * is sent before execution ends, so resolvers may set cookies and headers on the reply.
 */
import type { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { addressOf } from '../http-kit/authenticate-request.ts';
import { setRetryAfter } from '../http-kit/rate-limit-headers.ts';
import { BodyBudget, readBodiesWithin } from '../http-kit/request-bodies.ts';
import { isReadableJson } from '../http-kit/request-content.ts';
import type { SpanOptions } from '../platform/observability/context.ts';
import { traced } from '../platform/observability/context.ts';
import type { DocumentTime } from './document-time.ts';
import { createDocuments, type OperationInfo } from './documents.ts';
import { malformed, type Report, type ShownError, showError, showExecutionError, statusOf } from './error-format.ts';
import { loadGraphiql } from './graphiql.ts';
import { contractLimits, type Limits } from './limits.ts';
import { type OperationCounts, type RequestCount, uncountedRequest } from './operation-counts.ts';
import {
  graphqlResponse,
  negotiate,
  type ReadParameters,
  type ResponseType,
  readBody,
  readQueryString,
  wantsPage,
} from './request-parameters.ts';
import { withStreamedText } from './streamed-text.ts';
import { checkVariables } from './variables.ts';

/**
 * The checks of a request, in order: the first that fails answers. A `document` that is not kept is refused unread when
 * its network has had its share of the processor (document-time.ts). A mutation by GET is recognized once its document
 * is parsed. `origin` applies to cookies; `guard` is the operation's (operations.ts). The permit of the network or the
 * user is taken before the operation judges its `arguments`; permits of an account or an organization after that.
 * @internal A test holds the surface against this list.
 */
export const orderOfChecks = [
  'method',
  'media type',
  'size',
  'JSON',
  'parameters',
  'document',
  'mutation by GET',
  'variables',
  'origin',
  'guard',
  'rate limit',
  'arguments',
] as const;

export interface GraphqlOptions<Context> {
  readonly schema: GraphQLSchema;
  /** Whether `__schema` and `__type` are answered; without it, messages contain no suggestions either. */
  readonly introspection: boolean;
  /** Whether a browser that opens the endpoint gets GraphiQL. */
  readonly graphiql: boolean;
  readonly limits?: Partial<Limits>;
  /** Memory budget for bodies; a separate one by default. */
  readonly bodies?: BodyBudget;
  /** The share of the processor for documents that are not kept; without it, any time. */
  readonly documentTime?: DocumentTime | null;
  readonly loneMutations: ReadonlySet<string>;
  /** Runs once for each operation that passed every check, before any resolver. A Refusal fails the operation. */
  createContext(request: FastifyRequest, reply: FastifyReply, operation: OperationInfo): Promise<Context> | Context;
  /** Called with the error, for the log; the client receives only the correlation id. */
  onUnexpected(error: unknown, correlationId: string): void;
  /** Called with the errors of a failed operation, for the log; without `ran` when no context was built. */
  onFailed?(errors: readonly ShownError[], request: FastifyRequest, ran?: Ran<Context>): void;
  /** Null or absent when metrics are off. */
  readonly counts?: OperationCounts | null;
}

/** An operation that ran, with its context. */
export interface Ran<Context> {
  readonly operation: OperationInfo;
  readonly context: Context;
}

const path = '/graphql';

/** Registers the routes. */
export const mountGraphql = <Context>(app: FastifyInstance, options: GraphqlOptions<Context>): void => {
  const limits: Limits = { ...contractLimits, ...options.limits };
  const serve = createServe(options, limits);
  app.register((scope, _registration, done) => {
    readBodiesWithin(scope, {
      budget: options.bodies ?? new BodyBudget(),
      maxBytes: limits.bodyBytes,
      contentType: 'application/json',
      as: 'text',
    });
    scope.setErrorHandler<FastifyError>((error, request, reply) => {
      const shown = showTransportError(error, reporter(options, request));
      options.counts?.begin().failed([shown]);
      setRetryAfterOf(reply, [shown]);
      return compose(reply, shown.extensions.http.status, negotiate(request.headers.accept), { errors: [shown] });
    });
    scope.post(path, { bodyLimit: limits.bodyBytes }, serve);
    scope.get(path, { exposeHeadRoute: false }, options.graphiql ? pageOr(serve) : serve);
    scope.route({
      method: scope.supportedMethods.filter((method) => method !== 'GET' && method !== 'POST'),
      url: path,
      // Responds before the body is parsed, so its media type does not matter. Sending ends the hooks.
      onRequest: (request, reply, _next) => {
        reply.send(refuseMethod(request, reply, 'GET, POST'));
      },
      handler: async (request, reply) => refuseMethod(request, reply, 'GET, POST'),
    });
    done();
  });
};

/** Resolves to the body; status and headers are already set on the reply. */
type Serve = (request: FastifyRequest, reply: FastifyReply) => Promise<string | Readable>;

const createServe = <Context>(options: GraphqlOptions<Context>, limits: Limits): Serve => {
  const documents = createDocuments({ ...options, limits });

  const serve = async (
    request: FastifyRequest,
    reply: FastifyReply,
    type: ResponseType,
    count: RequestCount,
  ): Promise<string> => {
    const parameters = read(request);
    if ('error' in parameters) {
      count.failed([parameters.error]);
      return compose(reply, parameters.error.extensions.http.status, type, { errors: [parameters.error] });
    }
    const { documentTime } = options;
    const prepared = documents.prepare(parameters.query, parameters.operationName, (prepare) =>
      documentTime === null || documentTime === undefined ? prepare() : documentTime.spend(addressOf(request), prepare),
    );
    if ('errors' in prepared) return composeRefused(reply, type, prepared.errors, count);
    const { operation } = prepared;
    count.knows(operation);
    if (request.method === 'GET' && operation.info.kind === 'mutation') return refuseMethod(request, reply, 'POST');
    const mistakes = checkVariables(operation.variables, parameters.variables);
    if (mistakes.length > 0) return composeRefused(reply, type, mistakes, count);
    const given = options.createContext(request, reply, operation.info);
    const context = given instanceof Promise ? await given : given;
    const running = traced(operationSpan(operation.info), () => operation.run(context, parameters.variables));
    const result = running instanceof Promise ? await running : running;
    if (result.errors !== undefined) {
      const errors = result.errors.map((error) => showExecutionError(error, reporter(options, request)));
      options.onFailed?.(errors, request, { operation: operation.info, context });
      return composeWithErrors(reply, type, result.data, errors, count);
    }
    count.succeeded();
    return compose(reply, 200, type, result);
  };

  return async (request, reply) => {
    const type = negotiate(request.headers.accept);
    const count = options.counts?.begin() ?? uncountedRequest;
    try {
      const body = await serve(request, reply, type, count);
      return withStreamedText(reply, body, (error) => showError(error, reporter(options, request)));
    } catch (error) {
      const errors = [showError(error, reporter(options, request))];
      options.onFailed?.(errors, request);
      return composeRefused(reply, type, errors, count);
    }
  };
};

/** Named by the schema's root field, because the client chooses the operation name. */
const operationSpan =
  ({ kind, rootFields }: OperationInfo) =>
  (): SpanOptions => ({
    name: `${kind} ${rootFields[0] ?? ''}`,
    attributes: { 'graphql.operation.type': kind, 'graphql.fields': rootFields.join() },
  });

/** Serves GraphiQL to a browser that opens the endpoint without a query. */
const pageOr =
  (serve: Serve): Serve =>
  async (request, reply) => {
    const isOperation = typeof request.query === 'object' && request.query !== null && 'query' in request.query;
    const page = isOperation || !wantsPage(request.headers.accept) ? null : await loadGraphiql();
    if (page === null) return serve(request, reply);
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', page.contentSecurityPolicy)
      .header('cache-control', 'no-store');
    return page.html;
  };

const read = (request: FastifyRequest): ReadParameters => {
  if (request.method === 'GET') return readQueryString(request.query);
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = request.headers;
  return isReadableJson(contentType, contentEncoding) ? readBody(request.body) : { error: unreadable() };
};

const unreadable = (): ShownError => malformed('The body must be application/json in UTF-8.', {}, 415);

/** Uses one correlation id per request, however many errors occur. */
const reporter =
  <Context>(options: GraphqlOptions<Context>, request: FastifyRequest): Report =>
  (error) => {
    options.onUnexpected(error, request.id);
    return request.id;
  };

/** Without data, the error that nulled it, which graphql-js puts last, is moved to the front and decides the status. */
const composeWithErrors = (
  reply: FastifyReply,
  type: ResponseType,
  data: ExecutionResult['data'],
  errors: readonly ShownError[],
  count: RequestCount,
): string => {
  count.failed(errors);
  setRetryAfterOf(reply, errors);
  if (data !== null && data !== undefined) return compose(reply, 200, type, { errors, data });
  const decisive = errors.at(-1);
  const ordered = decisive === undefined ? errors : [decisive, ...errors.slice(0, -1)];
  return compose(reply, statusFor(type, ordered), type, { errors: ordered, data: null });
};

/** Responds to a well-formed request whose operation did not run. */
const composeRefused = (
  reply: FastifyReply,
  type: ResponseType,
  errors: readonly ShownError[],
  count: RequestCount,
): string => {
  count.failed(errors);
  setRetryAfterOf(reply, errors);
  return compose(reply, statusFor(type, errors), type, { errors });
};

const setRetryAfterOf = (reply: FastifyReply, errors: readonly ShownError[]): void => {
  const details = errors.map(({ extensions }) => extensions);
  setRetryAfter(reply, details);
};

/** With application/json every well-formed request has status 200, so that old clients read the body. */
const statusFor = (type: ResponseType, errors: readonly ShownError[]): number =>
  type === graphqlResponse ? statusOf(errors) : 200;

const refuseMethod = (request: FastifyRequest, reply: FastifyReply, allow: string): string => {
  const message = allow === 'POST' ? 'A mutation must be sent by POST.' : 'Only GET and POST are supported here.';
  reply.header('allow', allow);
  return compose(reply, 405, negotiate(request.headers.accept), { errors: [malformed(message, {}, 405)] });
};

const showTransportError = (error: FastifyError, report: Report): ShownError => {
  if (error.statusCode === 413) return malformed('The body is too large.', {}, 413);
  if (error.statusCode === 415) return unreadable();
  const isClients = error.code?.startsWith('FST_ERR_CTP_') || error.statusCode === 400;
  return isClients ? malformed('The request is malformed.') : showError(error, report);
};

/** Returns the response text and sets status and headers on the reply. */
const compose = (reply: FastifyReply, status: number, type: ResponseType, body: object): string => {
  const text = JSON.stringify(body);
  reply
    .code(status)
    .header('content-type', type === graphqlResponse ? graphqlResponseUtf8 : plainJsonUtf8)
    .header('cache-control', 'no-store');
  return text;
};

const graphqlResponseUtf8 = 'application/graphql-response+json; charset=utf-8';
const plainJsonUtf8 = 'application/json; charset=utf-8';
