/** The end of an HTTP server: responses in flight are completed; no connection outlives its response or its timeout. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const sweepMilliseconds = 50;

/** In milliseconds since the close began. */
interface Timeouts {
  /** For clients that have not sent a whole request, have not read a whole response, or hold an upgraded connection. */
  readonly withClients: number;
  /** For requests in progress. */
  readonly withWork: number;
}

/** Part of the ten seconds in which a process must end; the rest is for the parts that close after the listeners. */
const usualTimeouts: Timeouts = { withClients: 5000, withWork: 8000 };

/**
 * Node keeps the current response of a connection in this undocumented field. Tracking it here took an eighth of the
 * CPU of a request, because the young collection must scan references held by old objects.
 */
interface Answering extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

export class HttpListener {
  readonly #http: FastifyInstance;
  readonly #connections = new Set<Socket>();
  #isLeaving = false;

  /** @param http a server that does not listen yet */
  constructor(http: FastifyInstance) {
    this.#http = http;
    http.server.on('connection', (connection) => {
      this.#connections.add(connection);
      connection.once('close', () => this.#connections.delete(connection));
    });
    // Runs before the framework, so that its headers can still say that the connection closes.
    http.server.prependListener('request', (_request, response) => {
      if (this.#isLeaving) response.shouldKeepAlive = false;
    });
  }

  /** Each response is now the last of its connection. Idle ones stay open: a request may be in transit on one. */
  startDraining(): void {
    this.#isLeaving = true;
  }

  /** Resolves when no response is in flight; connections past their timeout are destroyed. */
  async close({ withClients, withWork }: Timeouts = usualTimeouts): Promise<void> {
    const sweep = setInterval(() => this.#closeIdle(), sweepMilliseconds);
    // Node's own timeouts for slow clients stop when the server closes.
    const cuts = [
      setTimeout(() => this.#cut((connection) => !this.#isWorkedOn(connection)), withClients),
      setTimeout(() => this.#cut(() => true), withWork),
    ];
    try {
      await this.#http.close();
    } finally {
      clearInterval(sweep);
      for (const cut of cuts) clearTimeout(cut);
    }
  }

  /**
   * Closes idle connections, which would hold the process: a kept-alive one becomes idle only after its response, when
   * the framework no longer checks; Node does not count a preconnected socket that never sent a byte.
   */
  #closeIdle(): void {
    this.#http.server.closeIdleConnections();
    for (const connection of this.#connections) if (connection.bytesRead === 0) connection.destroy();
  }

  #isWorkedOn(connection: Answering): boolean {
    const answer = connection._httpMessage;
    return answer?.req.complete === true && !answer.headersSent;
  }

  #cut(isLeft: (connection: Socket) => boolean): void {
    for (const connection of this.#connections) if (isLeft(connection)) connection.destroy();
  }
}
