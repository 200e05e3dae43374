/** How a listening server ends: every answer in flight is given, and no connection holds it longer than its answer. */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const sweepMilliseconds = 50;

export class HttpListener {
  readonly #http: FastifyInstance;
  readonly #connections = new Set<Socket>();
  #isLeaving = false;

  /** @param http before it listens */
  constructor(http: FastifyInstance) {
    this.#http = http;
    http.server.on('connection', (connection) => {
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
    });
    // Before the framework: what is said to one answer is said by its headers.
    http.server.prependListener('request', (_request, response) => {
      if (this.#isLeaving) response.shouldKeepAlive = false;
    });
  }

  /**
   * From now on each answer is the last of its connection. A connection that is closed while it is idle may carry a
   * request already, which is lost then.
   */
  beginToLeave(): void {
    this.#isLeaving = true;
  }

  /** Resolves when nothing is being answered any more. */
  async close(): Promise<void> {
    const sweep = setInterval(() => this.#letGo(), sweepMilliseconds);
    try {
      await this.#http.close();
    } finally {
      clearInterval(sweep);
    }
  }

  /**
   * A connection that is kept alive is idle only after its answer, when the framework no longer looks; one that was
   * opened in advance and has never said anything is idle to nobody. Either would hold the process until its client lets
   * go.
   */
  #letGo(): void {
    this.#http.server.closeIdleConnections();
    for (const connection of this.#connections) if (connection.bytesRead === 0) connection.destroy();
  }
}
