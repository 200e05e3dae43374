/** From the bytes of a body to one JSON-RPC message, or why it is none. Pure. */
import { isRecord, type JsonRecord } from '../kernel/records.ts';
import { type RequestId, RpcRefusal, rpcCodes } from './rpc.ts';

/** A message that wants an answer. */
export interface RpcRequest {
  readonly kind: 'request';
  /** Null when it cannot be one; then there is a refusal. */
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** The whole of it. */
  readonly value: JsonRecord;
  readonly refusal: RpcRefusal | null;
}

export type Message =
  | RpcRequest
  /** A notification, or an answer to a question that nobody asked: taken and let go. */
  | { readonly kind: 'silent'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'unreadable'; readonly refusal: RpcRefusal };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Deeper than any argument of a tool, and nothing that a recursion would mind. */
const mostLevels = 64;
/** Ids are given back. */
const longestId = 1024;

const malformed = (message: string, code: number = rpcCodes.invalidRequest): RpcRefusal =>
  new RpcRefusal({ code, message, rule: 'message_malformed' });

const unreadable = (refusal: RpcRefusal): Message => ({ kind: 'unreadable', refusal });

/** Never throws. */
export const readMessage = (bytes: Buffer): Message => {
  const parsed = parse(bytes);
  if (parsed === null) return unreadable(malformed('The body is not JSON in UTF-8.', rpcCodes.parseError));
  const { value } = parsed;
  if (Array.isArray(value)) return unreadable(malformed('Batches are not supported: send one message at a time.'));
  if (!isRecord(value)) return unreadable(malformed('The body is not a JSON-RPC message.'));
  const { id, method, params } = value;
  const refusal = shapeRefusal(value) ?? (isTooDeep(value) ? malformed('The message is nested too deeply.') : null);
  if (typeof method === 'string' && Object.hasOwn(value, 'id')) {
    return { kind: 'request', id: isRequestId(id) ? id : null, method, params, value, refusal };
  }
  return refusal === null
    ? { kind: 'silent', method: typeof method === 'string' ? method : '', params }
    : unreadable(refusal);
};

const parse = (bytes: Buffer): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(utf8.decode(bytes)) };
  } catch {
    return null;
  }
};

const isRequestId = (id: unknown): id is string | number =>
  typeof id === 'string' ? id.length <= longestId : Number.isSafeInteger(id);

/** JSON-RPC 2.0, sections 4 and 5, as MCP narrows them: params are an object, ids are texts or integers. */
const shapeRefusal = (value: JsonRecord): RpcRefusal | null => {
  if (value['jsonrpc'] !== '2.0') return malformed('The message does not say that it is JSON-RPC 2.0.');
  const isQuestion = typeof value['method'] === 'string';
  if (!isQuestion && !isAnswer(value)) return malformed('The message names no method.');
  if (isQuestion && value['params'] !== undefined && !isRecord(value['params'])) {
    return malformed('The params of the message are not an object.');
  }
  if (!isQuestion || !Object.hasOwn(value, 'id') || isRequestId(value['id'])) return null;
  return malformed('The id of the message is neither a short text nor an integer.');
};

const isAnswer = (value: JsonRecord): boolean =>
  value['method'] === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));

/** Level by level: a recursion would end where the sender likes. */
const isTooDeep = (message: JsonRecord): boolean => {
  let level: readonly unknown[] = [message];
  for (let depth = 0; depth < mostLevels; depth += 1) {
    level = level.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
};
