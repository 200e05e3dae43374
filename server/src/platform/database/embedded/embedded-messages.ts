/** Owns the messages between the main thread and the worker of the embedded database. */

/** Wire protocol bytes that end with a whole Sync or Query message, or the request to close. */
export type ToWorker = Uint8Array | 'close';

export type FromWorker =
  /** The engine is open and takes bytes. */
  | { readonly kind: 'ready' }
  /** The engine failed to open. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** The engine's answer to the oldest `count` messages together. */
  | { readonly kind: 'answer'; readonly count: number; readonly bytes: Uint8Array }
  /** The engine is broken and executes nothing more: the disk is full, or it stopped by itself. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** The engine is closed; its files are complete. */
  | { readonly kind: 'closed' };

/** Start parameters of the worker. */
export interface WorkerFacts {
  /** Directory of the files, or null for a database in memory. */
  readonly directory: string | null;
}
