/** What the processes of `serve --workers` tell each other. They are of one build: nobody else can send here. */
import type { Worker } from 'node:cluster';
import type { PartOfMetrics } from '../../platform/joined-metrics.ts';

export type ToWorker =
  /** Say that you live. */
  | { readonly type: 'ping' }
  /** End in order. */
  | { readonly type: 'drain' }
  /** Answer with your numbers. */
  | { readonly type: 'read-metrics'; readonly question: number }
  /** What all of them answered. */
  | { readonly type: 'metrics'; readonly question: number; readonly parts: readonly PartOfMetrics[] };

export type ToSupervisor =
  /** It listens. */
  | { readonly type: 'ready' }
  /** It lives. */
  | { readonly type: 'pong' }
  /** Ask all of us for our numbers. */
  | { readonly type: 'ask-metrics'; readonly question: number }
  | { readonly type: 'own-metrics'; readonly question: number; readonly text: string };

/** One that is about to end needs to hear nothing any more. */
export const tellWorker = (worker: Worker, message: ToWorker): void => {
  if (worker.isConnected()) worker.send(message);
};
