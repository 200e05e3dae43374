/**
 * bcrypt, bounded: as many hashes at once as there are cores, each on a thread of low priority, the rest waiting in a
 * queue with an end (`password-queue.ts`), past which a sign-in is refused before it costs anything. A hundred sign-ins at
 * once thus cost the other requests next to nothing.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { Refusal } from '../../kernel/errors.ts';
import { type ClientKey, type PasswordLoad, PasswordQueue } from './password-queue.ts';

/** What is refused for want of room is refused with RATE_LIMITED, and by when there may be some. */
export interface PasswordHasher {
  /** For whoever has something to do before a hash that is not worth it without one. @throws Refusal RATE_LIMITED */
  requireRoom(clientKey: ClientKey): void;
  /** A bcrypt hash with the configured cost. @param asker nobody is the process itself */
  hash(password: string, clientKey?: ClientKey): Promise<string>;
  /**
   * Whether the password fits the hash. Without a hash it compares with a real one that nobody knows the password of,
   * so that an unknown account costs what a known one does; the answer is false. A hash of a lower cost than the
   * configured one takes as long: until its owner signs in, it would tell that the account is there.
   */
  matches(password: string, hash: string | null, clientKey?: ClientKey): Promise<boolean>;
  /** Hashes at the moment: those that run and those that wait. */
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
  /** Hashes that may wait at once, beside those that run; whoever asks for them, and for however long. */
  readonly maxWaiting?: number;
  /** Hashes at once; as many as there are cores, unless other processes hash on them too. */
  readonly threads?: number;
}

/** @param cost bcrypt cost, SALT_ROUNDS */
export const createPasswordHasher = (cost: number, options: QueueOptions = {}): PasswordHasher => {
  const { maxWaiting, threads = availableParallelism() } = options;
  const pool = new ThreadPool(threads, maxWaiting);
  let dummy: Promise<string> | null = null;
  const hash = async (password: string, clientKey?: ClientKey): Promise<string> =>
    String(await pool.run({ password, cost }, clientKey));
  // Made on first need, not at start: it takes as long as a sign-in.
  const dummyHash = (): Promise<string> => {
    dummy ??= hash(crypto.randomUUID()).catch((error: unknown) => {
      // A failure must not stay: it would refuse unknown accounts, and them alone, from then on.
      dummy = null;
      throw error;
    });
    return dummy;
  };
  return {
    requireRoom: (clientKey) => pool.requireRoom(clientKey),
    hash,
    async matches(password, known, clientKey) {
      // Made for a known account too: the first sign-in of a process takes as long for either.
      const dummyVerified = await dummyHash();
      const answer = await pool.run({ password, hash: known ?? dummyVerified, cost }, clientKey);
      return known !== null && answer === true;
    },
    load: () => pool.load(),
    close: () => pool.close(),
  };
};

const closing = (): Refusal => new Refusal('UNAVAILABLE', 'The service is shutting down.');

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

  /** @throws Refusal RATE_LIMITED; UNAVAILABLE once it is closed */
  requireRoom(clientKey?: ClientKey): void {
    if (this.#closed) throw closing();
    this.#waiting.requireRoom(clientKey ?? null);
  }

  async run(request: Job['request'], clientKey?: ClientKey): Promise<unknown> {
    this.requireRoom(clientKey);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject }, clientKey ?? null);
      this.#dispatch();
    });
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
