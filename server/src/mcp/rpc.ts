/** JSON-RPC 2.0 as answers speak it: codes, errors, and the place of a correlation id (contract, "POST /mcp"). */
import type { ConnectionRule } from '../domain/connections/steps.ts';
import type { Refusal } from '../kernel/errors.ts';

export const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
  rateLimited: -32029,
} as const;

/** The words for `headerMismatch`. */
export const mismatchMessage = 'A header of the request is missing, or says something else than its body.';

/** MCP: a text or an integer; null where no request could be read. */
export type RequestId = string | number | null;

/** What goes over the wire; a null body is none. */
export interface RpcAnswer {
  readonly status: number;
  readonly body: string | null;
  /** Of an error. */
  readonly code?: number;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface RefusalFacts extends RpcError {
  /** HTTP status; 400 unless it says otherwise. */
  readonly status?: number;
  /** How the record of connections calls it; null when it does not concern it. */
  readonly rule: ConnectionRule | null;
  readonly detail?: string | null;
}

/** Why a message is not served. The sentence is ours and quotes nothing that was sent. */
export class RpcRefusal {
  readonly status: number;
  readonly error: RpcError;
  readonly rule: ConnectionRule | null;
  readonly detail: string | null;

  constructor({ status = 400, rule, detail = null, ...error }: RefusalFacts) {
    this.status = status;
    this.error = error;
    this.rule = rule;
    this.detail = detail;
  }
}

/** Something that the service needs does not answer. */
export const unavailable: RpcError = {
  code: rpcCodes.internal,
  message: 'The service is briefly unavailable. Try again in a moment.',
};

/** Too many messages: whoever sends the next one is told when. */
export const rateLimited = ({ code, message, details }: Refusal): RpcError => ({
  code: rpcCodes.rateLimited,
  message,
  data: { code, ...details },
});

/** A defect, which the log tells more of. */
export const unexplained: RpcError = { code: rpcCodes.internal, message: 'Something went wrong on our side.' };

const correlationKey = 'gatehouse/correlationId';

/** `_meta` of the answer to a tool call. */
export const correlationMeta = (correlationId: string): Readonly<Record<string, string>> => ({
  [correlationKey]: correlationId,
});

export const errorBody = (id: RequestId, error: RpcError): string => JSON.stringify({ jsonrpc: '2.0', id, error });

/** An error of a tool call: with the id under which it stands in the record. */
export const withCorrelation = (error: RpcError, correlationId: string): RpcError => ({
  ...error,
  data: { ...error.data, _meta: correlationMeta(correlationId) },
});
