/**
 * How a listening server ends: every answer in flight is given, and no connection holds it longer than its answer, nor
 * than its patience.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const sweepMilliseconds = 50;

/** Of the ten seconds that a process may take to end; the others are for what ends after its listeners. */
const patienceMilliseconds = 7000;

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

  /**
   * Resolves when nothing is being answered any more.
   * @param patience milliseconds after which the connections that are left are cut: of requests whose clients send no
   *   more of them (Node has ended its own limits for those by then), of answers that nobody reads, of upgrades
   */
  async close(patience = patienceMilliseconds): Promise<void> {
    const sweep = setInterval(() => this.#letGo(), sweepMilliseconds);
    const cut = setTimeout(() => this.#cut(), patience);
    try {
      await this.#http.close();
    } finally {
      clearInterval(sweep);
      clearTimeout(cut);
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

  #cut(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}
