/**
 * The worker thread of the embedded engine as seen by the main thread: its start, its bytes, and whether it is broken
 * or gone, which this process cannot fix.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { within } from '../../../kernel/waits/within.ts';
import { processMillis, watchStart } from './embedded-start.ts';
import { EmbeddedStream } from './embedded-stream.ts';

const closeMillis = 10_000;

// Messages between the main thread and the worker.

/** Wire protocol bytes that end with a whole Sync or Query message, or the request to close. */
export type ToWorker = Uint8Array | 'close';

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'answer'; readonly bytes: Uint8Array }
  /** The engine failed to open, or executes nothing more: the disk is full, or it stopped by itself. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The engine is closed; its files are complete. */
  | { readonly kind: 'closed' };

/** Prepared by another database for this one. */
export interface Prepared {
  /** File with the contents of a database in memory (`archiveFiles`); by default it is a new database. */
  readonly archive?: string;
  /** By default the engine compiles its own. */
  readonly program?: WebAssembly.Module;
}

/** Start parameters of the worker. */
export interface EngineWorkerData {
  /** Directory of the files, or null for a database in memory. */
  readonly directory: string | null;
  readonly prepared: Prepared;
}

export interface EmbeddedEngine {
  readonly stream: EmbeddedStream;
  /** Closes the files, then the thread. */
  close(): Promise<void>;
}

class WorkerEngine implements EmbeddedEngine {
  readonly stream: EmbeddedStream;
  readonly #worker: Worker;
  readonly #broken: (reason: string) => void;
  readonly #started = Promise.withResolvers<void>();
  readonly #closed = Promise.withResolvers<void>();
  #over = false;

  constructor(facts: EngineWorkerData, broken: (reason: string) => void) {
    this.#broken = broken;
    // Has this file's extension, because the published package is compiled.
    this.#worker = new Worker(new URL(`./embedded-worker${extname(import.meta.url)}`, import.meta.url), {
      workerData: facts,
      name: 'embedded-database',
      execArgv: [],
    });
    this.stream = new EmbeddedStream((bytes) => this.#worker.postMessage(bytes, [bytes.buffer as ArrayBuffer]));
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error: Error) => this.#end(error.message));
    this.#worker.on('exit', (code) => this.#end(`its thread ended with code ${code}`));
  }

  /** Resolves when the engine accepts statements. */
  async started(tell: (seconds: number) => void): Promise<void> {
    const stopWatch = watchStart({ spentMillis: processMillis, tell, giveUp: (reason) => this.#end(reason) });
    try {
      await this.#started.promise;
    } catch (error) {
      await this.#worker.terminate();
      throw error;
    } finally {
      stopWatch();
    }
  }

  async close(): Promise<void> {
    if (!this.#over) this.#worker.postMessage('close' satisfies ToWorker);
    await within(closeMillis, this.#closed.promise, () => undefined);
    this.#over = true;
    await this.#worker.terminate();
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'ready':
        this.#started.resolve();
        break;
      case 'answer':
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

  #end(reason: string): void {
    if (this.#over) return;
    this.#over = true;
    this.#closed.resolve();
    this.#started.reject(new Error(reason));
    this.stream.destroy();
    this.#broken(reason);
  }
}

/**
 * @param directory of its files, created when missing; null for memory
 * @param broken called once when the engine stops by itself, also during its start
 * @param tell called every few seconds until it is open, with the seconds so far
 * @throws Error: the engine cannot open the files; the message is its reason
 */
export const openEngine = async (
  directory: string | null,
  broken: (reason: string) => void,
  prepared: Prepared = {},
  tell: (seconds: number) => void = () => undefined,
): Promise<EmbeddedEngine> => {
  const engine = new WorkerEngine({ directory, prepared }, broken);
  await engine.started(tell);
  return engine;
};
