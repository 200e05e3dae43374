/**
 * The wire protocol between the embedded engine and node-postgres: message framing and the duplex stream.
 */
import { Duplex } from 'node:stream';

// Owns the way between a `pg` client and the embedded engine: a stream that the client takes for a socket, with the
// worker at its other end. So both engines share one client library, with its prepared statements and its pipeline.

/** Where bytes for the engine go; the stream is told of answers through {@link EmbeddedStream.receive}. */
export type Send = (bytes: Uint8Array) => void;

export class EmbeddedStream extends Duplex {
  readonly #send: Send;
  #greeted = false;
  /** Bytes of this moment, and the begun exchange that is not whole yet. */
  #pending: Buffer[] = [];
  #flushing = false;

  constructor(send: Send) {
    super();
    this.#send = send;
  }

  /** The client's call for a socket to connect; there is nothing to wait for. */
  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** What the engine answered. */
  receive(bytes: Uint8Array): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  override _read(): void {
    // Answers are pushed as they come; their number is bounded by the statements that were sent.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#take([chunk]);
    done();
  }

  override _writev(chunks: readonly { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#take(chunks.map(({ chunk }) => chunk));
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }

  #take(chunks: readonly Buffer[]): void {
    if (!this.#greeted) {
      // The startup message: user, database and options mean nothing to an engine that has one session.
      this.#greeted = true;
      process.nextTick(() => this.push(greeting()));
      return;
    }
    this.#pending.push(...chunks);
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => this.#flush());
  }

  /** Sends what the statements of this moment wrote, together: the engine runs them in one call. */
  #flush(): void {
    this.#flushing = false;
    const bytes = Buffer.concat(this.#pending);
    const whole = wholeExchanges(bytes);
    this.#pending = whole < bytes.length ? [bytes.subarray(whole)] : [];
    if (whole > 0) this.#send(new Uint8Array(bytes.subarray(0, whole)));
  }
}

// Owns the little that the embedded engine's stream must know of the PostgreSQL wire protocol: where messages end,
// what greets a client, and which error a failing engine named last.

const sync = 0x53; // 'S'
const simpleQuery = 0x51; // 'Q'
const errorResponse = 0x45; // 'E'
const headerBytes = 5;

/**
 * How many leading bytes of `bytes` hold only whole exchanges, each ended by Sync or Query. What follows waits for the
 * rest of it: the engine answers "ready" at the end of whatever it is given, and would do so in the middle.
 */
export const wholeExchanges = (bytes: Buffer): number => {
  let offset = 0;
  let whole = 0;
  while (offset + headerBytes <= bytes.length) {
    const type = bytes[offset];
    offset += 1 + bytes.readInt32BE(offset + 1);
    if (offset > bytes.length) break;
    if (type === sync || type === simpleQuery) whole = offset;
  }
  return whole;
};

/** AuthenticationOk, BackendKeyData without a key, ReadyForQuery outside a transaction. */
export const greeting = (): Buffer =>
  Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x4b, 0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

const fieldOf = (fields: readonly string[], code: string): string | null =>
  fields.find((field) => field.startsWith(code))?.slice(1) ?? null;

/** Severity and message of the last ErrorResponse in what an engine sent, or null. */
export const lastError = (bytes: Buffer): string | null => {
  let found: string | null = null;
  let offset = 0;
  while (offset + headerBytes <= bytes.length) {
    const end = offset + 1 + bytes.readInt32BE(offset + 1);
    if (bytes[offset] === errorResponse) {
      const fields = bytes.toString('utf8', offset + headerBytes, end).split('\0');
      found = `${fieldOf(fields, 'V') ?? 'ERROR'}: ${fieldOf(fields, 'M') ?? 'no message'}`;
    }
    offset = end;
  }
  return found;
};
