/**
 * Answers of the Model Context Protocol, as JSON. What does not depend on the request is serialized once: the handshake,
 * the discovery, and the list of tools for each set of tools that an actor may call.
 */
import { LRUCache } from 'lru-cache';
import manifest from '../../package.json' with { type: 'json' };
import type { Tool, ToolAnswer } from '../domain/tools/tool.ts';
import { inputSchemaOf, outputSchemaOf } from '../domain/tools/tool-schemas.ts';
import type { Refusal } from '../kernel/errors.ts';
import { atMost } from '../platform/caches.ts';
import { declinedInWords, type Question } from './confirmation.ts';
import { correlationMeta, type RequestId, type RpcError, rpcCodes, unavailable, wrongState } from './json-rpc.ts';
import { type Era, handshakeVersions, servedVersions } from './revisions.ts';
import type { ToolCallResult } from './tool-calls.ts';

/** The server as it describes itself to clients (MCP, Implementation): the name is technical, the title is for people. */
export interface ServerInfo {
  readonly name: string;
  readonly title: string;
  readonly version: string;
}

/** @param applicationName the application's, as people see it */
export const serverInfoOf = (applicationName: string): ServerInfo => ({
  name: 'gatehouse',
  title: `${applicationName} Platform MCP`,
  version: manifest.version,
});

const capabilities = { tools: {} };
const instructions =
  'Control plane of Gatehouse for super admins: sessions, people, organizations and invitations. Every call is recorded. Tools that change something take dryRun: call them with dryRun true first, show the person what would change, and make the change only if they agree. A client with elicitation asks them before a destructive call.';

/** The members of each result of an era, besides its own; `_meta` of 2026-07-28 names the server. */
const commonOf = (era: Era, info: ServerInfo): { readonly result: object; readonly meta: object } =>
  era === 'handshake'
    ? { result: {}, meta: {} }
    : { result: { resultType: 'complete' }, meta: { 'io.modelcontextprotocol/serverInfo': info } };

/** The body of an answer, from its result as JSON. */
export const resultBody = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export const pong = '{}';

/** The result of `initialize`; a version that is not served is answered with the newest. */
export const handshake = (requested: string, serverInfo: ServerInfo): string => {
  const [newest] = handshakeVersions;
  const protocolVersion = handshakeVersions.includes(requested) ? requested : newest;
  return JSON.stringify({ protocolVersion, capabilities, serverInfo, instructions });
};

/** The tools that a person may call can change at any time. */
const notCached = { ttlMs: 0, cacheScope: 'private' };

/** The result of `server/discover`. */
export const discovery = (info: ServerInfo): string => {
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
const hintsOf = ({ isReadOnly, isDestructive, isIdempotent = false }: Tool) => ({
  readOnlyHint: isReadOnly,
  ...(isReadOnly ? {} : { destructiveHint: isDestructive, idempotentHint: isIdempotent }),
  // Tools neither read nor change anything outside this service.
  openWorldHint: false,
});

const listedTool = (tool: Tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: { ...inputSchemaOf(tool), type: 'object' },
  outputSchema: { ...outputSchemaOf(tool), type: 'object' },
  annotations: hintsOf(tool),
});

/** There are as many lists as sets of scopes; a list takes some 23 KB. */
const lists = new LRUCache<string, string>({ ...atMost(64) });

/** The result of `tools/list`, serialized once for the same tools. */
export const toolList = (tools: readonly Tool[], era: Era, info: ServerInfo): string => {
  const key = `${era} ${tools.map(({ name }) => name).join(' ')} ${info.title}`;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const { result, meta } = commonOf(era, info);
  const cached = era === 'request' ? { ...notCached, _meta: meta } : {};
  const list = JSON.stringify({ tools: tools.map(listedTool), ...result, ...cached });
  lists.set(key, list);
  return list;
};

// tools/call.

/** The answer to a call: the JSON of a result, or an error for what a model cannot fix by changing the arguments. */
type CallAnswer = { readonly result: string } | { readonly error: RpcError };

/** What ends every result of a call. */
interface CallFrame {
  readonly correlationId: string;
  readonly era: Era;
  readonly info: ServerInfo;
}

/** Formats the result of a call. */
export const callAnswer = (called: ToolCallResult, frame: CallFrame): CallAnswer => {
  if (called.kind === 'success') return { result: successful(called.answer, frame) };
  if (called.kind === 'question') return { result: asking(called.question, frame) };
  if (called.kind === 'declined') return { result: failed(declinedInWords, frame) };
  if (called.kind === 'refused') return { result: failed(inWords(called.refusal), frame) };
  if (called.kind === 'failed') return { result: failed(defectInWords(frame.correlationId), frame) };
  return { error: callErrors[called.kind] };
};

/** The structured content is in the answer already serialized, so it is not serialized again. */
const successful = ({ json, text }: ToolAnswer, frame: CallFrame): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${json},${endOf(frame)}`;

const failed = (text: string, frame: CallFrame): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true,${endOf(frame)}`;

/** Only a revision of the era `request` has this kind of result. */
const asking = (question: Question, { correlationId, info }: CallFrame): string => {
  const _meta = { ...correlationMeta(correlationId), ...commonOf('request', info).meta };
  return JSON.stringify({ resultType: 'input_required', ...question, _meta });
};

/** The members that end every result of a call. */
const endOf = ({ correlationId, era, info }: CallFrame): string => {
  const { result, meta } = commonOf(era, info);
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

/** A forbidden tool and an unknown one look the same. */
const callErrors: Readonly<Record<'denied' | 'unavailable' | 'wrong_state', RpcError>> = {
  denied: {
    code: rpcCodes.invalidParams,
    message:
      'This tool is not available: it does not exist, it needs a scope that was not granted or is no longer held, or the account has no second factor where the operator requires one of super admins. tools/list returns the tools that you may call.',
  },
  unavailable,
  wrong_state: wrongState,
};
