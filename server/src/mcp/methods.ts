/**
 * The methods of the Model Context Protocol that are served, with the params that each takes. Features that are not
 * offered (resources, prompts, streams) are unknown methods.
 */
import { z } from 'zod';
import { isRecord, type JsonRecord } from '../kernel/records.ts';
import { commonMeta, handshakeCapabilities, implementation } from './client-metadata.ts';
import { type Message, RpcRefusal, type RpcRequest, rpcCodes, wrongState } from './json-rpc.ts';
import { type Mode, modeOf, type ProtocolHeaders, versionRefusal } from './revisions.ts';

/** The meaning of a request. */
export type McpRequest =
  | { readonly kind: 'handshake'; readonly mode: Mode; readonly protocolVersion: string }
  | { readonly kind: 'ping' | 'discovery' | 'list' | 'call'; readonly mode: Mode };

/**
 * @returns null for a message that is accepted and ignored; the refusal when its version, members, metadata, headers,
 *   method or params are not those of the protocol
 */
export const mcpRequestOf = (message: Message, headers: ProtocolHeaders): McpRequest | RpcRefusal | null => {
  if (message.kind === 'unreadable') return message.refusal;
  const { kind, method, params } = message;
  const malformed = kind === 'request' ? message.refusal : null;
  const refusal = malformed ?? versionRefusal(method, params, headers.version) ?? streamRefusal(method);
  if (refusal !== null) return refusal;
  return kind === 'request' ? readRequest(message, headers) : null;
};

const readRequest = (request: RpcRequest, headers: ProtocolHeaders): McpRequest | RpcRefusal => {
  if (!hasRequestShape(request)) return unknownShape;
  const mode = modeOf(request, headers);
  return mode instanceof RpcRefusal ? mode : readMethod(request, mode);
};

// The members of a request, which are the same for all methods.

const members = new Set(['jsonrpc', 'id', 'method', 'params']);

const hasRequestShape = ({ value, params }: RpcRequest): boolean =>
  Object.keys(value).every((name) => members.has(name)) && isCommonMeta(isRecord(params) ? params['_meta'] : undefined);

const isCommonMeta = (meta: unknown): boolean => meta === undefined || commonMeta.safeParse(meta).success;

const unknownShape = new RpcRefusal({
  code: rpcCodes.invalidRequest,
  message: 'The message is not a valid request of this protocol.',
  rule: 'message_malformed',
});

// Methods by mode, and their params. `_meta` was checked before.

type Read = (params: JsonRecord | undefined, mode: Mode) => McpRequest | null;

const initialize: Read = (params, mode) => {
  const parsed = handshakeParams.safeParse(params);
  return parsed.success ? { kind: 'handshake', mode, protocolVersion: parsed.data.protocolVersion } : null;
};

const list: Read = (params, mode) => {
  const cursor = params?.['cursor'];
  return cursor === undefined || typeof cursor === 'string' ? { kind: 'list', mode } : null;
};

const call: Read = (params, mode) => {
  if (params === undefined || typeof params['name'] !== 'string') return null;
  const { arguments: given, task } = params;
  const isValid = (given === undefined || isRecord(given)) && (mode === 'request' || isTask(task));
  return isValid ? { kind: 'call', mode } : null;
};

const methods: Readonly<Record<Mode, ReadonlyMap<string, Read>>> = {
  handshake: new Map<string, Read>([
    ['initialize', initialize],
    ['ping', (_params, mode) => ({ kind: 'ping', mode })],
    ['tools/list', list],
    ['tools/call', call],
  ]),
  request: new Map<string, Read>([
    ['server/discover', (_params, mode) => ({ kind: 'discovery', mode })],
    ['tools/list', list],
    ['tools/call', call],
  ]),
};

const readMethod = ({ method, params }: RpcRequest, mode: Mode): McpRequest | RpcRefusal => {
  const read = methods[mode].get(method);
  if (read === undefined) return unknownMethod[mode];
  const given = isRecord(params) ? params : undefined;
  const asked = read(given, mode);
  if (asked === null) return wrongParams;
  return asked.kind === 'call' && !isRequestState(given?.['requestState']) ? wrongRequestState : asked;
};

const handshakeParams = z.object({
  protocolVersion: z.string(),
  capabilities: handshakeCapabilities,
  clientInfo: implementation,
});

/** A request to run as a task (2025-11-25), which the server does not offer; only its form is checked. */
const isTask = (task: unknown): boolean =>
  task === undefined || (isRecord(task) && (task['ttl'] === undefined || typeof task['ttl'] === 'number'));

/** The state of an earlier answer that requested input; only its form is checked here. */
const isRequestState = (state: unknown): boolean => state === undefined || typeof state === 'string';

const notFound = (status: number): RpcRefusal =>
  new RpcRefusal({ status, code: rpcCodes.methodNotFound, message: 'Method not found', rule: null });

/** A stream of notifications (2026-07-28) would stay open; there are none, so every revision refuses it. */
const streamRefusal = (method: string): RpcRefusal | null => (method === 'subscriptions/listen' ? noStream : null);

const noStream = notFound(404);

const unknownMethod: Readonly<Record<Mode, RpcRefusal>> = { handshake: notFound(200), request: notFound(404) };

const wrongParams = new RpcRefusal({
  status: 200,
  code: rpcCodes.invalidParams,
  message: 'The params are not valid for this method.',
  rule: null,
});

const wrongRequestState = new RpcRefusal({ ...wrongState, status: 200, rule: null });
