/**
 * `POST /mcp`: Platform MCP over Streamable HTTP; one message and one JSON answer per request, without sessions
 * (contract, "POST /mcp").
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { noteStep } from '../http-kit/connection-step.ts';
import { setRetryAfter } from '../http-kit/rate-limit-headers.ts';
import type { ConnectionRule } from '../kernel/errors.ts';
import { Refusal } from '../kernel/errors.ts';
import { isRecord } from '../kernel/records.ts';
import { atMost } from '../platform/caches.ts';
import { Admission, type AdmissionDeps, type Admitted } from './admission.ts';
import {
  errorBody,
  type Message,
  mismatchMessage,
  type RequestId,
  type RpcAnswer,
  type RpcError,
  RpcRefusal,
  type RpcRequest,
  rateLimited,
  readMessage,
  rpcCodes,
  unavailable,
  unexplained,
  versionRefusal,
  withCorrelation,
} from './json-rpc.ts';
import type { Exchange, Protocol, ProtocolAnswer, ProtocolHeaders } from './protocol.ts';
import { ToolCall, type ToolCallDeps } from './tool-calls.ts';

interface McpDeps extends AdmissionDeps, ToolCallDeps {
  readonly settings: AdmissionDeps['settings'] & ToolCallDeps['settings'];
}

/** Some clients append a slash to the configured URL. */
const paths = ['/mcp', '/mcp/'];
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
    for (const path of paths) {
      scope.all(path, { bodyLimit: maxBytes }, (request, reply) => endpoint.answer(request, reply));
    }
    scope.addHook('onClose', () => endpoint.settled());
  });
};

class Endpoint {
  readonly #deps: McpDeps;
  readonly #admission: Admission;
  #loading: Promise<Protocol> | null = null;
  /**
   * Credentials whose first success is in the connection log. A refusal removes the entry, so that the next success is
   * logged again; otherwise the client would still appear refused.
   */
  readonly #connected = new LRUCache<string, true>({ ...atMost(rememberedCredentials) });
  readonly #unfinished = new Set<Promise<unknown>>();

