/** When the memory of a start is released: never while other work would make it block the first requests. */
import { afterEach, expect, it, vi } from 'vitest';
import { shedStartMemorySoon } from '../../src/cli/shed-start-memory.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it.each([
  ['is released soon after a start on a machine of its own', 1, 1],
  ['is kept after a start that got a tenth of a processor', 10, 0],
])('The memory of a start %s', (_what, seconds, times) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 900_000, system: 100_000 });
  vi.spyOn(process, 'uptime').mockReturnValue(seconds);
  const shed = vi.fn();
  shedStartMemorySoon(shed);
  expect(shed).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  expect(shed).toHaveBeenCalledTimes(times);
});
