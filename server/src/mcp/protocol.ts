/**
 * The protocol itself, which the official SDK speaks: one server for each request, without sessions, over the
 * transport of the version that the client speaks. The SDK neither checks who calls nor records anything; what it would
 * do and this service does not (batches, streams) is refused before it.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  type McpHttpHandler,
  Server,
  type ServerOptions,
} from '@modelcontextprotocol/server';
import manifest from '../../package.json' with { type: 'json' };
import type { Actor } from '../domain/access/actor.ts';
import { isRecord } from '../kernel/records.ts';
import type { Logger } from '../platform/logger.ts';
import type { RpcRequest } from './message.ts';
import { OneAnswerTransport } from './one-answer-transport.ts';
import { errorBody, type RequestId, rpcCodes } from './rpc.ts';
import { listTools, type ToolCall } from './tool-calls.ts';
import { answerOf, listedTool } from './tools-on-the-wire.ts';
import { handshakeVersions, servedVersions } from './versions.ts';

/** What one request is about. */
export interface Exchange {
  readonly actor: Actor;
  /** Only of tools/call. */
  readonly call: ToolCall | null;
  /** Says how the answer ended; the SDK knows no status of its own for it. */
  isUnavailable: boolean;
}

/** What the SDK answers, before it goes over the wire. */
export interface ProtocolAnswer {
  readonly status: number;
  readonly body: string;
}

/** The headers that belong to the protocol. */
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
    'Control plane of Gatehouse for super admins: sessions, people, organizations and invitations. Every call is recorded. Tools that change something take dryRun: call them with dryRun true first, show the person what would change, and change it only when they agree.',
  // What a person may call changes at any time.
  cacheHints: { 'tools/list': { ttlMs: 0, cacheScope: 'private' } },
  // It would be for answers to questions, and none is ever asked; the SDK's own would be built for each request.
  jsonSchemaValidator: {
    getValidator: () => () => {
      throw new Error('Nothing is ever asked of a client');
    },
  },
};

const url = 'http://gatehouse.invalid/mcp';

/** Whatever a client accepts beside JSON, the answer is JSON; both types are what the SDK insists on. */
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

  /** Serves a request that is well-formed, in a version that is served. */
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

  /** Versions before 2026-07-28. A handshake may name any version in its header; it counts for nothing there. */
  async #serveAfterHandshake(message: RpcRequest, exchange: Exchange): Promise<ProtocolAnswer> {
    const server = this.#newServer(exchange);
    const transport = new OneAnswerTransport();
    await server.connect(transport);
    // Neither is closed: they hold no timer and no stream, and the SDK would report an end that nobody waits for.
    const answer = await transport.ask(message.value);
    return answer === null ? unknownShape(message.id) : { status: 200, body: JSON.stringify(answer) };
  }

  // The high-level server refuses calls before they can be recorded, and costs three times as much: this is the use that
  // the deprecation leaves open.
  // oxlint-disable-next-line typescript/no-deprecated
  #newServer(exchange: Exchange): Server {
    // oxlint-disable-next-line typescript/no-deprecated
    const server = new Server(identity, options);
    server.onerror = (error) => this.#noteTrouble(error);
    server.setRequestHandler('tools/list', () => ({ tools: listTools(exchange.actor).map(listedTool) }));
    server.setRequestHandler('tools/call', () => answerCall(exchange));
    return server;
  }

  /** What clients do wrong, which their answers say too; its message may quote them. */
  #noteTrouble({ name }: Error): void {
    this.#logger.debug({ event: 'mcp.request_refused', name }, 'The protocol refused a request');
  }
}

/** The SDK hands it on, as it is, to whoever makes its server. */
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

/** The SDK names the revisions that it serves without a handshake; the others are served here too. */
const withServedVersions = (body: string): string => {
  const answer: unknown = JSON.parse(body);
  if (!isRecord(answer) || !isRecord(answer['result'])) return body;
  return JSON.stringify({ ...answer, result: { ...answer['result'], supportedVersions: servedVersions } });
};

const unknownShape = (id: RequestId): ProtocolAnswer => ({
  status: 400,
  body: errorBody(id, { code: rpcCodes.invalidRequest, message: 'The message is not a request of this protocol.' }),
});

const answerCall = async (exchange: Exchange) => {
  const { call } = exchange;
  if (call === null) throw new Error('A tool is called that nobody records');
  const result = await call.run();
  exchange.isUnavailable = result.kind === 'unavailable';
  return answerOf(result, call.correlationId);
};
