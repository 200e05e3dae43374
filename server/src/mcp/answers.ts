/**
 * Answers of the Model Context Protocol, as JSON. What does not depend on the request is serialized once: the handshake,
 * the discovery, and the list of tools for each set of tools that an actor may call.
 */
import { LRUCache } from 'lru-cache';
import manifest from '../../package.json' with { type: 'json' };
import { inputSchemaOf, outputSchemaOf, type Tool, type ToolAnswer } from '../domain/tools/tool.ts';
import type { Refusal } from '../kernel/errors.ts';
import { atMost } from '../platform/caches.ts';
import { correlationMeta, type RequestId, type RpcError, rpcCodes, unavailable } from './json-rpc.ts';
import { type Era, handshakeVersions, servedVersions } from './revisions.ts';
import type { ToolCallResult } from './tool-calls.ts';

const identity = { name: 'gatehouse', title: 'Gatehouse Platform MCP', version: manifest.version };
const capabilities = { tools: {} };
const instructions =
  'Control plane of Gatehouse for super admins: sessions, people, organizations and invitations. Every call is recorded. Tools that change something take dryRun: call them with dryRun true first, show the person what would change, and make the change only if they agree.';

/** `_meta` of each result of 2026-07-28. */
const ownMeta = { 'io.modelcontextprotocol/serverInfo': identity };

/** The members of each result of an era, besides its own. */
const commonOf: Readonly<Record<Era, { readonly result: object; readonly meta: object }>> = {
  handshake: { result: {}, meta: {} },
  request: { result: { resultType: 'complete' }, meta: ownMeta },
};

/** The body of an answer, from its result as JSON. */
export const resultBody = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;

export const pong = '{}';

/** The result of `initialize`; a version that is not served is answered with the newest. */
export const handshake = (requested: string): string => {
  const [newest] = handshakeVersions;
  const protocolVersion = handshakeVersions.includes(requested) ? requested : newest;
  return JSON.stringify({ protocolVersion, capabilities, serverInfo: identity, instructions });
};

/** The tools that a person may call can change at any time. */
const notCached = { ttlMs: 0, cacheScope: 'private' };

/** The result of `server/discover`. */
export const discovery = JSON.stringify({
  supportedVersions: servedVersions,
  capabilities,
  instructions,
  ...commonOf.request.result,
  ...notCached,
  _meta: ownMeta,
});

// tools/list.

const hintsOf = ({ isReadOnly, isDestructive, isIdempotent = isReadOnly }: Tool) => ({
  readOnlyHint: isReadOnly,
  destructiveHint: isDestructive,
  idempotentHint: isIdempotent,
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

/** There are as many lists as sets of scopes; a list takes some 10 KB. */
const lists = new LRUCache<string, string>({ ...atMost(64) });

/** The result of `tools/list`, serialized once for the same tools. */
export const toolList = (tools: readonly Tool[], era: Era): string => {
  const key = `${era} ${tools.map(({ name }) => name).join(' ')}`;
  const known = lists.get(key);
  if (known !== undefined) return known;
  const cached = era === 'request' ? { ...notCached, _meta: ownMeta } : {};
  const list = JSON.stringify({ tools: tools.map(listedTool), ...commonOf[era].result, ...cached });
  lists.set(key, list);
  return list;
};

// tools/call.

/** The answer to a call: the JSON of a result, or an error for what a model cannot fix by changing the arguments. */
type CallAnswer = { readonly result: string } | { readonly error: RpcError };

/** Formats the result of a call. */
export const callAnswer = (called: ToolCallResult, correlationId: string, era: Era): CallAnswer => {
  if (called.kind === 'success') return { result: successful(called.answer, correlationId, era) };
  if (called.kind === 'refused') return { result: failed(inWords(called.refusal), correlationId, era) };
  if (called.kind === 'failed') return { result: failed(defectInWords(correlationId), correlationId, era) };
  return { error: callErrors[called.kind] };
};

/** The structured content is in the answer already serialized, so it is not serialized again. */
const successful = ({ json, text }: ToolAnswer, correlationId: string, era: Era): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${json},${endOf(correlationId, era)}`;

const failed = (text: string, correlationId: string, era: Era): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true,${endOf(correlationId, era)}`;

/** The members that end every result of a call. */
const endOf = (correlationId: string, era: Era): string => {
  const { result, meta } = commonOf[era];
  return JSON.stringify({ _meta: { ...correlationMeta(correlationId), ...meta }, ...result }).slice(1);
};

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
const callErrors: Readonly<Record<'denied' | 'unavailable', RpcError>> = {
  denied: {
    code: rpcCodes.invalidParams,
    message:
      'This tool is not available: it does not exist, or it needs a scope that was not granted or is no longer held. tools/list returns the tools that you may call.',
  },
  unavailable,
};
