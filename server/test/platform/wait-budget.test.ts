/** What one request may wait for the database, all its waits together. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DatabaseUnavailable } from '../../src/platform/database/database.ts';
import { WaitBudget } from '../../src/platform/database/wait-budget.ts';

const never = (): Promise<never> => new Promise(() => undefined);

describe('The waits of a request', () => {
  it('end when they have taken as long as they may together, however short each is by itself', async () => {
    const budget = new WaitBudget(300);
    await budget.wait(Number.POSITIVE_INFINITY, () => sleep(200));
    const begun = performance.now();
    await expect(budget.wait(Number.POSITIVE_INFINITY, never)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(performance.now() - begun).toBeLessThan(250);
  });

  it('are not begun once nothing is left', async () => {
    const budget = new WaitBudget(50);
    await expect(budget.wait(Number.POSITIVE_INFINITY, never)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(() => budget.requireLeft()).toThrow(DatabaseUnavailable);
    let begun = 0;
    const wait = async (): Promise<void> => {
      begun += 1;
    };
    await expect(budget.wait(0, wait)).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(begun).toBe(0);
  });

  it('count once while they run side by side, and what is done between them does not count', async () => {
    const budget = new WaitBudget(1_000);
    await Promise.all(Array.from({ length: 20 }, () => budget.wait(Number.POSITIVE_INFINITY, () => sleep(100))));
    await sleep(1_000);
    expect(await budget.wait(Number.POSITIVE_INFINITY, async () => 'in time')).toBe('in time');
  });

  it('are nobody’s once the request is over, and what it left running goes on', async () => {
    const budget = new WaitBudget(20);
    budget.end();
    await sleep(60);
    expect(() => budget.requireLeft()).not.toThrow();
    expect(await budget.wait(Number.POSITIVE_INFINITY, () => sleep(60, 'late'))).toBe('late');
  });

  it('that were refused stay so once the request is over, for what they had begun', async () => {
    const budget = new WaitBudget(20);
    await expect(budget.wait(Number.POSITIVE_INFINITY, never)).rejects.toBeInstanceOf(DatabaseUnavailable);
    budget.end();
    expect(() => budget.requireLeft()).toThrow(DatabaseUnavailable);
    // What the request left beside it is begun now, and was never promised to be left out.
    expect(await budget.wait(Number.POSITIVE_INFINITY, () => sleep(60, 'late'))).toBe('late');
  });

  it('hand on what the wait itself came to', async () => {
    const budget = new WaitBudget(1_000);
    expect(await budget.wait(Number.POSITIVE_INFINITY, async () => 7)).toBe(7);
    await expect(budget.wait(1, () => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
  });
});