  constructor(deps: McpDeps) {
    this.#deps = deps;
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
    const { status, body } = await this.#untilFinished(this.#serve(request, admitted, message));
    return reply
      .status(status)
      .headers(body === null ? {} : jsonHeaders)
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
    noteStep(this.#deps, request, 'call', null, { rule: 'message_malformed', detail: null });
    const message = 'The body is too large: at most 1 MiB.';
    return reply.status(413).send({ error: { code: 'BAD_USER_INPUT', message } });
  }

  /** Resolves when no response is pending and every tool call is recorded. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#unfinished);
    await this.#deps.audits.settled();
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
    const headers = protocolHeaders(request);
    const refusal = refusalOf(message, headers);
    if (refusal !== null) this.#noteRefusal(request, admitted, refusal);
    if (message.kind === 'request') return this.#serveRequest(request, admitted, message, refusal);
    return refusal === null ? accepted : { status: refusal.status, body: errorBody(null, refusal.error) };
  }

  async #serveRequest(
    request: FastifyRequest,
    admitted: Admitted,
    message: RpcRequest,
    refusal: RpcRefusal | null,
  ): Promise<RpcAnswer> {
    const { actor, clientId } = admitted;
    const { id, method, params } = message;
    const call = method === 'tools/call' ? new ToolCall(this.#deps, actor, clientId, params) : null;
    if (refusal !== null) {
      const { status, error } = refusal;
      return call === null ? { status, body: errorBody(id, error) } : rejectCall(call, id, status, error);
    }
    const exchange: Exchange = { actor, call, isUnavailable: false };
    const answer = await finishAnswer(await this.#ask(request, message, exchange), id, exchange);
    this.#noteServed(request, admitted, message, call, answer);
    return answer;
  }

  /** If the protocol fails, it still returns an answer, so that a tool call gets recorded. */
  async #ask(request: FastifyRequest, message: RpcRequest, exchange: Exchange): Promise<ProtocolAnswer> {
    try {
      const protocol = await this.#protocol();
      return await protocol.serve(message, protocolHeaders(request), exchange);
    } catch (error) {
      const correlationId = exchange.call?.correlationId ?? request.id;
      this.#deps.logger.error(
        { event: 'request.failed', err: error, correlationId },
        'A message could not be answered',
      );
      return { status: 500, body: errorBody(message.id, unexplained) };
    }
  }

  /** Loads the SDK on first use: it takes a twelfth of an idle process's memory. A failed load is retried. */
  #protocol(): Promise<Protocol> {
    this.#loading ??= import('./protocol.ts')
      .then(({ Protocol: Loaded }) => new Loaded(this.#deps.logger))
      .catch((error: unknown) => {
        this.#loading = null;
        throw error;
      });
    return this.#loading;
  }

  #noteRefusal(request: FastifyRequest, { actor, clientId }: Admitted, { rule, detail }: RpcRefusal): void {
    if (rule === null) return;
    this.#connected.delete(actor.credential.id);
    noteStep(this.#deps, request, 'call', clientId, { rule, detail });
  }

  #noteServed(
    request: FastifyRequest,
    { actor, clientId }: Admitted,
    { method }: RpcRequest,
    call: ToolCall | null,
    answer: RpcAnswer,
  ): void {
    const rule = ruleOf(answer, call);
    // A connected client was denied a tool, not the connection: the record of tool calls covers that.
    if (rule === 'tool_denied' && this.#connected.has(actor.credential.id)) return;
    const refused = rule === null ? null : { rule, detail: null };
    const note = (): void => noteStep(this.#deps, request, 'call', clientId, refused);
    if (rule !== null) this.#connected.delete(actor.credential.id);
    if (rule !== null) note();
    else if ((method === 'tools/list' || call?.outcome === 'success') && this.#isFirstUse(actor.credential.id)) note();
  }

  #isFirstUse(credentialId: string): boolean {
    if (this.#connected.has(credentialId)) return false;
    this.#connected.set(credentialId, true);
    return true;
  }
}

/** The rule by which the protocol or a tool refused a message; null when none did, or when it is not logged. */
const ruleOf = ({ status, code }: RpcAnswer, call: ToolCall | null): ConnectionRule | null => {
  if (call?.outcome === 'deny') return 'tool_denied';
  if (status !== 400) return null;
  return code === rpcCodes.headerMismatch || code === rpcCodes.unsupportedVersion
    ? 'protocol_version'
    : 'message_malformed';
};

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

/** Refuses malformed messages, unsupported versions, and methods that would keep a stream open. */
const refusalOf = (message: Message, headers: ProtocolHeaders): RpcRefusal | null => {
  if (message.kind === 'unreadable') return message.refusal;
  const { kind, method, params } = message;
  const malformed = kind === 'request' ? message.refusal : null;
  return malformed ?? versionRefusal(method, params, headers.version) ?? streamRefusal(method);
};

const streamRefusal = (method: string): RpcRefusal | null =>
  method === 'subscriptions/listen'
    ? new RpcRefusal({ status: 404, code: rpcCodes.methodNotFound, message: 'Method not found', rule: null })
    : null;

// Conversion of the SDK's answers to responses: errors never quote the request, and every tool call is recorded.

/** @param exchange the answered one; afterwards its tool call is recorded, or the answer is unavailable */
const finishAnswer = async (
  { status, body }: ProtocolAnswer,
  id: RequestId,
  { call, isUnavailable }: Exchange,
): Promise<RpcAnswer> => {
  if (isUnavailable) return { status: 503, body };
  const error = errorIn(body);
  if (call !== null && call.outcome === null) return rejectCall(call, id, status, error ?? unexplained);
  return error === null ? { status, body } : { status, body: errorBody(id, error), code: error.code };
};

/** Records a tool call that never ran, then answers it with the error. */
const rejectCall = async (call: ToolCall, id: RequestId, status: number, error: RpcError): Promise<RpcAnswer> => {
  const isRecorded = await call.recordRejected();
  const shown = isRecorded ? error : unavailable;
  const body = errorBody(id, withCorrelation(shown, call.correlationId));
  return { status: isRecorded ? status : 503, body, code: shown.code };
};

/** The error in an answer, or null for a result. Results are long, so they are not parsed. */
const errorIn = (body: string): RpcError | null => {
  if (!body.includes('"error":')) return null;
  const parsed: unknown = JSON.parse(body);
  if (!isRecord(parsed) || !isRecord(parsed['error'])) return null;
  const { code, message, data } = parsed['error'];
  if (typeof code !== 'number' || typeof message !== 'string') return unexplained;
  return { ...inOurWords(code, message), ...(isRecord(data) && code !== rpcCodes.headerMismatch ? { data } : {}) };
};

/** Replaces SDK messages that can quote the request or contain a validator's report. */
const inOurWords = (code: number, message: string): RpcError => {
  if (code === rpcCodes.headerMismatch) {
    return { code, message: mismatchMessage };
  }
  const isReport = message.startsWith('[') || message.startsWith('Invalid tools/call request');
  return isReport ? { code: rpcCodes.invalidParams, message: wrongParams } : { code, message };
};

const wrongParams = 'The params are not valid for this method.';
