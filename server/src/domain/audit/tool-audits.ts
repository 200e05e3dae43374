/**
 * Owns: the audit record of MCP tool calls: an append-only chain of rows.
 * Promises: No tool call is answered before its row is durable; rows are never changed or deleted, and each has the
 *   hash of its predecessor.
 *
 * The audit record of MCP tool calls (contract/incidents.md#record-of-tool-calls): one durable row for each tools/call,
 * whatever its outcome, with a keyed digest in place of raw arguments. The database chains the rows (decision 0014).
 */
import { isId, newId } from '../../kernel/ids.ts';
import type { Keyring } from '../../kernel/secrets.ts';
import type { Queryable, Transaction } from '../../platform/database/database.ts';
import { RecordQueue } from './record-queue.ts';
import { appendToolAudits, type RecordedCall, type ToolAuditEntry } from './tool-audits-store.ts';

const readableName = /^[a-z_][a-z0-9_.-]{0,63}$/;

/** The tool name for record and log. Any other text is not recorded: a client could send a secret. */
export const recordedToolName = (name: unknown): string =>
  typeof name === 'string' && readableName.test(name) ? name : '(unreadable)';

/** Runs as the last statement of a transaction, because it holds the lock of the chain until the end. */
export const appendToolAudit = async (transaction: Transaction, facts: ToolAuditEntry): Promise<RecordedCall> => {
  requireIds(facts);
  return recordOf(facts, await appendAll(transaction, [facts]));
};

type Appended = ReadonlyMap<string, RecordedCall>;

/** @throws Error: the database left the call out, which is a defect */
const recordOf = ({ correlationId }: ToolAuditEntry, appended: Appended): RecordedCall => {
  const recorded = appended.get(correlationId);
  if (recorded === undefined) throw new Error('A tool call is missing from the record');
  return recorded;
};

/** @param calls with valid ids */
const appendAll = async (queryable: Pick<Queryable, 'many'>, calls: readonly ToolAuditEntry[]): Promise<Appended> => {
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
const requireIds = ({ actorUserId, credentialId, clientId, correlationId }: ToolAuditEntry): void => {
  if (![actorUserId, credentialId, clientId, correlationId].every(isId))
    throw new Error('A tool call is recorded by ids');
};

/** Records calls outside of a transaction ({@link RecordQueue}). Recorded calls are left out: a retry is safe. */
export class ToolAudits {
  readonly #queue: RecordQueue<ToolAuditEntry, RecordedCall>;

  /** @param gather begins the next statement under load, after a pause */
  constructor(database: Pick<Queryable, 'many'>, gather?: (begin: () => void) => void) {
    const write = async (calls: readonly ToolAuditEntry[]) => {
      const appended = await appendAll(database, calls);
      return (facts: ToolAuditEntry): RecordedCall => recordOf(facts, appended);
    };
    this.#queue = new RecordQueue({ write, rewrite: write, ...(gather === undefined ? {} : { gather }) });
  }

  /**
   * Resolves once the row is durable, with its position in the chain.
   * @throws DatabaseUnavailable: the database does not answer, or too many calls are queued; the row may be missing
   */
  async append(facts: ToolAuditEntry): Promise<RecordedCall> {
    requireIds(facts);
    return this.#queue.append(facts);
  }

  /** Resolves when no call waits to be recorded. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }
}

// Digests of arguments: equal for equal ones, and keyed, so that a guess cannot be verified without the key.

/** @param args from JSON; undefined is `{}` @returns HMAC-SHA256 of canonical JSON, base64url, by GATEHOUSE_SECRET */
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
