/** One process of `serve --workers N`: the service as ever, on a port that it shares, told by its supervisor when to end. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { type RunningService, type ShareOfService, startService, stopping } from '../serve.ts';
import type { ToSupervisor, ToWorker } from './messages.ts';
import { MetricsOfAll } from './metrics-exchange.ts';

/** Resolves once it listens. @param count of all workers */
export const serveAsWorker = async (count: number): Promise<void> => {
  const metrics = new MetricsOfAll(tell);
  let service: RunningService | null = null;
  // One that has not come up yet has acknowledged nothing.
  let end = (): void => process.exit(0);
  // The one at the terminal stops the supervisor, who sees to the end of all.
  process.on('SIGINT', () => undefined);
  process.once('SIGTERM', () => end());
  process.on('message', (message: ToWorker) => {
    if (message.type === 'drain') end();
    else metrics.receive(message, async () => (await service?.app.ownMetrics()) ?? '');
  });
  const share: ShareOfService = {
    // Whoever comes later finds the database migrated, and accounts in it.
    isFirst: cluster.worker?.id === 1,
    passwordThreads: Math.max(1, Math.floor(availableParallelism() / count)),
    gatherMetrics: (own) => metrics.gather(own),
  };
  service = await startService({}, share);
  const stop = stopping(service);
  end = () => stop(null);
  tell({ type: 'ready' });
};

const tell = (message: ToSupervisor): void => {
  // Without a supervisor this process is about to end.
  if (process.connected) process.send?.(message);
};
