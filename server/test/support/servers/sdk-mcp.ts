/**
 * The official SDK as a server of the same protocol: what it answers to a message, without authentication and without
 * real tools. The dispatch of the service is compared with it.
 */
import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolError,
  Server,
  type Transport,
} from '@modelcontextprotocol/server';
import { catalogue } from '../../../src/domain/tools/catalogue.ts';
import { inputSchemaOf, outputSchemaOf } from '../../../src/domain/tools/tool-schemas.ts';
import { handshakeVersions } from '../../../src/mcp/revisions.ts';

export interface SdkAnswer {
  readonly status: number;
  /** A JSON-RPC answer. */
  readonly body: { readonly result?: Readonly<Record<string, unknown>>; readonly error?: { readonly code: number } };
}

/** The tools are not run: a known one answers nothing, an unknown one is refused as the service refuses it. */
// oxlint-disable-next-line typescript/no-deprecated
const newServer = (): Server => {
  // oxlint-disable-next-line typescript/no-deprecated
  const server = new Server(
    { name: 'oracle', version: '1' },
    { capabilities: { tools: {} }, supportedProtocolVersions: [...handshakeVersions] },
  );
  server.setRequestHandler('tools/list', () => ({ tools: catalogue.map(listed) }));
  server.setRequestHandler('tools/call', ({ params }) => {
    if (catalogue.some(({ name }) => name === params.name)) return { content: [] };
    throw new ProtocolError(-32602, 'There is no such tool');
  });
  return server;
};

const listed = (tool: (typeof catalogue)[number]) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: { ...inputSchemaOf(tool), type: 'object' as const },
  outputSchema: { ...outputSchemaOf(tool), type: 'object' as const },
});

const handler = createMcpHandler(newServer, { legacy: 'reject', onerror: () => undefined });

/** Answers a JSON-RPC request with these headers, in whichever revision it is for. */
export const askSdk = async (message: unknown, headers: Readonly<Record<string, string>>): Promise<SdkAnswer> => {
  const outcome = classifyInboundRequest({
    httpMethod: 'POST',
    ...named('protocolVersionHeader', headers['mcp-protocol-version']),
    ...named('mcpMethodHeader', headers['mcp-method']),
    ...named('mcpNameHeader', headers['mcp-name']),
    body: message,
  });
  if (outcome.kind === 'legacy' && isJSONRPCRequest(message)) return { status: 200, body: await askServer(message) };
  const request = new Request('http://gatehouse.invalid/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
  });
  const response = await handler.fetch(request, { parsedBody: message });
  return { status: response.status, body: (await response.json()) as SdkAnswer['body'] };
};

const named = (name: string, value: string | undefined): Readonly<Record<string, string>> =>
  value === undefined ? {} : { [name]: value };

/** One exchange over a transport in memory. */
const askServer = async (message: JSONRPCMessage): Promise<SdkAnswer['body']> => {
  const { promise, resolve } = Promise.withResolvers<SdkAnswer['body']>();
  const transport: Transport = {
    start: async () => undefined,
    close: async () => undefined,
    send: async (answer) => {
      if ('result' in answer || 'error' in answer) resolve(answer);
    },
  };
  await newServer().connect(transport);
  transport.onmessage?.(message);
  return promise;
};
