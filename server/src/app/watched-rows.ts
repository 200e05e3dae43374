/**
 * What stands in the database for whoever watches a service. It is the same whichever process tells it, and read at most
 * every few seconds, however many ask. A database that does not answer look-ups in time is told as such; what waits for a
 * place in its pool is only left out.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { apart } from '../platform/correlation.ts';
import type { Database } from '../platform/database/database.ts';
import { keptFresh } from '../platform/kept-fresh.ts';
import { type MailQueueRow, readMailQueue } from '../platform/mail/outbox-store.ts';
import type { Instrument, Reading } from '../platform/metrics.ts';
import { type JobRow, listJobs } from '../platform/scheduled-jobs-store.ts';

interface Stored {
  readonly mails: MailQueueRow;
  readonly jobs: readonly JobRow[];
}

const patienceMilliseconds = 1000;
const freshness = { milliseconds: 5000, retryMilliseconds: 5000 };

export const watchStored = (database: Database): readonly Instrument[] => {
  // Whoever asks first asks for all: neither its trace nor its time is that of one request.
  const asked = <T>(ask: () => Promise<T>) => keptFresh(() => apart(() => inTime(ask())), freshness);
  const read = asked(() => readStored(database));
  const isUp = asked(() => database.ping().then(() => true));
  const gauge = (name: string, description: string, tell: (stored: Stored) => readonly Reading[]): Instrument => ({
    name,
    description,
    kind: 'gauge',
    read: async () => {
      const stored = await read();
      return stored === null ? [] : tell(stored);
    },
  });
  return [
    {
      name: 'gatehouse_database_up',
      description: '1 when the database answered a look-up in time, 0 otherwise.',
      kind: 'gauge',
      read: async () => [{ value: (await isUp()) === null ? 0 : 1 }],
    },
    gauge('gatehouse_mail_queue_depth', 'Mails that are not sent yet.', ({ mails }) => [{ value: mails.depth }]),
    gauge('gatehouse_mail_queue_oldest_seconds', 'How long the oldest of them has waited.', ({ mails }) => [
      { value: mails.oldestSeconds ?? 0 },
    ]),
    gauge(
      'gatehouse_job_last_success_timestamp_seconds',
      'When a job last did all there was to do; 0 until the first time.',
      ({ jobs }) =>
        jobs.map(({ name, lastSucceededAt }) => ({
          value: (lastSucceededAt?.getTime() ?? 0) / 1000,
          labels: { job_name: name },
        })),
    ),
    gauge('gatehouse_job_failures', 'Runs of a job that failed, one after the other.', ({ jobs }) =>
      jobs.map(({ name, failures }) => ({ value: failures, labels: { job_name: name } })),
    ),
    // No counter: whoever adds those of all processes up would count each row once for each of them.
    gauge('gatehouse_job_deleted_rows', 'Rows that a job has deleted, on whichever process.', ({ jobs }) =>
      jobs.map(({ name, deletedRows }) => ({ value: Number(deletedRows), labels: { job_name: name } })),
    ),
  ];
};

const readStored = async (database: Database): Promise<Stored> => ({
  mails: await database.one(readMailQueue, []),
  jobs: await database.many(listJobs, []),
});

/** Null when it failed or took too long: then the next reading tries again. */
const inTime = async <T>(reading: Promise<T>): Promise<T | null> => {
  const end = new AbortController();
  try {
    return await Promise.race([reading, delay(patienceMilliseconds, null, { signal: end.signal, ref: false })]);
  } catch {
    return null;
  } finally {
    end.abort();
  }
};
