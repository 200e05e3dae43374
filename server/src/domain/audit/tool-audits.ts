/**
 * Owns: the audit record of MCP tool calls: an append-only chain of rows.
 * Promises: No tool call is answered before its row is durable; rows are never changed or deleted, and each has the
 *   hash of its predecessor.
 *
 * The audit record of MCP tool calls (specification, "MCP tool audit record"): one durable row for each tools/call,
 * whatever its outcome, with a keyed digest in place of raw arguments. The database chains the rows (decision 0014).
 */
import { isId, newId } from '../../kernel/ids.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import { DatabaseUnavailable, type Queryable, type Transaction } from '../../platform/database/database.ts';
import { Deadline, requestMillis } from '../../platform/database/deadlines.ts';
import { retryUntilKnown } from '../../platform/database/failure.ts';
import { outsideContext, type Work, withContext } from '../../platform/observability/context.ts';
import { appendToolAudits, type RecordedCall, type ToolOutcome } from './tool-audits-store.ts';

/** The recorded facts of one call. */
export interface ToolCallFacts {
  readonly actorUserId: string;
  readonly credentialId: string;
  readonly clientId: string;
  /** As `recordedToolName` returns it; anything else is recorded as unreadable. */
  readonly tool: string;
  readonly outcome: ToolOutcome;
  /** Unique to this call: a second row with the same id is never written. */
  readonly correlationId: string;
  /** The result of `argumentDigest`. */
  readonly argumentDigest: string;
}

const readableName = /^[a-z_][a-z0-9_.-]{0,63}$/;

/**
 * The tool name for the record and the log. A name outside the pattern is not recorded: a client could send a secret.
 */
export const recordedToolName = (name: unknown): string =>
  typeof name === 'string' && readableName.test(name) ? name : '(unreadable)';

/** Runs as the last statement of a transaction, because it holds the lock of the chain until the end. */
export const appendToolAudit = async (transaction: Transaction, facts: ToolCallFacts): Promise<RecordedCall> => {
  requireIds(facts);
  return recordOf(facts, await appendAll(transaction, [facts]));
};

type Appended = ReadonlyMap<string, RecordedCall>;

/** @throws Error: the database left the call out, which is a defect */
const recordOf = ({ correlationId }: ToolCallFacts, appended: Appended): RecordedCall => {
  const recorded = appended.get(correlationId);
  if (recorded === undefined) throw new Error('A tool call is missing from the record');
  return recorded;
};

/** @param calls with valid ids */
const appendAll = async (queryable: Pick<Queryable, 'many'>, calls: readonly ToolCallFacts[]): Promise<Appended> => {
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

/** Checks each call on its own: a caller's defect must not fail the calls that share its statement. */
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
/** A statement with so many calls is a sign of load: the next one waits for more. */
const manyTogether = 4;
const gatherMillis = 2;

/** Begins a statement after the time in which it gathers calls, outside the request whose call is the first of them. */
const afterGathering = (begin: () => void): void => {
  outsideContext(() => setTimeout(begin, gatherMillis));
};

/**
 * Records calls that need no transaction. Concurrent calls share a statement, and one statement runs at a time. A
 * statement serves many requests, so it has its own timeout: no request's deadline prevents a row from being written.
 *
 * A statement costs as much as ten rows, most of it the commit, and the chain lets one process commit at a time. Under load
 * calls are therefore gathered for two milliseconds; a call that comes alone is recorded at once.
 */
export class ToolAudits {
  readonly #database: Pick<Queryable, 'many'>;
  readonly #gather: (begin: () => void) => void;
  #waiting: Waiting[] = [];
  #isScheduled = false;
  #isInFlight = false;
  #isUnderLoad = false;
  #settled = Promise.withResolvers<void>();

  /** @param gather begins the next statement under load, after a pause */
  constructor(database: Pick<Queryable, 'many'>, gather = afterGathering) {
    this.#database = database;
    this.#gather = gather;
    this.#settled.resolve();
  }

  /**
   * Resolves once the row is durable, with its position in the chain.
   * @throws DatabaseUnavailable: the database does not answer, or too many calls are queued; the row may be missing
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

  /**
   * Resolves when the queue is empty: a call whose client has disconnected is still recorded before the database
   * closes.
   */
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
    if (this.#isUnderLoad) this.#gather(begin);
    // In a microtask, not in the next tick: the statement runs while other requests are still being read.
    else queueMicrotask(begin);
  }

  #flush(): void {
    const together = this.#waiting.slice(0, maxTogether);
    this.#waiting = this.#waiting.slice(maxTogether);
    this.#isInFlight = true;
    this.#isUnderLoad = together.length >= manyTogether;
    const calls = together.map(({ facts }) => facts);
    // Calls that are already recorded are left out, so a retry is safe.
    const write = (): Promise<Appended> => appendAll(this.#database, calls);
    const work: Work = { correlationId: newId(), waits: new Deadline(requestMillis) };
    withContext(work, () => retryUntilKnown(write, write)).then(
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

// The recorded digest of a call's arguments. It is equal for equal arguments, so that calls can be compared; because it
// is keyed, a guess cannot be verified without the key.

/**
 * The digest of a call's arguments.
 * @param args parsed from JSON; undefined is the same as `{}`
 * @returns HMAC-SHA256 over their canonical JSON, as base64url; it changes with GATEHOUSE_SECRET
 */
export const argumentDigest = (keyring: Keyring, args: unknown): string => {
  const text = canonicalJson(args === undefined ? {} : args);
  return text === '{}' ? digestOfNone(keyring) : digestOf(keyring, text);
};

const digestOf = (keyring: Keyring, text: string): string => keyring.mac('digest of tool arguments', text);

/** Many calls have no arguments. There is one keyring for the life of a process. */
const digestsOfNone = new WeakMap<Keyring, string>();

const digestOfNone = (keyring: Keyring): string => {
  const known = digestsOfNone.get(keyring);
  if (known !== undefined) return known;
  const digest = digestOf(keyring, '{}');
  digestsOfNone.set(keyring, digest);
  return digest;
};

/** A value that is still to be written, or verbatim text. */
type Piece = { readonly value: unknown } | string;

/**
 * Canonical JSON (RFC 8785): no whitespace, members in the order of their names' UTF-16 code units. It uses an explicit
 * stack, because the client chooses the depth and must not exhaust the call stack.
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

/** Pieces in reverse order, as a stack takes them. */
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
