/** The load generator's process: one job after the other, by messages. */
import type { Job, Reply } from './job.ts';
import { runJob } from './run-job.ts';

const reply = (message: Reply): void => {
  process.send?.(message);
};

process.on('message', (job: Job) => {
  runJob(job).then(
    (outcome) => reply({ outcome }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  );
});
