/**
 * Owns: bcrypt hashing and comparison, on a few threads behind a bounded queue.
 * Promises: Unknown and wrong passwords cost the same; a full queue refuses before anything is hashed.
 *
 * As many hashes (of SALT_ROUNDS) at once as there are cores; the rest wait in the queue (`password-queue.ts`).
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../kernel/errors.ts';
import { type ClientKey, type PasswordLoad, PasswordQueue } from './password-queue.ts';

/** When the queue is full, calls are refused with RATE_LIMITED and a retry time. */
export interface PasswordHasher {
  /** Before work that is useless without a hash. @throws RATE_LIMITED: there is no free place */
  requireRoom(clientKey: ClientKey): void;
  /** @param clientKey absent for the process itself */
  hash(password: string, clientKey?: ClientKey): Promise<string>;
  /**
   * Whether the password matches the hash. Without a hash it compares with a dummy, so that an unknown account takes as
   * long as a known one. So does a hash of a lower cost than configured, whose timing would reveal the account.
   */
  matches(password: string, hash: string | null, clientKey?: ClientKey): Promise<boolean>;
  load(): PasswordLoad;
  close(): Promise<void>;
}

interface Job {
  readonly request: { readonly password: string; readonly hash?: string; readonly cost: number };
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export interface QueueOptions {
  /** Limit of waiting hashes, in addition to the running ones, for all clients and any waiting time. */
  readonly maxWaiting?: number;
  /** Concurrent hashes; defaults to the number of cores, unless other processes hash on them too. */
  readonly threads?: number;
}

/** @param cost bcrypt cost, SALT_ROUNDS */
export const createPasswordHasher = (cost: number, options: QueueOptions = {}): PasswordHasher => {
  const { maxWaiting, threads = availableParallelism() } = options;
  const pool = new ThreadPool(threads, maxWaiting);
  // Well-formed and the hash of no password: comparing with it takes as long as with any other.
  const dummy = `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
  return {
    requireRoom: (clientKey) => pool.requireRoom(clientKey),
    hash: async (password, clientKey) => String(await pool.run({ password, cost }, clientKey)),
    async matches(password, known, clientKey) {
      const answer = await pool.run({ password, hash: known ?? dummy, cost }, clientKey);
      return known !== null && answer === true;
    },
    load: () => pool.load(),
    close: () => pool.close(),
  };
};

const closing = (): Refusal => new Refusal('UNAVAILABLE', 'The service is shutting down.');

/** A thread holds one password and one hash at a time; by default its heap would grow to that of a process. */
const resourceLimits = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 };

/** Threads that start when first needed; a job goes to an idle one, or waits. */
class ThreadPool {
  readonly #size: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Job & { readonly since: number }>();
  readonly #waiting: PasswordQueue<Job>;
  #closed = false;
  #next = 0;

  constructor(size: number, maxWaiting: number | undefined) {
    this.#size = size;
    this.#waiting = new PasswordQueue(size, maxWaiting);
  }

  /** @throws RATE_LIMITED: the queue is full; UNAVAILABLE: the pool is closed */
  requireRoom(clientKey?: ClientKey): void {
    if (this.#closed) throw closing();
    this.#waiting.requireRoom(clientKey ?? null, {
      hasIdle: this.#busy.size < this.#size,
      oldestMilliseconds: this.#oldestMilliseconds(),
    });
  }

  async run(request: Job['request'], clientKey?: ClientKey): Promise<unknown> {
    this.requireRoom(clientKey);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject }, clientKey ?? null);
      this.#dispatch();
    });
  }

  #oldestMilliseconds(): number {
    const [oldest] = this.#busy.values();
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  load(): PasswordLoad {
    return { running: this.#busy.size, waiting: this.#waiting.length };
  }

  async close(): Promise<void> {
    this.#closed = true;
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const job of [...this.#waiting.clear(), ...this.#busy.values()]) {
      job.reject(closing());
    }
    this.#busy.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop() ?? (this.#busy.size < this.#size ? this.#start() : null);
      const job = worker === null ? undefined : this.#waiting.shift();
      if (worker === null || job === undefined) return;
      this.#busy.set(worker, { ...job, since: performance.now() });
      this.#next += 1;
      worker.postMessage({ id: this.#next, ...job.request });
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./password-worker.mjs', import.meta.url), { resourceLimits });
    worker.unref();
    worker.on('message', (reply: Reply) => this.#settle(worker, reply));
    worker.on('error', (error) => this.#lose(worker, error));
    return worker;
  }

  #settle(worker: Worker, reply: Reply): void {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    if (!this.#closed) this.#idle.push(worker);
    if (job !== undefined) this.#waiting.tookOne(performance.now() - job.since);
    if (reply.error === undefined) job?.resolve(reply.value);
    else job?.reject(new Error(`bcrypt refused: ${reply.error}`));
    this.#dispatch();
  }

  #lose(worker: Worker, error: unknown): void {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    const place = this.#idle.indexOf(worker);
    if (place !== -1) this.#idle.splice(place, 1);
    job?.reject(new Error('A hashing thread died', { cause: error }));
    this.#dispatch();
  }
}
