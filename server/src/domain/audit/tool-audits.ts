/**
 * The record of MCP tool calls (specification, "MCP tool audit record"): one durable row for each tools/call, whatever
 * came of it, and no raw argument. The database chains the rows (decision 0014).
 */
import { isId, newId } from '../../kernel/ids.ts';
import { during, type Work } from '../../platform/correlation.ts';
import { DatabaseUnavailable, type Queryable, type Transaction } from '../../platform/database/database.ts';
import { withKnownOutcome } from '../../platform/database/second-try.ts';
import { requestMillis } from '../../platform/database/time-limits.ts';
import { WaitBudget } from '../../platform/database/wait-budget.ts';
import { appendToolAudits, type RecordedCall, type ToolOutcome } from './tool-audits-store.ts';

/** What is recorded of one call. */
export interface ToolCallFacts {
  readonly actorUserId: string;
  readonly credentialId: string;
  readonly clientId: string;
  /** As `recordedToolName` gives it; anything else is recorded as unreadable. */
  readonly tool: string;
  readonly outcome: ToolOutcome;
  /** Of this call alone: a second row with the same one is never written. */
  readonly correlationId: string;
  /** Of `argumentDigest`. */
  readonly argumentDigest: string;
}

const readableName = /^[a-z_][a-z0-9_.-]{0,63}$/;

/** What stands in the record and the log for a name that a client sent: a client could send a secret. */
export const recordedToolName = (name: unknown): string =>
  typeof name === 'string' && readableName.test(name) ? name : '(unreadable)';

/** Runs as the last statement of a transaction: it holds the lock of the chain until the end. */
export const appendToolAudit = async (transaction: Transaction, facts: ToolCallFacts): Promise<RecordedCall> =>
  recordOf(facts, await appendAll(transaction, [facts]));

type Appended = ReadonlyMap<string, RecordedCall>;

/** @throws Error when the database left the call out, which is a defect */
const recordOf = ({ correlationId }: ToolCallFacts, appended: Appended): RecordedCall => {
  const recorded = appended.get(correlationId);
  if (recorded === undefined) throw new Error('A tool call was left out of the record');
  return recorded;
};

const appendAll = async (queryable: Pick<Queryable, 'many'>, calls: readonly ToolCallFacts[]): Promise<Appended> => {
  calls.forEach(requireIds);
  const rows = await queryable.many(appendToolAudits, [
    calls.map(() => newId()),
    calls.map(({ actorUserId }) => actorUserId),
    calls.map(({ credentialId }) => credentialId),
    calls.map(({ clientId }) => clientId),
    calls.map(({ tool }) => recordedToolName(tool)),
    calls.map(({ outcome }) => outcome),
    calls.map(({ correlationId }) => correlationId),
    calls.map(({ argumentDigest }) => argumentDigest),
  ]);
  return new Map(rows.map((row) => [row.correlationId, row]));
};

/** A defect of the caller must not fail the calls that share its statement. */
const requireIds = ({ actorUserId, credentialId, clientId, correlationId }: ToolCallFacts): void => {
  if (![actorUserId, credentialId, clientId, correlationId].every(isId))
    throw new Error('A tool call is recorded by ids');
};

interface Waiting {
  readonly facts: ToolCallFacts;
  readonly resolve: (recorded: RecordedCall) => void;
  readonly reject: (error: unknown) => void;
}

const settle = ({ facts, resolve, reject }: Waiting, appended: Appended): void => {
  try {
    resolve(recordOf(facts, appended));
  } catch (error) {
    reject(error);
  }
};

const mostWaiting = 5000;
const mostTogether = 500;

/**
 * Records calls that need no transaction: those of one moment by one statement, one statement at a time. Many requests
 * share it, so it has the patience of a request of its own: none of theirs keeps a row from being written.
 */
export class ToolAudits {
  readonly #database: Pick<Queryable, 'many'>;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isInFlight = false;
  #settled = Promise.withResolvers<void>();

  constructor(database: Pick<Queryable, 'many'>) {
    this.#database = database;
    this.#settled.resolve();
  }

  /**
   * Resolves once the row is durable, with where it stands in the chain.
   * @throws DatabaseUnavailable when the database does not answer, or too many calls wait for it: the row may be missing
   */
  append(facts: ToolCallFacts): Promise<RecordedCall> {
    return new Promise((resolve, reject) => {
      requireIds(facts);
      if (this.#waiting.length >= mostWaiting) throw new DatabaseUnavailable('Too many tool calls wait to be recorded');
      if (this.#isIdle()) this.#settled = Promise.withResolvers<void>();
      this.#waiting.push({ facts, resolve, reject });
      this.#schedule();
    });
  }

  /** Resolves when nothing waits to be recorded: a call whose client has left is recorded too before the database closes. */
  settled(): Promise<void> {
    return this.#settled.promise;
  }

  #isIdle(): boolean {
    return this.#waiting.length === 0 && !this.#isInFlight;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isInFlight || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    // At the end of this act, not of the turn: the statement is under way while others are still being read.
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const together = this.#waiting.slice(0, mostTogether);
    this.#waiting = this.#waiting.slice(mostTogether);
    this.#isInFlight = true;
    const calls = together.map(({ facts }) => facts);
    // Whoever is in the record already is left out: nothing is lost by trying again.
    const write = (): Promise<Appended> => appendAll(this.#database, calls);
    const work: Work = { correlationId: newId(), waits: new WaitBudget(requestMillis) };
    during(work, () => withKnownOutcome(write, write)).then(
      (appended) => {
        for (const waiting of together) settle(waiting, appended);
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
