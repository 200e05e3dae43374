/** Answers of the Model Context Protocol, as JSON. What does not depend on the request is serialized once. */
import type { AnyTool, ToolAnswer } from '../domain/tools/tool.ts';
import { inputSchemaOf, outputSchemaOf } from '../domain/tools/tool-schemas.ts';
import { getOrInsert } from '../kernel/collections.ts';
import type { Refusal } from '../kernel/errors.ts';
import { declinedInWords, type Question } from './confirmation.ts';
import { correlationMeta, type RequestId, type RpcError, rpcCodes, unavailable, wrongState } from './json-rpc.ts';
import { handshakeVersions, type Mode, servedVersions } from './revisions.ts';
import type { ServerInfo, Surface, ToolCallResult } from './surface.ts';

/** A server with what it tells clients of its use. */
type Introduced = Pick<Surface, 'info' | 'instructions'>;

const capabilities = { tools: {} };

/** The members of each result of a mode, besides its own; `_meta` of 2026-07-28 names the server. */
const commonOf = (mode: Mode, info: ServerInfo): { readonly result: object; readonly meta: object } =>
  mode === 'handshake'
    ? { result: {}, meta: {} }
    : { result: { resultType: 'complete' }, meta: { 'io.modelcontextprotocol/serverInfo': info } };

/** The body of an answer, from its result as JSON. */
export const resultBody = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export const pong = '{}';

/** The result of `initialize`; a version that is not served is answered with the newest. */
export const handshake = (requested: string, { info: serverInfo, instructions }: Introduced): string => {
  const [newest] = handshakeVersions;
  const protocolVersion = handshakeVersions.includes(requested) ? requested : newest;
  return JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions });
};

/** The tools that a person may call can change at any time. */
const notCached = { ttlMs: 0, cacheScope: 'private' };

/** The result of `server/discover`. */
export const discovery = ({ info, instructions }: Introduced): string => {
  const { result, meta } = commonOf('request', info);
  return JSON.stringify({
    supportedVersions: servedVersions,
    capabilities,
    instructions,
    ...result,
    ...notCached,
    _meta: meta,
  });
};

// tools/list.

/** For a tool that only reads, the other two have no meaning (MCP, ToolAnnotations). */
const hintsOf = ({ isReadOnly, isDestructive, isIdempotent = false }: AnyTool) => ({
  readOnlyHint: isReadOnly,
  ...(isReadOnly ? {} : { destructiveHint: isDestructive, idempotentHint: isIdempotent }),
  // Tools neither read nor change anything outside this service and its application.
  openWorldHint: false,
});

const listedTool = (tool: AnyTool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: { ...inputSchemaOf(tool), type: 'object' },
  outputSchema: { ...outputSchemaOf(tool), type: 'object' },
  annotations: hintsOf(tool),
});

/** By the tool itself: tools of one name differ between applications. */
const listedTools = new WeakMap<AnyTool, string>();

const jsonOf = (tool: AnyTool): string => getOrInsert(listedTools, tool, () => JSON.stringify(listedTool(tool)));

/** The result of `tools/list`; each tool is serialized once. */
export const toolList = (tools: readonly AnyTool[], mode: Mode, info: ServerInfo): string => {
  const { result, meta } = commonOf(mode, info);
  const rest = JSON.stringify({ ...result, ...(mode === 'request' ? { ...notCached, _meta: meta } : {}) }).slice(1);
  return `{"tools":[${tools.map(jsonOf).join(',')}]${rest === '}' ? rest : `,${rest}`}`;
};

// tools/call.

/** The answer to a call: the JSON of a result, or an error for what a model cannot fix by changing the arguments. */
type CallAnswer = { readonly result: string } | { readonly error: RpcError };

/** The end of every result of a call. */
interface CallFrame {
  readonly correlationId: string;
  readonly mode: Mode;
  readonly surface: Pick<Surface, 'info' | 'unknownTool'>;
}

/** Formats the result of a call. */
export const callAnswer = (called: ToolCallResult, frame: CallFrame): CallAnswer => {
  if (called.kind === 'success') return { result: successful(called.answer, frame) };
  if (called.kind === 'question') return { result: asking(called.question, frame) };
  if (called.kind === 'declined') return { result: failed(declinedInWords, frame) };
  if (called.kind === 'refused') return { result: failed(inWords(called.refusal), frame) };
  if (called.kind === 'said') return { result: failed(called.text, frame) };
  if (called.kind === 'failed') return { result: failed(defectInWords(frame.correlationId), frame) };
  if (called.kind === 'challenged') return { error: scopesNotGranted(called.scopes) };
  if (called.kind === 'wrong_state') return { error: wrongState };
  return { error: called.kind === 'denied' ? unknownTool(frame.surface) : unavailable };
};

/** The structured content is in the answer already serialized, so it is not serialized again. */
const successful = ({ json, text }: ToolAnswer, frame: CallFrame): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${json},${endOf(frame)}`;

const failed = (text: string, frame: CallFrame): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true,${endOf(frame)}`;

/** Only a revision with the mode `request` has this kind of result. */
const asking = (question: Question, { correlationId, surface }: CallFrame): string => {
  const _meta = { ...correlationMeta(correlationId), ...commonOf('request', surface.info).meta };
  return JSON.stringify({ resultType: 'input_required', ...question, _meta });
};

/** The members that end every result of a call. */
const endOf = ({ correlationId, mode, surface }: CallFrame): string => {
  const { result, meta } = commonOf(mode, surface.info);
  return JSON.stringify({ _meta: { ...correlationMeta(correlationId), ...meta }, ...result }).slice(1);
};

/** Refusals name fields and never quote a value (`kernel/errors.ts`). */
const inWords = ({ code, message, details }: Refusal): string => {
  const fields = Object.entries(details.fields ?? {}).map(([field, reason]) => `- ${field}: ${reason}`);
  const { retryAfterSeconds: seconds } = details;
  const retry = seconds === undefined ? [] : [`Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`];
  const count = details.count === undefined ? [] : [`- count: ${details.count}`];
  return [`${code}: ${message}`, ...fields, ...count, ...retry].join('\n');
};

const defectInWords = (correlationId: string): string =>
  `INTERNAL: Something went wrong on our side. The operator of the service finds it in the log under ${correlationId}.`;

const unknownTool = ({ unknownTool: message }: Pick<Surface, 'unknownTool'>): RpcError => ({
  code: rpcCodes.invalidParams,
  message,
});

/** @param scopes granted and needed */
const scopesNotGranted = (scopes: readonly string[]): RpcError => ({
  code: rpcCodes.forbidden,
  message:
    'This call needs scopes that were not granted to this client. Ask the person to connect the client again with the scopes in the header www-authenticate.',
  data: { code: 'insufficient_scope', scopes },
});
