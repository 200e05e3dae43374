/**
 * A queue of rows for a chain that need no transaction of their own. Concurrent rows share a statement, and one
 * statement runs at a time. A statement serves many requests, so it has its own timeout: no request's deadline prevents
 * a row from being written.
 *
 * A statement costs as much as ten rows, most of it the commit, and a chain lets one process commit at a time. Under
 * load rows are therefore gathered for two milliseconds; a row that comes alone is recorded at once.
 */
import { newId } from '../../kernel/ids.ts';
import { DatabaseUnavailable } from '../../platform/database/database.ts';
import { Deadline, waitLimits } from '../../platform/database/deadlines.ts';
import { retryUntilKnown } from '../../platform/database/failure.ts';
import { outsideContext, type Work, withContext } from '../../platform/observability/context.ts';

/** Writes rows in one statement; returns what became of each. */
type Write<Entry, Recorded> = (rows: readonly Entry[]) => Promise<(entry: Entry) => Recorded>;

interface QueueParts<Entry, Recorded> {
  readonly write: Write<Entry, Recorded>;
  /** Writes rows of which a first statement, with an unknown outcome, may have written all. */
  readonly rewrite: Write<Entry, Recorded>;
  /** Begins the next statement under load, after a pause. */
  readonly gather?: (begin: () => void) => void;
}

interface Waiting<Entry, Recorded> {
  readonly entry: Entry;
  readonly resolve: (recorded: Recorded) => void;
  readonly reject: (error: unknown) => void;
}

const maxWaiting = 5000;
const maxTogether = 500;
/** A statement with so many rows is a sign of load: the next one waits for more. */
const manyTogether = 4;
const gatherMillis = 2;

/** Begins a statement after the time in which it gathers rows, outside the request whose row is the first of them. */
const afterGathering = (begin: () => void): void => {
  outsideContext(() => setTimeout(begin, gatherMillis));
};

export class RecordQueue<Entry, Recorded> {
  readonly #parts: QueueParts<Entry, Recorded>;
  #waiting: Waiting<Entry, Recorded>[] = [];
  #isScheduled = false;
  #isInFlight = false;
  #isUnderLoad = false;
  #settled = Promise.withResolvers<void>();

  constructor(parts: QueueParts<Entry, Recorded>) {
    this.#parts = parts;
    this.#settled.resolve();
  }

  /** @throws DatabaseUnavailable: it does not answer, or too many rows are queued; the row may be missing */
  append(entry: Entry): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) throw new DatabaseUnavailable('Too many tool calls wait to be recorded');
      if (this.#isIdle()) this.#settled = Promise.withResolvers<void>();
      this.#waiting.push({ entry, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when the queue is empty: rows of disconnected clients are recorded before the database closes. */
  settled(): Promise<void> {
    return this.#settled.promise;
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && !this.#isInFlight;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isInFlight || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    const begin = (): void => {
      this.#isScheduled = false;
      this.#flush();
    };
    if (this.#isUnderLoad) (this.#parts.gather ?? afterGathering)(begin);
    // In a microtask, not in the next tick: the statement runs while other requests are still being read.
    else queueMicrotask(begin);
  }

  #flush(): void {
    const together = this.#waiting.slice(0, maxTogether);
    this.#waiting = this.#waiting.slice(maxTogether);
    this.#isInFlight = true;
    this.#isUnderLoad = together.length >= manyTogether;
    const rows = together.map(({ entry }) => entry);
    const { write, rewrite } = this.#parts;
    const work: Work = { correlationId: newId(), waits: new Deadline(waitLimits.requestMillis) };
    withContext(work, () =>
      retryUntilKnown(
        () => write(rows),
        () => rewrite(rows),
      ),
    ).then(
      (recordOf) => {
        for (const waiting of together) settle(waiting, recordOf);
        this.#landed();
      },
      (error: unknown) => {
        for (const { reject } of together) reject(error);
        this.#landed();
      },
    );
  }

  #landed(): void {
    this.#isInFlight = false;
    if (this.#isIdle()) this.#settled.resolve();
    else this.#schedule();
  }
}

const settle = <Entry, Recorded>(
  { entry, resolve, reject }: Waiting<Entry, Recorded>,
  recordOf: (entry: Entry) => Recorded,
): void => {
  try {
    resolve(recordOf(entry));
  } catch (error) {
    reject(error);
  }
};
