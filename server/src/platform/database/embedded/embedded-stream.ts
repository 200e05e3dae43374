/** Owns the wire protocol between the embedded engine and node-postgres: message framing and the duplex stream. */
import { Duplex } from 'node:stream';

// A stream that a `pg` client uses as its socket, with the worker at the other end: both engines share one library.

/** Sends bytes to the engine; its answers arrive through {@link EmbeddedStream.receive}. */
type Send = (bytes: Uint8Array) => void;

export class EmbeddedStream extends Duplex {
  readonly #send: Send;
  #greeted = false;
  /** Bytes not yet flushed, including the start of an incomplete exchange. */
  #pending: Buffer[] = [];
  #flushing = false;

  constructor(send: Send) {
    super();
    this.#send = send;
  }

  /** Called by the client to connect its socket; there is nothing to wait for. */
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

  receive(bytes: Uint8Array): void {
    this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  override _read(): void {
    // Answers are pushed as they arrive; their number is bounded by the statements sent.
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
      // The startup message: user, database and options have no meaning for an engine with a single session.
      this.#greeted = true;
      process.nextTick(() => this.push(greeting()));
      return;
    }
    this.#pending.push(...chunks);
    if (this.#flushing) return;
    this.#flushing = true;
    queueMicrotask(() => this.#flush());
  }

  /** Sends the bytes of all statements of the current tick together: the engine runs them in one call. */
  #flush(): void {
    this.#flushing = false;
    const bytes = Buffer.concat(this.#pending);
    const whole = wholeExchanges(bytes);
    this.#pending = whole < bytes.length ? [bytes.subarray(whole)] : [];
    if (whole > 0) this.#send(new Uint8Array(bytes.subarray(0, whole)));
  }
}

// The part of the wire protocol that it needs: message boundaries, the greeting, and the last error of an engine.

const sync = 0x53; // 'S'
const simpleQuery = 0x51; // 'Q'
const errorResponse = 0x45; // 'E'
const headerBytes = 5;

/**
 * The length of the prefix of `bytes` that consists of whole exchanges, each ended by Sync or Query. The rest waits:
 * the engine answers "ready" at the end of any input, even in the middle of an exchange.
 */
const wholeExchanges = (bytes: Buffer): number => {
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

/**
 * AuthenticationOk, BackendKeyData without a key, ReadyForQuery outside a transaction.
 * @internal A test goes through each entry, or to each side of the limit.
 */
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
