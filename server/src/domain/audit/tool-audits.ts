/**
 * The audit record of MCP tool calls (specification, "MCP tool audit record"): one durable row for each tools/call,
 * whatever its outcome, with a keyed digest in place of raw arguments. The database chains the rows (decision 0014).
 */
import { isId, newId } from '../../kernel/ids.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { DatabaseUnavailable, type Queryable, type Transaction } from '../../platform/database/database.ts';
import { Deadline, requestMillis } from '../../platform/database/deadlines.ts';
import { retryUntilKnown } from '../../platform/database/failure.ts';
import { during, type Work } from '../../platform/observability/context.ts';
import { appendToolAudits, type RecordedCall, type ToolOutcome } from './tool-audits-store.ts';

// The record of MCP tool calls (specification, "MCP tool audit record"): one durable row for each tools/call, whatever
// came of it, and no raw argument. The database chains the rows (decision 0014).

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

const maxWaiting = 5000;
const maxTogether = 500;

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
      if (this.#waiting.length >= maxWaiting) throw new DatabaseUnavailable('Too many tool calls wait to be recorded');
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
    const together = this.#waiting.slice(0, maxTogether);
    this.#waiting = this.#waiting.slice(maxTogether);
    this.#isInFlight = true;
    const calls = together.map(({ facts }) => facts);
    // Whoever is in the record already is left out: nothing is lost by trying again.
    const write = (): Promise<Appended> => appendAll(this.#database, calls);
    const work: Work = { correlationId: newId(), waits: new Deadline(requestMillis) };
    during(work, () => retryUntilKnown(write, write)).then(
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

// What the record keeps of a call's arguments: a keyed digest, alike for equal arguments, so that two calls can be
// compared; without the key nobody can tell by trying whether a guess is right.

/**
 * @param args as they were parsed from JSON; absent ones are the same as none, `{}`
 * @returns HMAC-SHA256 over their canonical JSON, as base64url; another one after GATEHOUSE_SECRET changed
 */
export const argumentDigest = (keyring: Keyring, args: unknown): string =>
  keyring.mac('digest of tool arguments', canonicalJson(args === undefined ? {} : args));

/** A value that is still to be written, or text as it is. */
type Piece = { readonly value: unknown } | string;

/**
 * JSON in the one form of RFC 8785: no space, members in the order of their names' UTF-16 code units. Written with a
 * stack of its own: depth is the client's choice and must not be able to exhaust ours.
 */
export const canonicalJson = (value: unknown): string => {
  const written: string[] = [];
  const ahead: Piece[] = [{ value }];
  for (let piece = ahead.pop(); piece !== undefined; piece = ahead.pop()) {
    if (typeof piece === 'string') written.push(piece);
    else for (const next of piecesOf(piece.value)) ahead.push(next);
  }
  return written.join('');
};

/** Last piece first, as a stack takes them. */
const piecesOf = (value: unknown): Piece[] => {
  if (Array.isArray(value))
    return enclosed(
      '[',
      value.map((item: unknown): Piece[] => [{ value: item }]),
      ']',
    );
  if (typeof value === 'object' && value !== null) return enclosed('{', membersOf(value), '}');
  return [JSON.stringify(value) ?? 'null'];
};

const membersOf = (value: object): Piece[][] => {
  const members: [string, unknown][] = Object.entries(value);
  return members
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => [`${JSON.stringify(name)}:`, { value: member }]);
};

const enclosed = (opening: string, items: readonly Piece[][], closing: string): Piece[] =>
  [opening, ...items.flatMap((item, index) => (index === 0 ? item : [',', ...item])), closing].reverse();
