/**
 * Short texts from one process to all others through Redis, over a connection of its own. Nobody may depend on them: one
 * can be lost, come twice, late, or from whoever else can reach Redis.
 */
import type { Logger } from './database/logger.ts';
import { connectMilliseconds, leastLifeMilliseconds, newClient, pauseAfter, type Redis, within } from './redis.ts';
import { RedisTroubles, troubleOf } from './redis-troubles.ts';

export interface ChannelOptions {
  readonly url: string;
  readonly logger: Logger;
  /** Its connection sends; what cannot be sent is lost. */
  readonly redis: Pick<Redis, 'send' | 'isAvailable'>;
  readonly name: string;
  readonly received: (text: string) => void;
}

/** Begins to listen; never waits for it and never fails. */
export class RedisChannel {
  readonly #options: ChannelOptions;
  readonly #troubles: RedisTroubles;
  #client: ReturnType<typeof newClient> | null = null;
  /** In a row. */
  #failures = 0;
  /** By `performance.now()`; null while it does not listen. */
  #listensSince: number | null = null;
  #isClosed = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#troubles = new RedisTroubles(options.logger);
    this.#open();
  }

  /** Never waits, never throws. */
  send(text: string): void {
    const { redis, name } = this.#options;
    if (!redis.isAvailable) return;
    // The connection tells the log by itself, and a text may be lost.
    redis.send(['PUBLISH', name, text]).catch(() => undefined);
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.destroy();
    this.#client = null;
  }

  #open(): void {
    if (this.#isClosed) return;
    const { url, name, received } = this.#options;
    const client = newClient(url);
    this.#client = client;
    client.unref();
    client.on('error', (error: unknown) => this.#lose(client, error));
    client.on('connect', () => {
      if (this.#client !== client) client.destroy();
    });
    const listening = async (): Promise<void> => {
      await client.connect();
      await client.subscribe(name, received);
    };
    within(connectMilliseconds, listening()).then(
      () => {
        this.#listensSince = performance.now();
        this.#troubles.end('SUBSCRIBE');
      },
      (error: unknown) => this.#lose(client, error),
    );
  }

  #lose(client: ReturnType<typeof newClient>, error: unknown): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.destroy();
    const since = this.#listensSince;
    this.#listensSince = null;
    const hasWorked = since !== null && performance.now() - since >= leastLifeMilliseconds;
    this.#failures = hasWorked ? 1 : this.#failures + 1;
    const trouble = troubleOf(error);
    // That Redis is away is told by the connection for everything else.
    if (trouble.kind !== 'away') this.#troubles.begin('SUBSCRIBE', trouble);
    setTimeout(() => this.#open(), pauseAfter(this.#failures)).unref();
  }
}
