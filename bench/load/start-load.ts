/** A load generator in its own process, so that it never shares the event loop of a measured server. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { pathOf } from '../processes.ts';
import type { Job, Outcome, Reply } from './job.ts';

export interface Load {
  /** One job at a time. Rejects when any answer is not a success. */
  run(job: Job): Promise<Outcome>;
  stop(): Promise<void>;
}

export const startLoad = (): Load => {
  const child = fork(pathOf('./load/generator.ts'));
  return {
    run: async (job) => {
      if (!child.connected) throw new Error('The load generator has ended');
      child.send(job);
      const [reply] = (await once(child, 'message')) as [Reply];
      if ('error' in reply) throw new Error(reply.error);
      return reply.outcome;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
};
