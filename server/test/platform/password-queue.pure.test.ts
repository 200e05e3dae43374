/** Shares of the clients in the hashing queue while another one fills it. */
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/kernel/errors.ts';
import { type ClientKey, PasswordQueue } from '../../src/platform/passwords/password-queue.ts';
import { range } from '../support/checks/concurrency.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';

waitAsInProduction();

const threads = 2;
const most = 64;
const flooder = { ip: '198.18.0.1' };

const busy = { hasIdle: false, oldestMilliseconds: 0 };

/** How many places a client gets of a thousand requested. */
const fill = (queue: PasswordQueue<string>, clientKeyOf: (index: number) => ClientKey | null, now = busy): number => {
  const before = queue.length;
  for (const index of range(1000)) {
    try {
      queue.requireRoom(clientKeyOf(index), now);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'RATE_LIMITED') continue;
      throw error;
    }
    queue.push('a job', clientKeyOf(index));
  }
  return queue.length - before;
};

const unknownClients = (index: number): ClientKey => ({ ip: `203.0.113.${index % 250}` });
const owners = (index: number): ClientKey => ({ ip: `203.0.113.${index % 250}`, isKnown: true });

describe('The queue of hashes', () => {
  // Contract: requests#queue-of-password-hashes — Shares of the queue of hashes
  it('gives one network a quarter, all unknown clients three, and recognized browsers the last', () => {
    const queue = new PasswordQueue<string>(threads, undefined);
    expect(fill(queue, () => flooder)).toBe(most / 4);
    expect(fill(queue, () => ({ ip: '::ffff:198.18.0.1' }))).toBe(0);
    expect(fill(queue, unknownClients)).toBe(most / 2);
    expect(fill(queue, () => ({ ...flooder, isKnown: true }))).toBe(most / 4);
    expect(fill(queue, owners)).toBe(0);
    expect(queue.length).toBe(most);
  });

  it('has places for others again when the jobs of a network are removed', () => {
    const queue = new PasswordQueue<string>(threads, undefined);
    fill(queue, () => flooder);
    expect(queue.shift()).toBe('a job');
    expect(fill(queue, () => flooder)).toBe(1);
  });

  it('gives the process itself all places', () => {
    const queue = new PasswordQueue<string>(threads, undefined);
    expect(fill(queue, () => null)).toBe(most);
  });

  // Contract: requests#queue-of-password-hashes — No request waits for a hash longer than its deadline
  it('is shorter while hashes take long, so that the last one is done within nine seconds', () => {
    const queue = new PasswordQueue<string>(threads, undefined);
    for (const _job of range(200)) queue.tookOne(1000);
    expect(fill(queue, unknownClients)).toBe(12);
    expect(fill(queue, owners)).toBe(4);
  });

  it('goes by a running hash that takes longer than the ones before it', () => {
    const queue = new PasswordQueue<string>(threads, undefined);
    expect(fill(queue, unknownClients, { hasIdle: false, oldestMilliseconds: 3000 })).toBe(3);
  });

  it('admits no stranger who would wait too long, always a browser of an owner, and everybody to an idle thread', () => {
    const queue = new PasswordQueue<string>(threads, undefined);
    for (const _job of range(200)) queue.tookOne(60_000);
    expect(fill(queue, unknownClients)).toBe(0);
    expect(fill(queue, owners)).toBe(1);
    expect(() => queue.requireRoom(flooder, { hasIdle: true, oldestMilliseconds: 0 })).not.toThrow();
  });

  it('says when there will be room, by what hashes take now', () => {
    const queue = new PasswordQueue<string>(threads, undefined);
    const now = { hasIdle: false, oldestMilliseconds: 5000 };
    expect(fill(queue, unknownClients, now)).toBe(1);
    const refusal: unknown = expect.objectContaining({ code: 'RATE_LIMITED', details: { retryAfterSeconds: 5 } });
    expect(() => queue.requireRoom(flooder, now)).toThrow(refusal);
  });

  it('admits as many waiting requests as configured, of any client', () => {
    const queue = new PasswordQueue<string>(threads, 100);
    expect(fill(queue, () => flooder)).toBe(100);
  });
});
