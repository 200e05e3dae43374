/** From what the SDK answers to what goes over the wire: errors that quote nobody, and every tool call on record. */

import { isRecord } from '../kernel/records.ts';
import type { Exchange, ProtocolAnswer } from './protocol.ts';
import {
  errorBody,
  mismatchMessage,
  type RequestId,
  type RpcAnswer,
  type RpcError,
  rpcCodes,
  unavailable,
  unexplained,
  withCorrelation,
} from './rpc.ts';
import type { ToolCall } from './tool-calls.ts';

/** @param exchange what the answer is to; a tool call in it is on record afterwards, or the answer says unavailable */
export const finishAnswer = async (
  { status, body }: ProtocolAnswer,
  id: RequestId,
  { call, isUnavailable }: Exchange,
): Promise<RpcAnswer> => {
  if (isUnavailable) return { status: 503, body };
  const error = errorIn(body);
  if (call !== null && call.outcome === null) return rejectCall(call, id, status, error ?? unexplained);
  return error === null ? { status, body } : { status, body: errorBody(id, error), code: error.code };
};

/** Answers a tool call that never came to run, once that is on record. */
export const rejectCall = async (
  call: ToolCall,
  id: RequestId,
  status: number,
  error: RpcError,
): Promise<RpcAnswer> => {
  const isRecorded = await call.recordRejected();
  const shown = isRecorded ? error : unavailable;
  const body = errorBody(id, withCorrelation(shown, call.correlationId));
  return { status: isRecorded ? status : 503, body, code: shown.code };
};

/** The error that an answer is; null when it is a result. Results are long and are not read again. */
const errorIn = (body: string): RpcError | null => {
  if (!body.includes('"error":')) return null;
  const parsed: unknown = JSON.parse(body);
  if (!isRecord(parsed) || !isRecord(parsed['error'])) return null;
  const { code, message, data } = parsed['error'];
  if (typeof code !== 'number' || typeof message !== 'string') return unexplained;
  return { ...inOurWords(code, message), ...(isRecord(data) && code !== rpcCodes.headerMismatch ? { data } : {}) };
};

/** What the SDK says of these can quote the request, or is the report of a validator. */
const inOurWords = (code: number, message: string): RpcError => {
  if (code === rpcCodes.headerMismatch) {
    return { code, message: mismatchMessage };
  }
  const isReport = message.startsWith('[') || message.startsWith('Invalid tools/call request');
  return isReport ? { code: rpcCodes.invalidParams, message: wrongParams } : { code, message };
};

const wrongParams = 'The params of this request are not what its method takes.';
