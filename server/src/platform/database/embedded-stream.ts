/**
 * Owns the way between a `pg` client and the embedded engine: a stream that the client takes for a socket, with the
 * worker at its other end. So both engines share one client library, with its prepared statements and its pipeline.
 */
import { Duplex } from 'node:stream';
import { greeting, wholeExchanges } from './wire-messages.ts';

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
