/** Owns what the main thread and the worker of the embedded database say to each other. */

/** Wire protocol bytes that end with a whole Sync or Query message, or the wish to close. */
export type ToWorker = Uint8Array | 'close';

export type FromWorker =
  /** The engine is open and takes bytes. */
  | { readonly kind: 'ready' }
  /** The engine could not be opened. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** What the engine answered to the oldest `count` messages together. */
  | { readonly kind: 'answer'; readonly count: number; readonly bytes: Uint8Array }
  /** The engine is broken and executes nothing more: the disk is full, or it stopped by itself. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The engine is closed; its files are at rest. */
  | { readonly kind: 'closed' };

/** What the worker is started with. */
export interface WorkerFacts {
  /** Where the files are, or null for a database in memory. */
  readonly directory: string | null;
}
