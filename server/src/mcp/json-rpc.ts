/** JSON-RPC for Streamable HTTP: messages, errors, protocol versions and media types. */
import { orNull, parseJson } from '../kernel/attempts.ts';
import type { ConnectionRule, Refusal } from '../kernel/errors.ts';
import { isRecord, type JsonRecord } from '../kernel/records.ts';

// Answers: codes, errors, and the correlation id in `_meta` (contract/platform-mcp.md#correlation-and-audit-row).

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** The actor has no authority, or the client was not granted it; the HTTP status is 403. */
  forbidden: -32003,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  rateLimited: -32029,
} as const;

/** The message for `headerMismatch`. */
export const mismatchMessage = 'A header of the request is missing, or does not match its body.';

/** MCP: a string or an integer; null when no request could be read. */
export type RequestId = string | number | null;

/** The HTTP response; a null body sends none. */
export interface RpcAnswer {
  readonly status: number;
  readonly body: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface RpcRefusalOptions extends RpcError {
  /** HTTP status; default 400. */
  readonly status?: number;
  /** The rule in the connection log; null when it is not logged. */
  readonly rule: ConnectionRule | null;
  readonly detail?: string | null;
}

/** A refusal of a message. Its text is ours and quotes nothing from the request. */
export class RpcRefusal {
  readonly status: number;
  readonly error: RpcError;
  readonly rule: ConnectionRule | null;
  readonly detail: string | null;

  constructor({ status = 400, rule, detail = null, ...error }: RpcRefusalOptions) {
    this.status = status;
    this.error = error;
    this.rule = rule;
    this.detail = detail;
  }
}

/** The error when a dependency of the service does not answer. */
export const unavailable: RpcError = {
  code: rpcCodes.internal,
  message: 'The service is briefly unavailable. Try again in a moment.',
};

/** The error for a `requestState` that we did not issue for this call, or that has expired (MCP 2026-07-28). */
export const wrongState: RpcError = {
  code: rpcCodes.invalidParams,
  message: 'Invalid or expired requestState',
  data: { reason: 'invalid_request_state' },
};

/** The error when no permit is left; its details say when to retry. */
export const rateLimited = ({ code, message, details }: Refusal): RpcError => ({
  code: rpcCodes.rateLimited,
  message,
  data: { code, ...details },
});

/** The error for a defect; details are only in the log. */
export const unexplained: RpcError = { code: rpcCodes.internal, message: 'Something went wrong on our side.' };

const correlationKey = 'gatehouse/correlationId';

/** `_meta` of the answer to a tool call. */
export const correlationMeta = (correlationId: string): Readonly<Record<string, string>> => ({
  [correlationKey]: correlationId,
});

export const errorBody = (id: RequestId, error: RpcError): string => JSON.stringify({ jsonrpc: '2.0', id, error });

/** Adds the correlation id, under which the call is recorded, to the error of a tool call. */
export const withCorrelation = (error: RpcError, correlationId: string): RpcError => ({
  ...error,
  data: { ...error.data, _meta: correlationMeta(correlationId) },
});

// Parsing: from the bytes of a body to one JSON-RPC message, or a refusal.

/** A JSON-RPC request: it has an id and expects an answer. */
export interface RpcRequest {
  readonly kind: 'request';
  /** Null when the id is not valid; `refusal` is then set. */
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  /** The whole message. */
  readonly value: JsonRecord;
  readonly refusal: RpcRefusal | null;
}

export type Message =
  | RpcRequest
  /** A notification, or an answer to a request that was never sent: accepted and ignored. */
  | { readonly kind: 'silent'; readonly method: string; readonly params: unknown }
  | { readonly kind: 'unreadable'; readonly refusal: RpcRefusal };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Deeper than any tool argument, and safe for recursive code. */
const maxLevels = 64;
/** Ids are echoed in answers. */
const maxIdLength = 1024;

const malformed = (message: string, code: number = rpcCodes.invalidRequest): RpcRefusal =>
  new RpcRefusal({ code, message, rule: 'message_malformed' });

const unreadable = (refusal: RpcRefusal): Message => ({ kind: 'unreadable', refusal });

/** Parses and checks a body; never throws. */
export const readMessage = (bytes: Buffer): Message => {
  const text = orNull(() => utf8.decode(bytes));
  const value = text === null ? undefined : parseJson(text);
  if (value === undefined) return unreadable(malformed('The body is not JSON in UTF-8.', rpcCodes.parseError));
  if (Array.isArray(value)) return unreadable(malformed('Batches are not supported: send one message at a time.'));
  if (!isRecord(value)) return unreadable(malformed('The body is not a JSON-RPC message.'));
  const { id, method } = value;
  // Some clients write an absent member as null.
  const params = value['params'] ?? undefined;
  const refusal = shapeRefusal(value) ?? (isTooDeep(value) ? malformed('The message is nested too deeply.') : null);
  if (typeof method === 'string' && Object.hasOwn(value, 'id')) {
    return { kind: 'request', id: isRequestId(id) ? id : null, method, params, value, refusal };
  }
  return refusal === null
    ? { kind: 'silent', method: typeof method === 'string' ? method : '', params }
    : unreadable(refusal);
};

const isRequestId = (id: unknown): id is string | number =>
  typeof id === 'string' ? id.length <= maxIdLength : Number.isSafeInteger(id);

/** JSON-RPC 2.0, sections 4 and 5, as narrowed by MCP: params are an object, ids are strings or integers. */
const shapeRefusal = (value: JsonRecord): RpcRefusal | null => {
  if (value['jsonrpc'] !== '2.0') return malformed('The message does not declare jsonrpc 2.0.');
  const isQuestion = typeof value['method'] === 'string';
  if (!isQuestion && !isAnswer(value)) return malformed('The message has no method.');
  if (isQuestion && !isRecord(value['params'] ?? {})) {
    return malformed('The params of the message are not an object.');
  }
  if (!isQuestion || !Object.hasOwn(value, 'id') || isRequestId(value['id'])) return null;
  return malformed('The id of the message is neither a short string nor an integer.');
};

const isAnswer = (value: JsonRecord): boolean =>
  value['method'] === undefined && (Object.hasOwn(value, 'result') || Object.hasOwn(value, 'error'));

/** Recursion ends at the limit, so the sender does not control the depth of the call stack. */
const isTooDeep = (value: unknown, level = 0): boolean => {
  if (level === maxLevels) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => isTooDeep(each, level + 1));
};
