/**
 * Owns: the processes of `serve --workers`: their start, replacement and drain, and their joined metrics.
 * Promises: A worker that ends is replaced; one signal drains them all; the supervisor serves no request.
 *
 * Workers are processes of `serve`, each with its own pool, threads and memory.
 */
import cluster, { type Worker } from 'node:cluster';
import { type Config, ConfigRefused } from '../../config/config.ts';
import { present } from '../../kernel/collections.ts';
import { within } from '../../kernel/waits/within.ts';
import { createLogger, type Logger } from '../../platform/observability/logger.ts';
import { CommandFailed, EndedAs, stopMillis } from '../exit.ts';
import { requirePortal } from '../installation.ts';
import { loadServiceConfig } from '../open.ts';
import { endBy } from '../signals.ts';
import { MetricsExchange, sendToWorker, type ToSupervisor } from './metrics-exchange.ts';

/** A worker that has served this long counts as able to start. */
const provenMillis = 10_000;
const firstPauseMillis = 250;
const maxPauseMillis = 10_000;
/** Consecutive failed starts of every place, after which the supervisor gives up. */
const maxFailedStarts = 5;
/** Extra time for a worker beyond its own stop timeout. */
const workersOwnMillis = 1_000;

/** One of the N places, which holds at most one worker at a time. */
interface Place {
  /** 1 to N; kept by replacements. */
  readonly number: number;
  worker: Worker | null;
  /** Consecutive early ends. */
  failures: number;
  /** Consecutive starts that ended before the worker listened; reset when one listens. */
  failedStarts: number;
}

interface Timeouts {
  readonly drainMillis: number;
  readonly heartbeat: HeartbeatLimits;
}

const requireShareable = ({ databaseUrl, smtpUrl, port }: Config): void => {
  const problems = present(
    databaseUrl === undefined && 'DATABASE_URL is required with --workers: the embedded database serves one process.',
    smtpUrl === undefined &&
      'SMTP_URL is required with --workers: the development mailbox is in the memory of one process.',
    port === 0 && 'PORT must be a fixed number with --workers: otherwise each worker would listen at another port.',
  );
  if (problems.length > 0) throw new ConfigRefused(problems);
};

/**
 * Resolves once all workers listen.
 * @param count at least 2
 * @param heartbeat limits after which an unresponsive worker is killed
 * @throws ConfigRefused when the configuration is for one process
 * @throws EndedAs, CommandFailed when the first worker, which migrates and creates the first accounts, ends before it
 *   listens
 */
export const supervise = async (count: number, heartbeat: HeartbeatLimits = heartbeatLimits): Promise<void> => {
  // Warns of typing errors and generates a missing secret once, before any worker reads the configuration.
  const { config } = await loadServiceConfig();
  requireShareable(config);
  requirePortal();
  const drainMillis = stopMillis(config.drainSeconds) + workersOwnMillis;
  await new Supervisor(count, { drainMillis, heartbeat }, createLogger(config.logLevel)).start();
};

class Supervisor {
  readonly #logger: Logger;
  readonly #drainMillis: number;
  readonly #pulseLimits: HeartbeatLimits;
  readonly #places: readonly Place[];
  readonly #metrics: MetricsExchange;
  /** Whether the first worker has come up; no worker is replaced before. */
  #isStarted = false;
  #isStopping = false;
  #restarts = 0;

