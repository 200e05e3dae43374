/** A long text in an answer: sent piece by piece, no faster than the client takes it, in the form of the whole text. */
import { text } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { streamText, withStreamedText } from '../../src/graphql/streamed-text.ts';
import { withContext, workInProgress } from '../../src/platform/observability/context.ts';

const newReply = (): FastifyReply => ({}) as FastifyReply;

const neverFails = (error: unknown): void => {
  throw error;
};

const stream = (reply: FastifyReply, chunks: AsyncIterable<string>, failed = neverFails) => {
  const answer = withStreamedText(
    reply,
    JSON.stringify({ data: { json: streamText(reply, chunks), after: 1 } }),
    failed,
  );
  if (typeof answer === 'string') throw new Error('Not streamed');
  return answer;
};

const each = async function* (chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
};

describe('A streamed text', () => {
  it('has the form of the whole text, whatever signs it has', async () => {
    const chunks = ['{"a":"\\"', '\n\u2028\ud83d\ude00\u0000', '', '"}'];
    expect(JSON.parse(await text(stream(newReply(), each(chunks))))).toEqual({
      data: { json: chunks.join(''), after: 1 },
    });
  });

  it('is read no further than the client takes it', async () => {
    let read = 0;
    let isOver = false;
    const counted = async function* (): AsyncGenerator<string> {
      try {
        for (;;) {
          read += 1;
          yield 'x';
        }
      } finally {
        isOver = true;
      }
    };
    let taken = 0;
    for await (const _ of stream(newReply(), counted())) {
      taken += 1;
      expect(read).toBeLessThanOrEqual(taken + 1);
      if (taken === 100) break;
    }
    expect(isOver).toBe(true);
  });

  it('is read as part of its request', async () => {
    const seen: unknown[] = [];
    const noting = async function* (): AsyncGenerator<string> {
      for (const _ of [1, 2, 3]) {
        seen.push(workInProgress()?.correlationId);
        yield 'x';
      }
    };
    const answer = withContext({ correlationId: 'of the request' }, () => stream(newReply(), noting()));
    await text(answer);
    expect(seen).toEqual(['of the request', 'of the request', 'of the request']);
  });

  it('cuts the answer off when it cannot be read to its end, and says so', async () => {
    const errors: unknown[] = [];
    const failing = async function* (): AsyncGenerator<string> {
      yield 'x';
      throw new Error('The database is gone');
    };
    const answer = stream(newReply(), failing(), (error) => errors.push(error));
    await expect(text(answer)).rejects.toThrow('The database is gone');
    expect(errors).toHaveLength(1);
  });

  it('is one for an answer', () => {
    const reply = newReply();
    streamText(reply, each([]));
    expect(() => streamText(reply, each([]))).toThrow('one such text');
  });

  it('leaves an answer without it as it is', () => {
    expect(withStreamedText(newReply(), '{}', neverFails)).toBe('{}');
  });
});
