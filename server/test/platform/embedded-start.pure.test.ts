/** How long a start of the embedded engine is waited for: until nothing happens any more. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { watchStart } from '../../src/platform/database/embedded/embedded-start.ts';
import { waitAsInProduction } from '../support/gatehouse/wait-limits.ts';

waitAsInProduction();

afterEach(() => void vi.useRealTimers());

/** A watch whose engine works as told, on a clock of the test. */
const watch = () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const facts = { spent: 1000, told: [] as number[], reasons: [] as string[] };
  const stop = watchStart({
    spentMillis: () => facts.spent,
    tell: (seconds) => void facts.told.push(seconds),
    giveUp: (reason) => {
      facts.reasons.push(reason);
      stop();
    },
  });
  /** @param perLook milliseconds of the processor every five seconds */
  const pass = (seconds: number, perLook: number): void => {
    for (let at = 0; at < seconds; at += 5) {
      facts.spent += perLook;
      vi.advanceTimersByTime(5000);
    }
  };
  return { facts, pass, stop };
};

describe('A start of the embedded engine', () => {
  it('is waited for as long as it works, and tells every five seconds how long it has taken', () => {
    const { facts, pass, stop } = watch();
    pass(600, 40);
    expect(facts.reasons).toEqual([]);
    expect(facts.told.slice(0, 3)).toEqual([5, 10, 15]);
    expect(facts.told).toHaveLength(120);
    stop();
    pass(600, 0);
    expect(facts.reasons).toEqual([]);
    expect(facts.told).toHaveLength(120);
  });

  it('is given up when it has done nothing for a minute', () => {
    const { facts, pass } = watch();
    pass(100, 40);
    pass(55, 1);
    expect(facts.reasons).toEqual([]);
    pass(5, 1);
    expect(facts.reasons).toEqual(['its start has stood still for 60 s']);
    pass(600, 0);
    expect(facts.reasons).toHaveLength(1);
  });

  it('is waited for anew after a pause that is shorter', () => {
    const { facts, pass, stop } = watch();
    for (const _pause of [1, 2, 3]) {
      pass(55, 0);
      pass(5, 6);
    }
    expect(facts.reasons).toEqual([]);
    stop();
  });
});
