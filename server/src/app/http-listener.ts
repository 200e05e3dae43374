/**
 * How a listening server ends: every answer in flight is given, and no connection holds it longer than its answer, nor
 * than its patience.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

const sweepMilliseconds = 50;

/** In milliseconds since nothing new is taken on. */
export interface Timeouts {
  /** For clients that have not sent all of a request, have not read all of its answer, or hold an upgraded connection. */
  readonly withClients: number;
  /** For requests that are worked on. */
  readonly withWork: number;
}

/** Of the ten seconds that a process may take to end; the others are for what ends after its listeners. */
const usualTimeouts: Timeouts = { withClients: 5000, withWork: 8000 };

/**
 * Node notes on each connection the answer that is being given there, in a field that it does not document. To note it here
 * once more took an eighth of the CPU of a request: what an old object holds, each young collection must look at and keep.
 */
interface Answering extends Socket {
  readonly _httpMessage?: ServerResponse | null;
}

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
  startDraining(): void {
    this.#isLeaving = true;
  }

  /** Resolves when nothing is being answered any more; what takes longer than the patience is cut off. */
  async close({ withClients, withWork }: Timeouts = usualTimeouts): Promise<void> {
    const sweep = setInterval(() => this.#letGo(), sweepMilliseconds);
    // Node's own limits for slow clients end when the server closes.
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
   * A connection that is kept alive is idle only after its answer, when the framework no longer looks; one that was
   * opened in advance and has never said anything is idle to nobody. Either would hold the process until its client lets
   * go.
   */
  #letGo(): void {
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
