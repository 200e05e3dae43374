/** A reverse proxy between clients and the service, which does to requests and answers what proxies do. */
import { createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http';
import { listen } from '../servers/listen.ts';

/** What a proxy does to a request, or with an answer, on its way. */
export interface Meddling {
  /** Answers by itself when it returns true. */
  readonly answer?: (incoming: IncomingMessage, response: ServerResponse) => boolean;
  readonly request?: (headers: NonNullable<IncomingMessage['headers']>) => void;
  readonly response?: (headers: NonNullable<IncomingMessage['headers']>) => void;
}

export interface MeddlingProxy {
  readonly url: string;
  /** Where it sends what it gets, and what it does to it, from now on. */
  pass(target: string, meddling?: Meddling): void;
  close(): Promise<void>;
}

/** A reverse proxy on a free port of 127.0.0.1, which forwards everything unchanged until a test changes it. */
export const startProxy = async (): Promise<MeddlingProxy> => {
  let target = '';
  let meddling: Meddling = {};
  const server = createServer((incoming, response) => {
    if (meddling.answer?.(incoming, response) === true) return;
    forward(target, meddling, incoming, response);
  });
  const { url, close } = await listen(server);
  return {
    url,
    pass: (to, how = {}) => {
      target = to;
      meddling = how;
    },
    close,
  };
};

const forward = (target: string, meddling: Meddling, incoming: IncomingMessage, response: ServerResponse): void => {
  const headers = { ...incoming.headers };
  meddling.request?.(headers);
  const options: RequestOptions = { headers, ...(incoming.method === undefined ? {} : { method: incoming.method }) };
  const outgoing = request(`${target}${incoming.url ?? '/'}`, options, (answer) => {
    const answered = { ...answer.headers };
    meddling.response?.(answered);
    response.writeHead(answer.statusCode ?? 502, answered);
    answer.pipe(response);
  });
  outgoing.on('error', () => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
  });
  incoming.pipe(outgoing);
};
