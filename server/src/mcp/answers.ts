/**
 * The Model Context Protocol, implemented by the official SDK: one server per request, without sessions, over the
 * transport of the client's version. The SDK neither authenticates nor records anything; features of the SDK that are
 * not supported here (batches, streams) are refused before it runs.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerOptions,
  type Transport,
} from '@modelcontextprotocol/server';
import manifest from '../../package.json' with { type: 'json' };
import type { Actor } from '../domain/access/actor.ts';
import { inputSchemaOf, outputSchemaOf, type Tool, type ToolAnswer } from '../domain/tools/tool.ts';
import type { Refusal } from '../kernel/errors.ts';
import { isRecord, type JsonRecord } from '../kernel/records.ts';
import type { Logger } from '../platform/observability/logger.ts';
import {
  correlationMeta,
  errorBody,
  handshakeVersions,
  type RequestId,
  type RpcRequest,
  rpcCodes,
  servedVersions,
  unavailable,
} from './json-rpc.ts';
import { listTools, type ToolCall, type ToolCallResult } from './tool-calls.ts';

/** The context of one request. */
export interface Exchange {
  readonly actor: Actor;
  /** Null except for tools/call. */
  readonly call: ToolCall | null;
  /** Set when the answer is unavailable; the SDK has no status for it. */
  isUnavailable: boolean;
}

/** The SDK's answer, before conversion to a response. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly body: string;
}

/** The headers of the protocol. */
export interface ProtocolHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

const identity = { name: 'gatehouse', title: 'Gatehouse Platform MCP', version: manifest.version };

const options: ServerOptions = {
  capabilities: { tools: {} },
  supportedProtocolVersions: [...handshakeVersions],
  instructions:
    'Control plane of Gatehouse for super admins: sessions, people, organizations and invitations. Every call is recorded. Tools that change something take dryRun: call them with dryRun true first, show the person what would change, and make the change only if they agree.',
  // The tools that a person may call can change at any time.
  cacheHints: { 'tools/list': { ttlMs: 0, cacheScope: 'private' } },
  // Validates answers from clients, and no request is ever sent to one; the SDK would build its default for each
  // request.
  jsonSchemaValidator: {
    getValidator: () => () => {
      throw new Error('Nothing is ever asked of a client');
    },
  },
};

const url = 'http://gatehouse.invalid/mcp';

/** The SDK requires both types in Accept; the answer is JSON whatever else the client accepts. */
const fixedHeaders = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

export class Protocol {
  readonly #logger: Logger;
  readonly #handler: McpHttpHandler;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#handler = createMcpHandler(({ requestInfo }) => this.#newServer(exchangeOf(requestInfo)), {
      legacy: 'reject',
      onerror: (error) => this.#noteTrouble(error),
    });
  }

  /** Serves a well-formed request of a supported version. */
  async serve(message: RpcRequest, headers: ProtocolHeaders, exchange: Exchange): Promise<ProtocolAnswer> {
    const { kind } = classifyInboundRequest({
      httpMethod: 'POST',
      ...(headers.version === undefined ? {} : { protocolVersionHeader: headers.version }),
      ...(headers.method === undefined ? {} : { mcpMethodHeader: headers.method }),
      ...(headers.name === undefined ? {} : { mcpNameHeader: headers.name }),
      body: message.value,
    });
    if (kind === 'legacy') return this.#serveAfterHandshake(message, exchange);
    const response = await this.#handler.fetch(new ExchangeRequest(headers, exchange), { parsedBody: message.value });
    const body = await response.text();
    return { status: response.status, body: message.method === discovery ? withServedVersions(body) : body };
  }

  /** Serves versions before 2026-07-28. A handshake may name any version in its header, which is ignored. */
  async #serveAfterHandshake(message: RpcRequest, exchange: Exchange): Promise<ProtocolAnswer> {
    const server = this.#newServer(exchange);
    const transport = new OneAnswerTransport();
    await server.connect(transport);
    // Not closed: server and transport hold no timer and no stream, and the SDK would report a close that has no
    // listener.
    const answer = await transport.ask(message.value);
    return answer === null ? unknownShape(message.id) : { status: 200, body: JSON.stringify(answer) };
  }

  // The high-level server refuses calls before they can be recorded, and costs three times as much. The deprecation
  // permits this use.
  // oxlint-disable-next-line typescript/no-deprecated
  #newServer(exchange: Exchange): Server {
    // oxlint-disable-next-line typescript/no-deprecated
    const server = new Server(identity, options);
    server.onerror = (error) => this.#noteTrouble(error);
    server.setRequestHandler('tools/list', () => ({ tools: listTools(exchange.actor).map(listedTool) }));
    server.setRequestHandler('tools/call', () => answerCall(exchange));
    return server;
  }

  /** Client errors, which the answers report too. Logs only the name: the message may quote the request. */
  #noteTrouble({ name }: Error): void {
    this.#logger.debug({ event: 'mcp.request_refused', name }, 'The protocol refused a request');
  }
}

