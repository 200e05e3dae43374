/** Streamable HTTP without sessions: one message, one JSON answer (contract/platform-mcp.md#protocol-versions). */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Intervals } from '../domain/access/deps.ts';
import { recordStep } from '../http-kit/connection-step.ts';
import { setRetryAfter } from '../http-kit/rate-limit-headers.ts';
import { Refusal } from '../kernel/errors.ts';
import { atMost } from '../platform/caches.ts';
import { Admission, type AdmissionDeps, type Admitted } from './admission.ts';
import { callAnswer, discovery, handshake, pong, resultBody, toolList } from './answers.ts';
import { canAskPerson } from './confirmation.ts';
import {
  errorBody,
  type Message,
  type RequestId,
  type RpcAnswer,
  type RpcError,
  RpcRefusal,
  type RpcRequest,
  rateLimited,
  readMessage,
  unavailable,
  unexplained,
  withCorrelation,
} from './json-rpc.ts';
import { type McpRequest, mcpRequestOf } from './methods.ts';
import type { Mode, ProtocolHeaders } from './revisions.ts';
import type { Surface, ToolCallResult } from './surface.ts';
import { ToolCall, type ToolCallDeps } from './tool-calls.ts';

interface McpDeps extends AdmissionDeps, Omit<ToolCallDeps, 'customTools'> {
  readonly surface: Surface;
  readonly intervals: Pick<Intervals, 'toolCall'>;
  readonly settings: AdmissionDeps['settings'] & ToolCallDeps['settings'];
}

const maxBytes = 1024 * 1024;
/** The request property with the admission made before the body was read. */
const decorator = 'admitted';
const rememberedCredentials = 10_000;

/** Mounts the endpoint. Closing the app waits until every tool call is recorded, even after a disconnect. */
export const mountMcp = async (app: FastifyInstance, deps: McpDeps): Promise<void> => {
  const endpoint = new Endpoint(deps);
  await app.register(async (scope) => {
    scope.decorateRequest(decorator, null);
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler<FastifyError>((error, request, reply) => endpoint.refuse(error, request, reply));
    // Runs before the body is received.
    scope.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      await endpoint.admit(request, reply);
    });
    // Some clients append a slash to the configured URL.
    for (const path of [deps.surface.path, `${deps.surface.path}/`]) {
      scope.all(path, { bodyLimit: maxBytes }, (request, reply) => endpoint.answer(request, reply));
    }
    scope.addHook('onClose', () => endpoint.settled());
  });
};

class Endpoint {
  readonly #deps: McpDeps & ToolCallDeps;
  readonly #closing = new AbortController();
  readonly #admission: Admission;
  /** Credentials whose first success is in the connection log. A refusal removes the entry, to log the next success. */
  readonly #connected = new LRUCache<string, true>({ ...atMost(rememberedCredentials) });
  readonly #unfinished = new Set<Promise<unknown>>();

  constructor(deps: McpDeps) {
    const customTools = { timeoutMillis: deps.intervals.toolCall, closing: this.#closing.signal };
    this.#deps = { ...deps, customTools };
    this.#admission = new Admission(deps);
  }

  /** @throws Refusal, DatabaseUnavailable */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const admitted = await this.#admission.admit(request, reply);
    // Kept only when the body is complete: otherwise the credential may be revoked before the rest arrives.
    if (request.raw.complete) request.setDecorator<Admitted>(decorator, admitted);
  }

