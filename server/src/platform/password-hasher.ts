/**
 * bcrypt, bounded: as many hashes at once as there are cores, each on a thread of low priority, the rest waiting in a
 * queue with an end. A hundred sign-ins at once thus cost the other requests next to nothing.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../kernel/errors.ts';

export interface PasswordHasher {
  /** A bcrypt hash with the configured cost. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits the hash. Without a hash it compares with a real one that nobody knows the password of,
   * so that an unknown account costs what a known one does; the answer is false.
   */
  matches(password: string, hash: string | null): Promise<boolean>;
  close(): Promise<void>;
}

interface Job {
  readonly request: { readonly password: string; readonly hash?: string; readonly cost?: number };
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

const maximumWaiting = 1000;

/** @param cost bcrypt cost, SALT_ROUNDS */
export const createPasswordHasher = (cost: number): PasswordHasher => {
  const pool = new ThreadPool(availableParallelism());
  let decoy: Promise<string> | null = null;
  const hash = async (password: string): Promise<string> => String(await pool.run({ password, cost }));
  // Made on first need, not at start: it takes as long as a sign-in.
  const decoyHash = (): Promise<string> => {
    decoy ??= hash(crypto.randomUUID()).catch((error: unknown) => {
      // A failure must not stay: it would refuse unknown accounts, and them alone, from then on.
      decoy = null;
      throw error;
    });
    return decoy;
  };
  return {
    hash,
    async matches(password, known) {
      // Made for a known account too: the first sign-in of a process takes as long for either.
      const decoyed = await decoyHash();
      const answer = await pool.run({ password, hash: known ?? decoyed });
      return known !== null && answer === true;
    },
    close: () => pool.close(),
  };
};

/** Threads that start when first needed; a job goes to an idle one, or waits. */
class ThreadPool {
  readonly #size: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job>();
  readonly #waiting: Job[] = [];
  #closed = false;
  #next = 0;

  constructor(size: number) {
    this.#size = size;
  }

  run(request: Job['request']): Promise<unknown> {
    if (this.#closed || this.#waiting.length >= maximumWaiting) {
      return Promise.reject(new Refusal('UNAVAILABLE', 'Too many sign-ins are waiting. Try again in a moment.'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject });
      this.#dispatch();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const job of [...this.#waiting.splice(0), ...this.#busy.values()]) {
      job.reject(new Refusal('UNAVAILABLE', 'The service is shutting down.'));
    }
    this.#busy.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop() ?? (this.#busy.size < this.#size ? this.#start() : null);
      const job = worker === null ? undefined : this.#waiting.shift();
      if (worker === null || job === undefined) return;
      this.#busy.set(worker, job);
      this.#next += 1;
      worker.postMessage({ id: this.#next, ...job.request });
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./password-worker.mjs', import.meta.url));
    worker.unref();
    worker.on('message', (reply: Reply) => this.#settle(worker, reply));
    worker.on('error', (error) => this.#lose(worker, error));
    return worker;
  }

  #settle(worker: Worker, reply: Reply): void {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    if (!this.#closed) this.#idle.push(worker);
    if (reply.error === undefined) job?.resolve(reply.value);
    else job?.reject(new Error(`bcrypt refused: ${reply.error}`));
    this.#dispatch();
  }

  #lose(worker: Worker, error: unknown): void {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    job?.reject(new Error('A hashing thread died', { cause: error }));
    this.#dispatch();
  }
}
