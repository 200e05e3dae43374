/**
 * The process that `serve --workers N` starts: it serves nobody, starts its workers, and another one for each that
 * ends. Workers are processes of `serve`, with a pool, threads and memory of their own.
 */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, ConfigRefused } from '../../config/config.ts';
import { createLogger, type Logger } from '../../platform/observability/logger.ts';
import { CommandFailed, EndedAs, stopMillis } from '../exit.ts';
import { requirePortal } from '../installation.ts';
import { loadServiceConfig } from '../open.ts';
import { endBy } from '../signals.ts';
import { MetricsExchange, type ToSupervisor, tellWorker } from './metrics-exchange.ts';

/** A worker that served for as long is not one that cannot start. */
const provenMillis = 10_000;
const firstPauseMillis = 250;
const maxPauseMillis = 10_000;
/** Starts of each place, one after the other, after which nobody waits for one that works. */
const maxFailedStarts = 5;
/** How much longer a worker is waited for than it gives itself. */
const workersOwnMillis = 1_000;

/** One of the N: there is at most one worker in it at a time. */
interface Place {
  /** 1 to N, the same for whoever comes after. */
  readonly number: number;
  worker: Worker | null;
  /** Ends in a row that came too soon. */
  failures: number;
  /** Starts in a row that ended before they listened; none while there is a worker that does. */
  vainStarts: number;
}

interface Timeouts {
  /** For the end of a worker that was told to end. */
  readonly drainMillis: number;
  /** For the answers of one that serves. */
  readonly heartbeat: HeartbeatLimits;
}

/** What several processes cannot share. */
const requireShareable = ({ databaseUrl, smtpUrl, port }: Config): void => {
  const problems = [
    ...(databaseUrl === undefined
      ? ['DATABASE_URL is required with --workers: the embedded database serves one process.']
      : []),
    ...(smtpUrl === undefined
      ? ['SMTP_URL is required with --workers: the development mailbox is in the memory of one process.']
      : []),
    ...(port === 0 ? ['PORT must be a fixed number with --workers: each would listen at another one.'] : []),
  ];
  if (problems.length > 0) throw new ConfigRefused(problems);
};

/**
 * Resolves once all workers listen.
 * @param count how many, from 2 up
 * @param pulse when a worker that does not answer is given up
 * @throws ConfigRefused when the configuration is for one process
 * @throws EndedAs, CommandFailed when the first worker, which migrates and makes the first accounts, does not come so far
 */
export const supervise = async (count: number, heartbeat: HeartbeatLimits = heartbeatLimits): Promise<void> => {
  // Warns of slips, and makes a secret where none was given: once, before anybody else looks.
  const config = await loadServiceConfig();
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
  /** Whether the first one has come up: until then nobody is replaced. */
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
      vainStarts: 0,
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
    // In order: somebody has told that one alone to end.
    if (end === 0) throw new CommandFailed('The first worker was told to end before it listened.');
    // It has said why.
    if (end !== null) throw new EndedAs(end);
    this.#isStarted = true;
    await Promise.all(others.map((place) => this.#begun(place)));
  }

  /** Resolves once the worker listens, with null, or has ended before, with its exit code or the signal that ended it. */
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
      // What it said last may come after its end.
      if (place.worker !== worker) return;
      heartbeat?.heard();
      if (message.type !== 'ready') return this.#metrics.receive(place.number, worker, message);
      readySince = performance.now();
      place.vainStarts = 0;
      const { pid } = worker.process;
      this.#logger.info({ event: 'worker.ready', worker: place.number, pid }, 'A worker listens');
      heartbeat = new Heartbeat(worker, this.#pulseLimits, () => this.#kill(place, worker));
      settled(null);
    });
    worker.on('error', (error) => {
      this.#tellUnreachable(place, error);
      // It was never there, and nothing will tell of its end.
      if (worker.process.pid === undefined) ended(null, null);
    });
    worker.once('exit', ended);
  }

  #noteEnd(place: Place, readySince: number | null, code: number | null, signal: string | null): void {
    const hasServed = readySince !== null && performance.now() - readySince >= provenMillis;
    place.failures = hasServed ? 0 : place.failures + 1;
    if (readySince === null) place.vainStarts += 1;
    if (!this.#isStarted || this.#isStopping) return;
    // What keeps all of them out, such as a database of a newer version, is for whoever started this process.
    if (this.#places.every(({ vainStarts }) => vainStarts >= maxFailedStarts)) this.#giveUp(code);
    else this.#replace(place, code, signal);
  }

  /** Null where the system has no room for another process. */
  #fork(place: Place): Worker | null {
    try {
      return cluster.fork();
    } catch (error) {
      this.#tellUnreachable(place, error);
      return null;
    }
  }

  #tellUnreachable({ number }: Place, err: unknown): void {
    this.#logger.warn({ event: 'worker.unreachable', worker: number, err }, 'A worker cannot be started or told');
  }

  /** One that can no longer be told to end; its end counts like all others. */
  #kill({ number }: Place, worker: Worker): void {
    const { pid } = worker.process;
    this.#logger.error({ event: 'worker.silent', worker: number, pid }, 'A worker does not answer and is killed');
    worker.process.kill('SIGKILL');
  }

  #replace(place: Place, code: number | null, signal: string | null): void {
    const pauseMillis = pauseAfter(place.failures);
    const facts = { event: 'worker.ended', worker: place.number, code, signal, pauseMillis } as const;
    const sentence = 'A worker ended and another one takes its place';
    // In order: somebody has told that one alone to end.
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

  /** @param code of the last worker, which has said why it cannot start; null when a signal ended it */
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

  /** Whether every worker ended in order. */
  async #drain(): Promise<boolean> {
    const ends = this.#places.map((place) => this.#drained(place));
    return (await Promise.all(ends)).every((isGood) => isGood);
  }

  async #drained(place: Place): Promise<boolean> {
    const { worker } = place;
    if (worker === null) return true;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    worker.once('exit', (code: number | null) => resolve(code === 0));
    tellWorker(worker, { type: 'drain' });
    const isGood = await Promise.race([promise, sleep(this.#drainMillis, false, { ref: false })]);
    if (!worker.isDead()) this.#kill(place, worker);
    return isGood;
  }
}

/** The first one to go is replaced at once; one that cannot stay waits longer each time. */
const pauseAfter = (failures: number): number =>
  failures <= 1 ? 0 : Math.min(firstPauseMillis * 2 ** (failures - 2), maxPauseMillis);

// How a supervisor notices a worker that runs and does nothing: one that is stuck in a loop, or was stopped.

/** How often a worker is asked, and how many questions in a row it may leave unanswered. */
export interface HeartbeatLimits {
  readonly everyMillis: number;
  readonly maxUnanswered: number;
}

/** Half a minute: far more than a busy machine, a large hash or a collection of garbage takes. */
export const heartbeatLimits: HeartbeatLimits = { everyMillis: 5_000, maxUnanswered: 6 };

export class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #unanswered = 0;

  /** @param silent called once, when the worker has not answered */
  constructor(worker: Worker, { everyMillis, maxUnanswered }: HeartbeatLimits, silent: () => void) {
    // Counting questions, not reading a clock: a machine that slept has not waited for an answer meanwhile.
    this.#timer = setInterval(() => {
      if (this.#unanswered === maxUnanswered) {
        this.stop();
        silent();
        return;
      }
      this.#unanswered += 1;
      tellWorker(worker, { type: 'ping' });
    }, everyMillis);
  }

  /** Whatever the worker says is an answer. */
  heard(): void {
    this.#unanswered = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
