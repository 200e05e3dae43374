/** One process of `serve --workers N`: the service as ever, on a port that it shares, told by its supervisor when to end. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { exitCodes } from '../exit.ts';
import { type RunningService, type ShareOfService, startService, stopping } from '../serve.ts';
import { endBy } from '../signals.ts';
import type { ToSupervisor, ToWorker } from './metrics-exchange.ts';
import { MetricsOfAll } from './metrics-exchange.ts';

/** Resolves once it listens. @param count of all workers */
export const serveAsWorker = async (count: number): Promise<void> => {
  const metrics = new MetricsOfAll(tell);
  let service: RunningService | null = null;
  // What has not come up yet has acknowledged nothing.
  let end = (_who: Ending): void => process.exit(exitCodes.ok);
  // The one at the terminal stops the supervisor, who sees to the end of all.
  process.on('SIGINT', () => undefined);
  endBy((signal) => {
    if (signal === 'SIGTERM') end('alone');
  });
  process.on('message', (message: ToWorker) => {
    if (message.type === 'ping') tell({ type: 'pong' });
    else if (message.type === 'drain') end('all');
    else metrics.receive(message, async () => (await service?.app.ownMetrics()) ?? '');
  });
  const share: ShareOfService = {
    // Whoever comes later finds the database migrated, and accounts in it.
    isFirst: cluster.worker?.id === 1,
    passwordThreads: Math.max(1, Math.floor(availableParallelism() / count)),
    gatherMetrics: (own) => metrics.gather(own),
  };
  service = await startService({}, share);
  const { app } = service;
  const stop = stopping({ ...service, close: () => app.close() });
  end = (who) => {
    // Of one port there is one readiness. The end of all may come after that of one: systemd tells each process.
    if (who === 'all') app.beginDrain();
    stop(who === 'all' ? null : 'SIGTERM');
  };
  tell({ type: 'ready' });
};

/** Only this worker, while the others serve at the same port; or all of them. */
type Ending = 'alone' | 'all';

const tell = (message: ToSupervisor): void => {
  // Without a supervisor this process is about to end.
  if (process.connected) process.send?.(message);
};
