/**
 * Owns how many requests of one network begin in one turn of the event loop (decision 0089). Without a limit, one
 * client with hundreds of requests in flight, however cheap each is, makes every turn as long as all of them together.
 * A request that waits, for the database or a hash, is not counted.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { getOrInsert } from '../kernel/collections.ts';
import { networkOf } from '../kernel/network.ts';
import { addressOf } from './authenticate-request.ts';

/** Requests of one network that begin in a turn. */
const most = 32;

/** At this count a turn is ended by a task of its own, which would cost a quiet process a part of each request. */
const mostUnended = 8;

/** As at so many networks, of which none reached that count: each is an entry. */
const mostNetworks = 1_000;

/** @internal A test runs it alone. */
export class RequestPace {
  /** Requests by network that began in this turn, and in those before it in which no network reached `mostUnended`. */
  readonly #begun = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #isEnding = false;

  /** Begins a request now, or in a later turn, after those of its network that came before. */
  enter(network: string, begin: () => void): void {
    const count = (this.#begun.get(network) ?? 0) + 1;
    this.#begun.set(network, count);
    if ((count >= mostUnended || this.#begun.size >= mostNetworks) && !this.#isEnding) {
      this.#isEnding = true;
      setImmediate(() => this.#endTurn());
    }
    if (count <= most) begin();
    else getOrInsert(this.#waiting, network, () => []).push(begin);
  }

  #endTurn(): void {
    this.#isEnding = false;
    this.#begun.clear();
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const [network, begins] of waiting) for (const begin of begins) this.enter(network, begin);
  }
}

/** A longer body fills the buffer of its connection while its request waits: 900 of them would take 60 MB. */
const mostBodyBytes = 16_384;

const isShort = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= mostBodyBytes;

/** Register before every other hook: those run in the context that a later one gives to the request. */
export const paceRequests = (app: FastifyInstance): void => {
  const pace = new RequestPace();
  app.addHook('onRequest', (request, _reply, done) => {
    if (isShort(request.raw)) pace.enter(networkOf(addressOf(request)), done);
    else done();
  });
};