  async answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const admitted =
      request.getDecorator<Admitted | null>(decorator) ?? (await this.#admission.authenticate(request, reply));
    const { body: bytes } = request;
    const message = readMessage(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0));
    const { status, body, headers = {} } = await this.#untilFinished(this.#serve(request, admitted, message));
    return reply
      .status(status)
      .headers(body === null ? {} : { ...jsonHeaders, ...headers })
      .send(body ?? undefined);
  }

  refuse(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof Refusal) {
      const { status, code, message } = error;
      return code === 'RATE_LIMITED'
        ? answerRateLimited(reply, error)
        : reply.status(status).send({ error: { code, message } });
    }
    if (error.statusCode !== 413) throw error;
    recordStep(this.#deps, request, 'call', null, { rule: 'message_malformed', detail: null });
    const message = 'The body is too large: at most 1 MiB.';
    return reply.status(413).send({ error: { code: 'BAD_USER_INPUT', message } });
  }

  /** Resolves when no response is pending and every tool call is recorded. */
  async settled(): Promise<void> {
    // No request is waited for any more, so a tool of the application that is still running is not either.
    this.#closing.abort();
    await Promise.allSettled(this.#unfinished);
    await this.#deps.surface.settled();
  }

  async #untilFinished<Result>(work: Promise<Result>): Promise<Result> {
    this.#unfinished.add(work);
    try {
      return await work;
    } finally {
      this.#unfinished.delete(work);
    }
  }

  async #serve(request: FastifyRequest, admitted: Admitted, message: Message): Promise<RpcAnswer> {
    const asked = mcpRequestOf(message, protocolHeaders(request));
    if (asked instanceof RpcRefusal) {
      this.#noteRefusal(request, admitted, asked);
      return message.kind === 'request' ? this.#refuseRequest(admitted, message, asked) : refused(null, asked);
    }
    return message.kind === 'request' && asked !== null
      ? this.#serveRequest(request, admitted, message, asked)
      : accepted;
  }

  /** A call is recorded even if the protocol refuses it. */
  async #refuseRequest(admitted: Admitted, message: RpcRequest, refusal: RpcRefusal): Promise<RpcAnswer> {
    const { id, method } = message;
    if (method !== 'tools/call') return refused(id, refusal);
    return rejectCall(this.#callOf(admitted, message), id, refusal.status, refusal.error);
  }

  #callOf({ actor, clientId }: Admitted, { params }: RpcRequest): ToolCall {
    return new ToolCall(this.#deps, actor, clientId, params);
  }

  /** A defect is answered too, and a call that it prevents is recorded. */
  async #serveRequest(
    request: FastifyRequest,
    admitted: Admitted,
    message: RpcRequest,
    asked: McpRequest,
  ): Promise<RpcAnswer> {
    const call = asked.kind === 'call' ? this.#callOf(admitted, message) : null;
    const { id } = message;
    const refusal = this.#deps.surface.refusalOf(admitted.actor);
    if (refusal !== null) {
      this.#noteRefusal(request, admitted, refusal);
      return refuseActor(call, id, refusal);
    }
    try {
      if (call !== null) return await this.#serveCall(request, admitted, message, call, asked.mode);
      if (asked.kind === 'list') this.#noteUse(request, admitted);
      return { status: 200, body: resultBody(id, resultOf(asked, admitted, this.#deps.surface)) };
    } catch (error) {
      const correlationId = call?.correlationId ?? request.id;
      this.#deps.logger.error(
        { event: 'request.failed', err: error, correlationId },
        'A message could not be answered',
      );
      return call === null ? { status: 500, body: errorBody(id, unexplained) } : rejectCall(call, id, 500, unexplained);
    }
  }

  async #serveCall(
    request: FastifyRequest,
    admitted: Admitted,
    { id, params }: RpcRequest,
    call: ToolCall,
    mode: Mode,
  ): Promise<RpcAnswer> {
    const called = await call.run(canAskPerson(mode, params));
    this.#noteCall(request, admitted, call, called);
    const answer = callAnswer(called, { correlationId: call.correlationId, mode, surface: this.#deps.surface });
    const body =
      'result' in answer
        ? resultBody(id, answer.result)
        : errorBody(id, withCorrelation(answer.error, call.correlationId));
    if (called.kind !== 'challenged') return { status: called.kind === 'unavailable' ? 503 : 200, body };
    const challenge = this.#admission.challengeFor(called.scopes);
    return { status: 403, body, headers: { 'www-authenticate': challenge } };
  }

  #noteRefusal(request: FastifyRequest, { actor, clientId }: Admitted, refusal: RpcRefusal): void {
    const { rule, detail, error } = refusal;
    this.#deps.logger.debug({ event: 'mcp.request_refused', code: error.code, clientId }, 'A message was refused');
    if (rule === null) return;
    this.#connected.delete(actor.credential.id);
    recordStep(this.#deps, request, 'call', clientId, { rule, detail });
  }

  /** A connected client that is denied a tool is denied no connection: the record of tool calls covers that. */
  #noteCall(request: FastifyRequest, admitted: Admitted, { outcome }: ToolCall, { kind }: ToolCallResult): void {
    if (outcome === 'success' || kind === 'declined') this.#noteUse(request, admitted);
    if (outcome !== 'deny' || kind === 'declined' || this.#connected.has(admitted.actor.credential.id)) return;
    recordStep(this.#deps, request, 'call', admitted.clientId, { rule: 'tool_denied', detail: null });
  }

  #noteUse(request: FastifyRequest, { actor, clientId }: Admitted): void {
    if (this.#isFirstUse(actor.credential.id)) recordStep(this.#deps, request, 'call', clientId, null);
  }

  #isFirstUse(credentialId: string): boolean {
    if (this.#connected.has(credentialId)) return false;
    this.#connected.set(credentialId, true);
    return true;
  }
}

/** Sent before the body is read, so no tool call is recorded and the message id is unknown. */
const answerRateLimited = (reply: FastifyReply, refusal: Refusal): FastifyReply => {
  setRetryAfter(reply, [refusal.details]);
  return reply
    .status(refusal.status)
    .headers(jsonHeaders)
    .send(errorBody(null, rateLimited(refusal)));
};

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };
const accepted: RpcAnswer = { status: 202, body: null };

const protocolHeaders = ({ headers }: FastifyRequest): ProtocolHeaders => ({
  version: oneOf(headers['mcp-protocol-version']),
  method: oneOf(headers['mcp-method']),
  name: oneOf(headers['mcp-name']),
});

const oneOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header;

const resultOf = (asked: McpRequest, { actor }: Admitted, surface: Surface): string => {
  if (asked.kind === 'list') return toolList(surface.listTools(actor), asked.mode, surface.info);
  if (asked.kind === 'handshake') return handshake(asked.protocolVersion, surface);
  return asked.kind === 'discovery' ? discovery(surface) : pong;
};

const refused = (id: RequestId, { status, error }: RpcRefusal): RpcAnswer => ({ status, body: errorBody(id, error) });

/** Answers a request of an actor of whom none is served; a call is recorded. */
const refuseActor = async (call: ToolCall | null, id: RequestId, refusal: RpcRefusal): Promise<RpcAnswer> =>
  call === null ? refused(id, refusal) : rejectCall(call, id, refusal.status, refusal.error, 'deny');

/** Records a tool call that never ran, then answers it with the error. */
const rejectCall = async (
  call: ToolCall,
  id: RequestId,
  status: number,
  error: RpcError,
  outcome: 'deny' | 'error' = 'error',
): Promise<RpcAnswer> => {
  const isRecorded = await call.recordRejected(outcome);
  const shown = isRecorded ? error : unavailable;
  const body = errorBody(id, withCorrelation(shown, call.correlationId));
  return { status: isRecorded ? status : 503, body };
};
