/**
 * Owns the loop of background work over rows that processes claim from each other: rounds at an interval for rows that
 * others left, and at once when woken.
 */
import { outsideContext } from './observability/context.ts';

interface WorkLoopOptions {
  /** Claims due rows and works on them; whether more may be due at once. */
  readonly round: () => Promise<boolean>;
  /** Called when a round failed. The next poll retries; until then, only a new wake does. */
  readonly onFailed: (error: unknown) => void;
  readonly pollMilliseconds: number;
  /** Until the first poll. Default: `pollMilliseconds`. */
  readonly firstMilliseconds?: number;
  /** Part of each interval by which it varies, so that processes started together do not poll together. Default 0. */
  readonly jitter?: number;
}

export class WorkLoop {
  readonly #options: WorkLoopOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #isStarted = false;
  #isStopped = false;

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  start(): void {
    const { pollMilliseconds, firstMilliseconds = pollMilliseconds } = this.#options;
    this.#isStarted = true;
    this.#isStopped = false;
    this.#pollAfter(firstMilliseconds);
  }

  /** Claims no more rows; another process may take the rest. */
  beginToStop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Claims no more rows; resolves when the running round has ended. */
  async stop(): Promise<void> {
    this.beginToStop();
    await this.#running;
  }

  /** Runs a round at once, or after the running one; nothing before the start. */
  wake(): void {
    if (this.#isStarted) this.#begin();
  }

  /** Runs rounds until nothing is due. Never rejects. */
  run(): Promise<void> {
    this.#begin();
    return this.#running ?? Promise.resolve();
  }

  #begin(): void {
    if (this.#isStopped) return;
    this.#isWoken = true;
    // Woken by one request, it works for many, so it runs without their context.
    this.#running ??= outsideContext(() => this.#work());
  }

  async #work(): Promise<void> {
    while (this.#isWoken && !this.#isStopped) {
      this.#isWoken = false;
      try {
        if (await this.#options.round()) this.#isWoken = true;
      } catch (error) {
        this.#isWoken = false;
        this.#options.onFailed(error);
      }
    }
    this.#running = null;
  }

  #pollAfter(milliseconds: number): void {
    const { pollMilliseconds, jitter = 0 } = this.#options;
    const varied = milliseconds * (1 + jitter * (2 * Math.random() - 1));
    const poll = (): void => {
      this.#pollAfter(pollMilliseconds);
      this.wake();
    };
    this.#timer = setTimeout(poll, varied).unref();
  }
}
