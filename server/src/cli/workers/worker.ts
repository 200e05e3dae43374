/** One worker of `serve --workers N`: the service on a shared port, ended by its supervisor. */
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { exitCodes } from '../exit.ts';
import { type RunningService, type ShareOfService, startService, stopping } from '../serve.ts';
import { endBy } from '../signals.ts';
import type { ToSupervisor, ToWorker } from './metrics-exchange.ts';
import { MetricsOfAll } from './metrics-exchange.ts';

/** @param count number of all workers */
export const serveAsWorker = async (count: number): Promise<void> => {
  const metrics = new MetricsOfAll(tell);
  let service: RunningService | null = null;
  // Nothing has been acknowledged before the service is up, so the process may end at once.
  let end = (_who: Ending): void => process.exit(exitCodes.ok);
  // Ignored: SIGINT from a terminal also stops the supervisor, which ends all workers.
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
    // Later workers find the database migrated and the accounts created.
    isFirst: cluster.worker?.id === 1,
    passwordThreads: Math.max(1, Math.floor(availableParallelism() / count)),
    gatherMetrics: (own) => metrics.gather(own),
  };
  service = await startService({}, share);
  const { app } = service;
  const stop = stopping({ ...service, close: () => app.close() });
  end = (who) => {
    // A shared port has one readiness. The end of all may follow the end of one: systemd signals every process.
    if (who === 'all') app.beginDrain();
    stop(who === 'all' ? null : 'SIGTERM');
  };
  tell({ type: 'ready' });
};

/** Ends only this worker while the others serve the port, or all of them. */
type Ending = 'alone' | 'all';

const tell = (message: ToSupervisor): void => {
  // Without a supervisor this process is about to end.
  if (process.connected) process.send?.(message);
};
