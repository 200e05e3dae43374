/**
 * The bare bcrypt rate: comparisons one after the other on as many threads as there are cores, and nothing else. A
 * message with a count is answered with the seconds.
 */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { compareSync } from 'bcrypt';

export interface BcryptJob {
  readonly password: string;
  readonly hash: string;
  readonly count: number;
}

if (isMainThread) {
  const threads = Array.from({ length: availableParallelism() }, () => new Worker(new URL(import.meta.url)));
  process.on('message', (job: BcryptJob) => {
    const began = performance.now();
    const share = { ...job, count: Math.ceil(job.count / threads.length) };
    const done = threads.map((thread) => {
      thread.postMessage(share);
      return once(thread, 'message');
    });
    Promise.all(done).then(() => process.send?.((performance.now() - began) / 1000), console.error);
  });
} else {
  parentPort?.on('message', ({ password, hash, count }: BcryptJob) => {
    for (let done = 0; done < count; done += 1) {
      if (!compareSync(password, hash)) throw new Error('The password does not fit the hash');
    }
    parentPort?.postMessage('done');
  });
}
