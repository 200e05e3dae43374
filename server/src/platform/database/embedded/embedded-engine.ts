/**
 * Owns the worker thread of the embedded engine as seen by the main thread: starting it, passing bytes, and detecting
 * that it is broken, gone or silent. None of these can be fixed in this process, so they end in `broken`.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { within } from '../../../kernel/within.ts';
import type { FromWorker, ToWorker, WorkerFacts } from './embedded-messages.ts';
import { EmbeddedStream } from './embedded-stream.ts';

/** A first start writes about 40 MB; the limit allows for a slow disk. */
const startMillis = 60_000;
const closeMillis = 10_000;
const tickMillis = 1_000;

export interface EmbeddedEngine {
  /** The stream of the engine's only client. */
  readonly stream: EmbeddedStream;
  /** Closes the files, then the thread. */
  close(): Promise<void>;
}

/** Calls `silent` when a message is outstanding and none was answered during `limit` ticks. */
class Watch {
  readonly #limit: number;
  readonly #silent: () => void;
  readonly #timer: NodeJS.Timeout;
  #outstanding = 0;
  #ticks = 0;

  constructor(limit: number, silent: () => void) {
    this.#limit = limit;
    this.#silent = silent;
    // Counts ticks instead of reading a clock: while the machine slept, it did not wait for the engine.
    this.#timer = setInterval(() => this.#tick(), tickMillis).unref();
  }

  sent(): void {
    this.#outstanding += 1;
  }

  answered(count: number): void {
    this.#outstanding -= count;
    this.#ticks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.#ticks = this.#outstanding > 0 ? this.#ticks + 1 : 0;
    if (this.#ticks === this.#limit) this.#silent();
  }
}

class WorkerEngine implements EmbeddedEngine {
  readonly stream: EmbeddedStream;
  readonly #worker: Worker;
  readonly #watch: Watch;
  readonly #broken: (reason: string) => void;
  readonly #started = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #over = false;

  constructor(directory: string | null, silentSeconds: number, broken: (reason: string) => void) {
    this.#broken = broken;
    const facts: WorkerFacts = { directory };
    // Has this file's extension, because the published package is compiled.
    this.#worker = new Worker(new URL(`./embedded-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: facts,
      name: 'embedded-database',
      execArgv: [],
    });
    this.#watch = new Watch(silentSeconds, () => this.#end(`it has not answered for ${silentSeconds} s`));
    this.stream = new EmbeddedStream((bytes) => {
      this.#watch.sent();
      this.#post(bytes);
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error: Error) => this.#end(error.message));
    this.#worker.on('exit', (code) => this.#end(`its thread ended with code ${code}`));
  }

  /** Resolves when the engine accepts statements. */
  async started(): Promise<void> {
    const tooLate = (): Promise<void> => {
      this.#end(`it did not start within ${startMillis / 1_000} s`);
      return this.#started.promise;
    };
    try {
      await within(startMillis, this.#started.promise, tooLate);
    } catch (error) {
      await this.#worker.terminate();
      throw error;
    }
  }

  async close(): Promise<void> {
    if (!this.#over) this.#post('close');
    await within(closeMillis, this.#closed.promise, () => undefined);
    this.#over = true;
    this.#watch.stop();
    await this.#worker.terminate();
  }

  #post(message: ToWorker): void {
    if (message === 'close') this.#worker.postMessage(message);
    else this.#worker.postMessage(message, [message.buffer as ArrayBuffer]);
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.#started.resolve();
        break;
      case 'refused':
        this.#end(message.reason);
        break;
      case 'answer':
        this.#watch.answered(message.count);
        this.stream.receive(message.bytes);
        break;
      case 'broken':
        this.#end(message.reason);
        break;
      case 'closed':
        this.#closed.resolve();
        break;
    }
  }

  /** Handles an unrequested end of the engine. */
  #end(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#watch.stop();
    this.#closed.resolve();
    this.#started.reject(new Error(reason));
    this.stream.destroy();
    this.#broken(reason);
  }
}

/**
 * Opens the engine.
 * @param directory of its files, created when missing; null for memory
 * @param silentSeconds how long it may leave a statement unanswered before it counts as broken
 * @param broken called once when the engine stops by itself, also during its start
 * @throws Error: when the engine cannot open the files; the message is its reason
 */
export const openEngine = async (
  directory: string | null,
  silentSeconds: number,
  broken: (reason: string) => void,
): Promise<EmbeddedEngine> => {
  const engine = new WorkerEngine(directory, silentSeconds, broken);
  await engine.started();
  return engine;
};
