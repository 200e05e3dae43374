/**
 * Releases memory that only the start needed. Loading the modules makes V8 grow its young generation, which an idle
 * process would keep: a fifth of its memory on PostgreSQL, a seventh on the embedded engine (decisions 0034, 0041).
 */
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const quietMillis = 500;
/** The share of an interval that a process without requests spends on its timers and probes, at most. */
const mostUtilization = 0.1;
/** A process that has been busy for as long has collected its garbage itself. */
const attempts = 120;

/**
 * Releases the memory in the first half second in which the process is nearly idle. The collection blocks it for about
 * a tenth of a second, which would delay the first answer before that, and requests later.
 */
export const shedStartMemoryWhenIdle = (): void => {
  let before = performance.eventLoopUtilization();
  let left = attempts;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const isIdle = performance.eventLoopUtilization(now, before).utilization < mostUtilization;
    before = now;
    left -= 1;
    if (!isIdle && left > 0) return;
    clearInterval(timer);
    if (isIdle) shedMemory();
  }, quietMillis).unref();
};

const shedMemory = (): void => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  Reflect.apply(collect, undefined, [{ type: 'major', execution: 'sync', flavor: 'last-resort' }]);
};
