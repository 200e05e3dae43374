/**
 * The SDK's transport for one request and its one answer, in memory: what comes over HTTP was read and checked before,
 * and goes out as JSON after. The SDK's own transport for HTTP reads each message half a dozen times more and answers
 * with a stream.
 */
import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import type { JsonRecord } from '../kernel/records.ts';

export class OneAnswerTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #answer = Promise.withResolvers<JSONRPCMessage>();

  /** There is nothing to open. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  /** Notifications have nowhere to go: there is no stream. */
  async send(message: JSONRPCMessage): Promise<void> {
    if ('result' in message || 'error' in message) this.#answer.resolve(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  /**
   * @param request a JSON-RPC request; the transport has been connected to a server
   * @returns the server's answer; null when the SDK does not take it for a request
   */
  async ask(request: JsonRecord): Promise<JSONRPCMessage | null> {
    if (!isJSONRPCRequest(request)) return null;
    this.onmessage?.(request);
    return this.#answer.promise;
  }
}