/** Carries the exchange through the SDK, which passes the request unchanged to the server factory. */
class ExchangeRequest extends Request {
  readonly exchange: Exchange;

  constructor({ version, method, name }: ProtocolHeaders, exchange: Exchange) {
    super(url, {
      method: 'POST',
      headers: {
        ...fixedHeaders,
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
        ...(method === undefined ? {} : { 'mcp-method': method }),
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
    });
    this.exchange = exchange;
  }
}

const exchangeOf = (request: Request | undefined): Exchange => {
  if (request instanceof ExchangeRequest) return request.exchange;
  throw new Error('The SDK asked for a server without a request of ours');
};

const discovery = 'server/discover';

/** Adds the versions served by handshake: the SDK lists only the revisions without one. */
const withServedVersions = (body: string): string => {
  const answer: unknown = JSON.parse(body);
  if (!isRecord(answer) || !isRecord(answer['result'])) return body;
  return JSON.stringify({ ...answer, result: { ...answer['result'], supportedVersions: servedVersions } });
};

const unknownShape = (id: RequestId): ProtocolAnswer => ({
  status: 400,
  body: errorBody(id, {
    code: rpcCodes.invalidRequest,
    message: 'The message is not a valid request of this protocol.',
  }),
});

const answerCall = async (exchange: Exchange) => {
  const { call } = exchange;
  if (call === null) throw new Error('A tool is called that nobody records');
  const result = await call.run();
  exchange.isUnavailable = result.kind === 'unavailable';
  return answerOf(result, call.correlationId);
};

// In-memory transport of the SDK for one request and its one answer: the HTTP body was parsed and checked before, and
// the answer is sent as JSON afterwards. The SDK's own HTTP transport parses each message half a dozen times more and
// answers with a stream.

export class OneAnswerTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #answer = Promise.withResolvers<JSONRPCMessage>();

  /** No connection to open. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Drops notifications: there is no stream to send them on. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('result' in message || 'error' in message) this.#answer.resolve(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  /**
   * @param request a JSON-RPC request; the transport must be connected to a server
   * @returns the server's answer; null when the SDK does not accept the message as a request
   */
  async ask(request: JsonRecord): Promise<JSONRPCMessage | null> {
    if (!isJSONRPCRequest(request)) return null;
    this.onmessage?.(request);
    return this.#answer.promise;
  }
}

// Tools and call results in the format of MCP.

const hintsOf = ({ isReadOnly, isDestructive, isIdempotent = isReadOnly }: Tool) => ({
  readOnlyHint: isReadOnly,
  destructiveHint: isDestructive,
  idempotentHint: isIdempotent,
  // Tools neither read nor change anything outside this service.
  openWorldHint: false,
});

/** One entry of tools/list. */
export const listedTool = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: { ...inputSchemaOf(tool), type: 'object' as const },
  outputSchema: { ...outputSchemaOf(tool), type: 'object' as const },
  annotations: hintsOf(tool),
});

/**
 * Formats the result of a call.
 * @throws ProtocolError for errors that a model cannot fix by changing the arguments
 */
export const answerOf = (result: ToolCallResult, correlationId: string) => {
  if (result.kind === 'success') return successful(result.answer, correlationId);
  if (result.kind === 'refused') return failed(inWords(result.refusal), correlationId);
  if (result.kind === 'failed') return failed(defectInWords(correlationId), correlationId);
  throw refusedCall(result.kind, correlationId);
};

const successful = ({ structured, text }: ToolAnswer, correlationId: string) => ({
  content: [{ type: 'text' as const, text }],
  structuredContent: { ...structured },
  _meta: correlationMeta(correlationId),
});

const failed = (text: string, correlationId: string) => ({
  content: [{ type: 'text' as const, text }],
  isError: true,
  _meta: correlationMeta(correlationId),
});

/** Refusals name fields and never quote a value (`kernel/errors.ts`). */
const inWords = ({ code, message, details }: Refusal): string => {
  const fields = Object.entries(details.fields ?? {}).map(([field, reason]) => `- ${field}: ${reason}`);
  const { retryAfterSeconds: seconds } = details;
  const retry = seconds === undefined ? [] : [`Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`];
  return [`${code}: ${message}`, ...fields, ...retry].join('\n');
};

const defectInWords = (correlationId: string): string =>
  `INTERNAL: Something went wrong on our side. The operator of the service finds it in the log under ${correlationId}.`;

/** A forbidden tool and an unknown one look the same. */
const callErrors = {
  denied: {
    code: ProtocolErrorCode.InvalidParams,
    message:
      'This tool is not available: it does not exist, or it needs a scope that was not granted or is no longer held. tools/list returns the tools that you may call.',
  },
  unavailable,
} as const;

const refusedCall = (kind: keyof typeof callErrors, correlationId: string): ProtocolError => {
  const { code, message } = callErrors[kind];
  return new ProtocolError(code, message, { _meta: correlationMeta(correlationId) });
};
