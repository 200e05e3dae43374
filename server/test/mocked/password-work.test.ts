/** The cost of a comparison, counted in rounds of bcrypt, reveals neither an account nor the age of its hash. */
import { expect, it, vi } from 'vitest';
import { createPasswordHasher } from '../../src/platform/passwords/password-hasher.ts';

const state = vi.hoisted(() => ({ rounds: 0, jobs: 0 }));

vi.mock('node:worker_threads', async () => {
  const { EventEmitter } = await import('node:events');
  const worker = new EventEmitter();
  const thread = new EventEmitter();
  const parentPort = {
    on: (event: string, listener: (job: unknown) => void) => thread.on(event, listener),
    postMessage: (reply: unknown) => queueMicrotask(() => worker.emit('message', reply)),
  };
  class Worker {
    readonly #loaded = vi.importActual('../../src/platform/passwords/password-worker.mjs');
    constructor() {
      // Replaces the previous one.
      worker.removeAllListeners();
    }
    on(event: string, listener: (reply: unknown) => void): void {
      worker.on(event, listener);
    }
    async postMessage(job: unknown): Promise<void> {
      state.jobs += 1;
      await this.#loaded;
      thread.emit('message', job);
    }
    unref(): void {}
  }
  return { Worker, parentPort };
});

vi.mock('bcrypt', () => {
  const spend = (cost: number): void => {
    state.rounds += 2 ** cost;
  };
  return {
    hashSync: (password: string, cost: number) => {
      spend(cost);
      return `$2b$${String(cost).padStart(2, '0')}$${password}`;
    },
    compareSync: (password: string, hash: string) => {
      spend(Number(hash.split('$')[2]));
      return hash.endsWith(`$${password}`);
    },
  };
});

it.each([
  ['no hash', null],
  ['one of the configured cost', '$2b$12$right'],
  ['one of the previous cost', '$2b$11$right'],
  ['one of a much lower cost', '$2b$06$right'],
])('comparing with %s takes as many rounds as hashing, in one job', async (_what, hash) => {
  const hasher = createPasswordHasher(12, { threads: 1 });
  await hasher.matches('first', null);
  for (const password of ['right', 'wrong']) {
    Object.assign(state, { rounds: 0, jobs: 0 });
    expect(await hasher.matches(password, hash)).toBe(hash !== null && password === 'right');
    expect(state).toEqual({ rounds: 2 ** 12, jobs: 1 });
  }
});
