/** Answers that a provider should never send, and some do. */
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { WrongAnswer } from '../servers/hostile-issuer.ts';

export const saying =
  (body: string, status = 200, headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' }) =>
  (_request: IncomingMessage, response: Parameters<WrongAnswer>[1]): void => {
    response.writeHead(status, headers).end(body);
  };

export const html: WrongAnswer = saying('<!doctype html><title>Maintenance</title>', 200, {
  'content-type': 'text/html',
});

/** Declared as JSON, and ends in the middle. */
export const truncated: WrongAnswer = saying('{"issuer":"http://127.0.0.1","token_endpo');

/** Claims to be longer than it is, and closes the connection. */
export const cutOff: WrongAnswer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"issuer":', () => response.destroy());
};

export const hangingUp: WrongAnswer = (request) => {
  request.socket.destroy();
};

export const redirectingTo = (location: string): WrongAnswer => saying('', 302, { location });

/** Starts an answer that continues, a little at a time. */
export const dripping: WrongAnswer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const drip = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(drip));
};

const block = Buffer.alloc(64 * 1024, 'x');

/** An answer that does not end before `most` bytes were read. @param onWritten called with the bytes of each block */
export const endless =
  (most: number, onWritten: (bytes: number) => void): WrongAnswer =>
  (_request, response) => {
    const blocks = function* () {
      yield '{"issuer":"';
      for (let written = 0; written < most; written += block.length) {
        onWritten(block.length);
        yield block;
      }
    };
    response.writeHead(200, { 'content-type': 'application/json' });
    // A disconnect ends it.
    pipeline(Readable.from(blocks()), response, () => undefined);
  };
