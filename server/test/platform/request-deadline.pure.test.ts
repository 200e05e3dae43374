/** Total time that one request may wait for the database, on a clock that the test moves. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { bindingDeadline, Deadline, withNewDeadline } from '../../src/platform/database/deadlines.ts';
import { withContext, workInProgress } from '../../src/platform/observability/context.ts';
import { type OwnWork, tellOwnWork } from '../support/checks/own-work.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';

let worked: OwnWork;

beforeEach(() => {
  vi.useFakeTimers();
  worked = tellOwnWork();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const always = Number.POSITIVE_INFINITY;

const never = (): Promise<never> => new Promise(() => undefined);

const lasting = <T>(millis: number, value?: T): Promise<T | undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(value), millis);
  });

const endOf = (wait: Promise<unknown>): Promise<unknown> => wait.catch((error: unknown) => error);

/** Moves the clock until the wait has ended; returns its outcome and its milliseconds. */
const ended = async (wait: Promise<unknown>): Promise<{ end: unknown; millis: number }> => {
  const begun = performance.now();
  const settled = { is: false };
  const end = endOf(wait).finally(() => {
    settled.is = true;
  });
  for (let moved = 0; moved < 10_000 && !settled.is; moved += 1) await vi.advanceTimersByTimeAsync(1);
  return { end: await end, millis: performance.now() - begun };
};

describe('The waits of a request', () => {
  // Contract: operation#deadline-of-a-request — Total waits of a request
  it('end when their total reaches the deadline, however short each is by itself', async () => {
    const budget = new Deadline(300);
    await ended(budget.wait(always, () => lasting(200)));
    const { end, millis } = await ended(budget.wait(always, never));
    expect(end).toBeInstanceOf(DatabaseUnavailable);
    expect(millis).toBeCloseTo(100, -1);
  });

  it('are refused at once when no time is left', async () => {
    const budget = new Deadline(50);
    expect((await ended(budget.wait(always, never))).end).toBeInstanceOf(DatabaseUnavailable);
    expect(() => budget.assertNotExpired()).toThrow(DatabaseUnavailable);
    let begun = 0;
    const wait = async (): Promise<void> => {
      begun += 1;
    };
    await expect(budget.wait(0, wait)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(begun).toBe(0);
  });

  it('count once while they overlap, and time between them does not count', async () => {
    const budget = new Deadline(1_000);
    await ended(Promise.all(Array.from({ length: 20 }, () => budget.wait(always, () => lasting(100)))));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await ended(budget.wait(always, () => lasting(890, 'in time')))).end).toBe('in time');
    expect((await ended(budget.wait(always, () => lasting(20, 'late')))).end).toBeInstanceOf(DatabaseUnavailable);
  });

  it('end with the request, while work left running continues', async () => {
    const budget = new Deadline(20);
    budget.end();
    await vi.advanceTimersByTimeAsync(60);
    expect(() => budget.assertNotExpired()).not.toThrow();
    expect((await ended(budget.wait(always, () => lasting(60, 'late')))).end).toBe('late');
  });

  it('that were refused remain refused after the end of the request, for work that it began', async () => {
    const budget = new Deadline(20);
    expect((await ended(budget.wait(always, never))).end).toBeInstanceOf(DatabaseUnavailable);
    budget.end();
    expect(() => budget.assertNotExpired()).toThrow(DatabaseUnavailable);
    // Work started by the request and still running must not be left out either.
    expect((await ended(budget.wait(always, () => lasting(60, 'late')))).end).toBe('late');
  });

  it('return the outcome of the wait itself', async () => {
    const budget = new Deadline(1_000);
    expect(await budget.wait(always, async () => 7)).toBe(7);
    await expect(budget.wait(1, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });
});

describe('The waits of a request while the thread works', () => {
  waitAsInProduction();

  // Contract: operation#deadline-of-a-request — What the process itself needs does not count as a wait of a request
  it('are longer by that, but for six seconds at most', async () => {
    const busy = new Deadline(300);
    worked.millis += 500;
    expect((await ended(busy.wait(always, () => lasting(799, 'in time')))).end).toBe('in time');
    worked.millis += 60_000;
    const { end, millis } = await ended(busy.wait(always, () => lasting(9_000, 'too late')));
    expect(end).toBeInstanceOf(DatabaseUnavailable);
    expect(millis).toBeCloseTo(300 + 6_000 - 799, -1);
    expect(() => busy.assertNotExpired()).toThrow(DatabaseUnavailable);
  });
});

describe('Work with a new deadline', () => {
  it('is part of the request in all but the deadline', async () => {
    const work = { correlationId: 'of a test', waits: new Deadline(1_000), acceptLanguage: 'pt' };
    await withContext(work, () =>
      withNewDeadline(async () => {
        expect(workInProgress()).toMatchObject({ correlationId: 'of a test', acceptLanguage: 'pt' });
        expect(bindingDeadline()).toMatchObject({ millis: 20_000 });
      }, 20_000),
    );
    expect(work.waits.millis).toBe(1_000);
  });
});
