/** A load balancer as operators use it: it retries only requests that could not connect. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';

const checkMillis = 200;
/** As in production. After Node's 5 s a client may send on a connection that is just being closed. */
const keepAliveMillis = 72_000;
/** One bad answer may be chance. */
const failuresToLeave = 2;

interface Upstream {
  readonly url: string;
  /** Failed checks in a row; more than enough once nothing listens there. */
  failed: number;
}

const isUp = ({ failed }: Upstream): boolean => failed < failuresToLeave;

export class Balancer {
  readonly #upstreams: readonly Upstream[];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server = createServer((incoming, response) => void this.#serve(incoming, response));
  readonly #checks: NodeJS.Timeout;
  #turn = 0;
  /** Why requests failed here: the code of the connection's error, or that no server listened. */
  readonly failures: string[] = [];

  private constructor(urls: readonly string[]) {
    this.#upstreams = urls.map((url) => ({ url, failed: 0 }));
    this.#server.keepAliveTimeout = keepAliveMillis;
    this.#checks = setInterval(() => void this.#check(), checkMillis);
  }

  static async start(urls: readonly string[]): Promise<Balancer> {
    const balancer = new Balancer(urls);
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
  }

  isReady(url: string): boolean {
    return this.#upstreams.some((upstream) => upstream.url === url && isUp(upstream));
  }

  async close(): Promise<void> {
    clearInterval(this.#checks);
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
    this.#agent.destroy();
  }

  async #check(): Promise<void> {
    await Promise.all(
      this.#upstreams.map(async (upstream) => {
        const isGood = await fetch(`${upstream.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        );
        upstream.failed = isGood ? 0 : upstream.failed + 1;
      }),
    );
  }

  #candidates(): readonly Upstream[] {
    const ready = this.#upstreams.filter(isUp);
    this.#turn += 1;
    const first = this.#turn % Math.max(ready.length, 1);
    return [...ready.slice(first), ...ready.slice(0, first)];
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
    let failure = 'no process is ready';
    for (const upstream of this.#candidates()) {
      const failed = await this.#pass(upstream, incoming, body, response);
      if (failed === null) return;
      failure = failed;
      if (failure !== 'ECONNREFUSED') break;
      upstream.failed = failuresToLeave;
    }
    this.failures.push(failure);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end('{}');
  }

  /** Returns null when the answer was passed on, else the reason. */
  #pass(upstream: Upstream, incoming: IncomingMessage, body: Buffer, response: ServerResponse): Promise<string | null> {
    const { method = 'GET', url = '/', headers } = incoming;
    return new Promise((resolve) => {
      const fail = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message);
      const outgoing = request(`${upstream.url}${url}`, { agent: this.#agent, method, headers }, (answer) => {
        const { connection: _ours, ...passed } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, passed);
        answer
          .on('error', fail)
          .pipe(response)
          .on('finish', () => resolve(null));
      });
      outgoing.on('error', fail).end(body);
    });
  }
}
