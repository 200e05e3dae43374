/** Owns the deadline that all waits of one request for the database share, and the timeouts of each kind of wait. */
import { startOwnTime, withinLeft } from '../../kernel/waits/own-time.ts';
import { scaledMillis } from '../../kernel/waits/wait-scale.ts';
import { currentCorrelationId, type RequestDeadline, withContext, workInProgress } from '../observability/context.ts';
import { DatabaseUnavailable } from './database.ts';

// How long a request may wait for the database in total. Its own work, above all hashing a password, does not count;
// nor does the work of the thread meanwhile, which reads an answer only after it.

export class Deadline implements RequestDeadline {
  /** Sum of the waits. */
  readonly millis: number;
  /** Milliseconds spent in completed waits. */
  #spent = 0;
  /** Number of waits in progress, and the start of the earliest. */
  #waits = 0;
  #since = 0;
  #isBinding = true;
  #isRefused = false;
  readonly #ownMillis = startOwnTime(waitLimits.ownMillis);

  constructor(millis: number) {
    this.millis = millis;
  }

  /** False after the response: background work left behind has no deadline. */
  get isBinding(): boolean {
    return this.#isBinding;
  }

  end(): void {
    this.#isBinding = false;
  }

  /**
   * Also throws after the end of a refused request: work that it started must change nothing afterwards.
   * @throws DatabaseUnavailable: when nothing is left
   */
  assertNotExpired(): void {
    if (this.#isRefused || (this.#isBinding && this.#left() <= 0)) this.#refuse();
  }

  /**
   * Waits at most for the time that is left; then the started work continues, but its result is dropped.
   * @param maxMillis upper bound of the wait itself: while more than that is left, no timer is set
   * @throws DatabaseUnavailable: when the deadline has passed, before or during the wait
   */
  async wait<T>(maxMillis: number, begin: () => Promise<T>): Promise<T> {
    if (!this.#isBinding) return begin();
    this.assertNotExpired();
    const left = this.#left();
    if (this.#waits === 0) this.#since = performance.now();
    this.#waits += 1;
    try {
      return await (maxMillis < left
        ? begin()
        : withinLeft(
            () => this.#left(),
            begin(),
            () => this.#refuse(),
          ));
    } finally {
      this.#waits -= 1;
      if (this.#waits === 0) this.#spent += performance.now() - this.#since;
    }
  }

  #left(): number {
    const running = this.#waits === 0 ? 0 : performance.now() - this.#since;
    const left = this.millis - this.#spent - running;
    return left > 0 ? left : left + this.#ownMillis();
  }

  #refuse(): never {
    this.#isRefused = true;
    throw new DatabaseUnavailable(`The request has waited for the database for ${this.millis} ms`);
  }
}

// Waits of the work in progress, within its deadline.

/** False for background work, such as cleanup and mail. Requests whose client disconnected still count as requests. */
export const isOfRequest = (): boolean => workInProgress()?.waits !== undefined;

/** The binding deadline; null for background work, and once the response is sent. */
export const bindingDeadline = (): RequestDeadline | null => {
  const waits = workInProgress()?.waits;
  return waits?.isBinding === true ? waits : null;
};

/**
 * Waits, within a request at most for the time that is left.
 * @param maxMillis upper bound of the wait itself
 * @throws DatabaseUnavailable: when the deadline has passed
 */
export const withinDeadline = <T>(maxMillis: number, begin: () => Promise<T>): Promise<T> => {
  const deadline = bindingDeadline();
  return deadline === null ? begin() : deadline.wait(maxMillis, begin);
};

/** Waits for `begun`, which never rejects and continues after the deadline; whether it ended in time. */
export const settlesBeforeDeadline = (begun: Promise<unknown>): Promise<boolean> =>
  withinDeadline(Number.POSITIVE_INFINITY, () => begun).then(
    () => true,
    () => false,
  );

/** Work that outlives a request, or may take longer, gets a new deadline: `millis` for the sum of its waits. */
export const withNewDeadline = <T>(run: () => Promise<T>, millis: number = waitLimits.requestMillis): Promise<T> =>
  withContext({ ...workInProgress(), correlationId: currentCorrelationId(), waits: new Deadline(millis) }, run);

// Timeouts for each kind of wait on PostgreSQL. The server's are slightly shorter than ours for the same wait: a
// responsive server ends the wait with an error and the connection survives; ours closes that to a silent server.

export const waitLimits = scaledMillis({
  /** Sum of all database waits of one request. */
  requestMillis: 2_000,

  /**
   * The same of a revocation of up to 10,000 sessions (decision 0055), or of everything that one person holds (decision
   * 0068), of a list of invitations, and of a file of tool calls.
   */
  bulkMillis: 20_000,

  /** How much longer these waits, or the one for a turn, may be while the thread works; proxies wait ten seconds. */
  ownMillis: 6_000,

  /** For a pool connection, or to open one. Its settings have the limit of a statement, `answerMillis`. */
  connectMillis: 1_500,

  /** Server side: waiting for a lock that another session holds. A change worth waiting for takes milliseconds. */
  lockMillis: 1_500,

  /** Server side: one statement of a request. Sessions are set up with it. */
  statementMillis: 1_600,

  /** The answer to one statement of a request; after that the connection is considered dead. */
  answerMillis: 1_800,

  /** Server side: an idle transaction, such as after its process died. Its locks are held until then. */
  idleInTransactionMillis: 2_000,
});

/** Server and client limits for background work: cleanup, mail, the command line, cache reads and recorder writes. */
export const backgroundLimits = scaledMillis({ statementMillis: 5_000, answerMillis: 6_000 });

/** A request may wait for two: those ahead of it and its own. Only a schema change conflicts with their locks. */
export const lookupLimits = scaledMillis({
  lockMillis: 500,
  statementMillis: 1_200,
  answerMillis: 1_500,
  connectionMillis: 500,
});

/**
 * Until this has passed at a start, a server that is silent for `connectMillis` is asked again: no request waits, and a
 * busy machine takes longer than a request may.
 */
export const openingMillis = 15_000;

/** An idle connection is closed after this time. */
export const idleConnectionMillis = 60_000;
