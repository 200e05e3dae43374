/**
 * Owns entries that requests note in memory and that are written later, in batches. No request waits for them, and a
 * write that fails loses only its own entries.
 */
import { outsideContext } from './observability/context.ts';

const flushMilliseconds = 2000;

interface WriteBehindOptions<Entry> {
  /** Entries in memory; further ones are refused until the next write. */
  readonly maxPending: number;
  readonly batchSize: number;
  readonly write: (batch: readonly Entry[]) => Promise<unknown>;
  /** Called before each write, also of no entries. */
  readonly onFlush?: () => void;
  /** Called when a write failed: its entries are lost. */
  readonly onLost: (error: unknown) => void;
}

export class WriteBehind<Entry> {
  readonly #options: WriteBehindOptions<Entry>;
  readonly #pending = new Map<string, Entry>();
  #isScheduled = false;
  #flushing: Promise<void> = Promise.resolve();

  constructor(options: WriteBehindOptions<Entry>) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#pending.size >= this.#options.maxPending;
  }

  /** The entry of a key that is not written yet. */
  find(key: string): Entry | undefined {
    return this.#pending.get(key);
  }

  /** Notes an entry, and schedules a write. */
  add(key: string, entry: Entry): void {
    this.#pending.set(key, entry);
    this.schedule();
  }

  /** Writes within two seconds. */
  schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    outsideContext(() => setTimeout(() => void this.flush(), flushMilliseconds).unref());
  }

  /** Writes the pending entries, after the write in progress. Never rejects. */
  flush(): Promise<void> {
    this.#isScheduled = false;
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const { batchSize, write, onFlush, onLost } = this.#options;
    onFlush?.();
    const entries = [...this.#pending.values()];
    this.#pending.clear();
    try {
      for (let start = 0; start < entries.length; start += batchSize)
        await write(entries.slice(start, start + batchSize));
    } catch (error) {
      onLost(error);
    }
  }
}
