/** What the processes of `serve --workers` tell each other. They are of one build: nobody else can send here. */
import type { PartOfMetrics } from '../../platform/joined-metrics.ts';

export type ToWorker =
  /** End in order. */
  | { readonly type: 'drain' }
  /** Answer with your numbers. */
  | { readonly type: 'read-metrics'; readonly question: number }
  /** What all of them answered. */
  | { readonly type: 'metrics'; readonly question: number; readonly parts: readonly PartOfMetrics[] };

export type ToSupervisor =
  /** It listens. */
  | { readonly type: 'ready' }
  /** Ask all of us for our numbers. */
  | { readonly type: 'ask-metrics'; readonly question: number }
  | { readonly type: 'own-metrics'; readonly question: number; readonly text: string };
