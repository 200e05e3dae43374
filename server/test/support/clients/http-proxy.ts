/** A reverse proxy between clients and the service, which changes requests and answers like real ones. */
import { createServer, type IncomingMessage, type RequestOptions, request, type ServerResponse } from 'node:http';
import { listen } from '../servers/listen.ts';

export interface ProxyBehaviour {
  /** Answers the request itself when it returns true. */
  readonly answer?: (incoming: IncomingMessage, response: ServerResponse) => boolean;
  readonly request?: (headers: NonNullable<IncomingMessage['headers']>) => void;
  readonly response?: (headers: NonNullable<IncomingMessage['headers']>) => void;
}

export interface TestProxy {
  readonly url: string;
  /** The target and the effect, from now on. */
  pass(target: string, behaviour?: ProxyBehaviour): void;
  close(): Promise<void>;
}

/** A reverse proxy on a free port of 127.0.0.1, which forwards everything unchanged until a test changes it. */
export const startProxy = async (): Promise<TestProxy> => {
  let target = '';
  let behaviour: ProxyBehaviour = {};
  const server = createServer((incoming, response) => {
    if (behaviour.answer?.(incoming, response) === true) return;
    forward(target, behaviour, incoming, response);
  });
  const { url, close } = await listen(server);
  return {
    url,
    pass: (to, how = {}) => {
      target = to;
      behaviour = how;
    },
    close,
  };
};

const forward = (
  target: string,
  behaviour: ProxyBehaviour,
  incoming: IncomingMessage,
  response: ServerResponse,
): void => {
  const headers = { ...incoming.headers };
  behaviour.request?.(headers);
  const options: RequestOptions = { headers, ...(incoming.method === undefined ? {} : { method: incoming.method }) };
  const outgoing = request(`${target}${incoming.url ?? '/'}`, options, (answer) => {
    const answered = { ...answer.headers };
    behaviour.response?.(answered);
    response.writeHead(answer.statusCode ?? 502, answered);
    answer.pipe(response);
  });
  outgoing.on('error', () => {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
  });
  incoming.pipe(outgoing);
};
