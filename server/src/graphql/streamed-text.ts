/**
 * A text of an answer that is too long to be held: its field resolves to a placeholder, where the chunks of the text
 * are sent as they are read. The answer has the form that it has with the whole text.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { randomHex } from '../kernel/secrets.ts';
import { tooCostly } from './limits.ts';

/** A client that reads more slowly is cut off: what the text is read from is not held for it. */
const mostMilliseconds = 10 * 60_000;

interface StreamedText {
  readonly placeholder: string;
  readonly chunks: AsyncIterable<string>;
}

const texts = new WeakMap<FastifyReply, StreamedText>();

/**
 * @param chunks read one at a time, each once the client has taken the one before, in the context of the caller
 * @returns what the field resolves to
 * @throws Refusal OPERATION_TOO_COSTLY: the answer has such a text already
 */
export const streamText = (reply: FastifyReply, chunks: AsyncIterable<string>): string => {
  if (texts.has(reply)) throw tooCostly('A request can ask for one such text.');
  const iterator = chunks[Symbol.asyncIterator]();
  const next = AsyncLocalStorage.bind(() => iterator.next());
  const inContext = { next, return: async () => (await iterator.return?.()) ?? { done: true, value: undefined } };
  const placeholder = randomHex(32);
  texts.set(reply, { placeholder, chunks: { [Symbol.asyncIterator]: () => inContext } });
  return placeholder;
};

/**
 * @param body JSON
 * @param failed called when the text cannot be read to its end: the answer, of which a part is sent, is cut off
 * @returns the body, as a stream where it has a streamed text
 */
export const withStreamedText = (
  reply: FastifyReply,
  body: string,
  failed: (error: unknown) => void,
): string | Readable => {
  const text = texts.get(reply);
  const [head, tail] = text === undefined ? [] : body.split(text.placeholder);
  if (text === undefined || head === undefined || tail === undefined) return body;
  const signal = AbortSignal.timeout(mostMilliseconds);
  return Readable.from(composed(head, text.chunks, tail, failed), { highWaterMark: 1, signal });
};

const composed = async function* (
  head: string,
  chunks: AsyncIterable<string>,
  tail: string,
  failed: (error: unknown) => void,
): AsyncGenerator<string> {
  yield head;
  try {
    for await (const chunk of chunks) yield JSON.stringify(chunk).slice(1, -1);
  } catch (error) {
    failed(error);
    throw error;
  }
  yield tail;
};