  constructor(count: number, { drainMillis, heartbeat }: Timeouts, logger: Logger) {
    this.#logger = logger;
    this.#drainMillis = drainMillis;
    this.#pulseLimits = heartbeat;
    this.#places = Array.from({ length: count }, (_, index) => ({
      number: index + 1,
      worker: null,
      failures: 0,
      failedStarts: 0,
    }));
    this.#metrics = new MetricsExchange(
      () => this.#places.flatMap(({ number, worker }) => (worker === null ? [] : [{ number, worker }])),
      () => this.#restarts,
    );
  }

  async start(): Promise<void> {
    endBy((signal) => this.#stop(signal));
    const [first, ...others] = this.#places;
    if (first === undefined) return;
    const end = await this.#begun(first);
    if (this.#isStopping) return;
    if (typeof end === 'string') throw new CommandFailed(`The first worker was ended by ${end} before it listened.`);
    // Exit code 0: only this worker was asked to end.
    if (end === 0) throw new CommandFailed('The first worker was asked to end before it listened.');
    // The worker has reported its reason.
    if (end !== null) throw new EndedAs(end);
    this.#isStarted = true;
    await Promise.all(others.map((place) => this.#begun(place)));
  }

  /** Resolves with null once the worker listens, or with its exit code or signal when it ends before. */
  #begun(place: Place): Promise<number | string | null> {
    return new Promise((resolve) => this.#fill(place, resolve));
  }

  /** @param settled called when the worker listens, and when it ends */
  #fill(place: Place, settled: (end: number | string | null) => void): void {
    const worker = this.#fork(place);
    place.worker = worker;
    let readySince: number | null = null;
    let heartbeat: Heartbeat | null = null;
    const ended = (code: number | null, signal: string | null): void => {
      if (place.worker !== worker) return;
      place.worker = null;
      heartbeat?.stop();
      settled(code ?? signal ?? 1);
      this.#noteEnd(place, readySince, code, signal);
    };
    if (worker === null) {
      ended(null, null);
      return;
    }
    worker.on('message', (message: ToSupervisor) => {
      // A worker's last message may arrive after its exit.
      if (place.worker !== worker) return;
      heartbeat?.answered();
      if (message.type !== 'ready') return this.#metrics.receive(place.number, worker, message);
      readySince = performance.now();
      place.failedStarts = 0;
      const { pid } = worker.process;
      this.#logger.info({ event: 'worker.ready', worker: place.number, pid }, 'A worker listens');
      heartbeat = new Heartbeat(worker, this.#pulseLimits, () => this.#kill(place, worker));
      settled(null);
    });
    worker.on('error', (error) => {
      this.#tellUnreachable(place, error);
      // The process was never created, so no exit event follows.
      if (worker.process.pid === undefined) ended(null, null);
    });
    worker.once('exit', ended);
  }

  #noteEnd(place: Place, readySince: number | null, code: number | null, signal: string | null): void {
    const hasServed = readySince !== null && performance.now() - readySince >= provenMillis;
    place.failures = hasServed ? 0 : place.failures + 1;
    if (readySince === null) place.failedStarts += 1;
    if (!this.#isStarted || this.#isStopping) return;
    // A cause that affects every worker, such as a database of a newer version, must be fixed by the operator.
    if (this.#places.every(({ failedStarts }) => failedStarts >= maxFailedStarts)) this.#giveUp(code);
    else this.#replace(place, code, signal);
  }

  /** Null when the system cannot create another process. */
  #fork(place: Place): Worker | null {
    try {
      return cluster.fork();
    } catch (error) {
      this.#tellUnreachable(place, error);
      return null;
    }
  }

  #tellUnreachable({ number }: Place, err: unknown): void {
    this.#logger.warn({ event: 'worker.unreachable', worker: number, err }, 'A worker cannot be started or signalled');
  }

  /** Kills a worker that cannot end in order any more; its exit is handled like any other. */
  #kill({ number }: Place, worker: Worker): void {
    const { pid } = worker.process;
    this.#logger.error({ event: 'worker.silent', worker: number, pid }, 'A worker does not answer and is killed');
    worker.process.kill('SIGKILL');
  }

  #replace(place: Place, code: number | null, signal: string | null): void {
    const pauseMillis = pauseAfter(place.failures);
    const facts = { event: 'worker.ended', worker: place.number, code, signal, pauseMillis } as const;
    const sentence = 'A worker ended and another one takes its place';
    // Exit code 0: only this worker was asked to end.
    if (code === 0) this.#logger.warn(facts, sentence);
    else this.#logger.error(facts, sentence);
    this.#restarts += 1;
    setTimeout(() => {
      if (!this.#isStopping) this.#fill(place, () => undefined);
    }, pauseMillis);
  }

  #stop(signal: NodeJS.Signals): void {
    if (this.#isStopping) return;
    this.#logger.info({ event: 'service.stopping', signal }, 'Gatehouse is stopping its workers');
    this.#end(0);
  }

  /** @param code of the last worker, which has reported why it cannot start; null when a signal ended it */
  #giveUp(code: number | null): void {
    const ended = new EndedAs(code === null || code === 0 ? 1 : code);
    this.#logger.error({ event: 'service.stop_failed', err: ended }, 'No worker serves, and none can start');
    this.#end(ended.code);
  }

  #end(code: number): void {
    this.#isStopping = true;
    this.#drain().then(
      (areGood) => process.exit(code === 0 && !areGood ? 1 : code),
      (error: unknown) => {
        this.#logger.error({ event: 'service.stop_failed', err: error }, 'Gatehouse did not stop cleanly');
        process.exit(1);
      },
    );
  }

  /** Resolves to whether every worker ended in order. */
  async #drain(): Promise<boolean> {
    const ends = this.#places.map((place) => this.#drained(place));
    return (await Promise.all(ends)).every((isGood) => isGood);
  }

  async #drained(place: Place): Promise<boolean> {
    const { worker } = place;
    if (worker === null) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    worker.once('exit', (code: number | null) => resolve(code === 0));
    sendToWorker(worker, { type: 'drain' });
    const isGood = await within(this.#drainMillis, promise, () => false);
    if (!worker.isDead()) this.#kill(place, worker);
    return isGood;
  }
}

/** No pause after the first failure, then a doubled pause for each further one. */
const pauseAfter = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(firstPauseMillis * 2 ** (failures - 2), maxPauseMillis);

// Heartbeat: detects a worker that is alive but unresponsive, because it is stuck in a loop or was stopped.

/** The interval of pings, and how many consecutive pings may go unanswered. */
interface HeartbeatLimits {
  readonly everyMillis: number;
  readonly maxUnanswered: number;
}

/** Half a minute: far longer than a busy machine, a large hash or a garbage collection takes. */
const heartbeatLimits: HeartbeatLimits = { everyMillis: 5_000, maxUnanswered: 6 };

class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #unanswered = 0;

  /** @param silent called once, when the worker is unresponsive */
  constructor(worker: Worker, { everyMillis, maxUnanswered }: HeartbeatLimits, silent: () => void) {
    // Counts pings instead of elapsed time: a machine that was asleep has not missed any answer.
    this.#timer = setInterval(() => {
      if (this.#unanswered === maxUnanswered) {
        this.stop();
        silent();
        return;
      }
      this.#unanswered += 1;
      sendToWorker(worker, { type: 'ping' });
    }, everyMillis);
  }

  /** Any message from the worker counts as an answer. */
  answered(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
