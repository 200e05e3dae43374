/**
 * Releases memory that only the start needed: V8's young generation grows while modules are loaded, and an idle process
 * would keep it, a seventh to a fifth of its memory (decisions 0034, 0041).
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const firstAnswersMillis = 200;
/** The share of a processor that a start gets at least beside other work; it is 0.5 and more on its own. */
const leastShare = 0.25;

/**
 * Shortly after the start. The collection blocks the process for a tenth of a second: before, it would delay the first
 * answers; later, the memory of many requests would come on top of that of the start. On a busy machine it would take
 * seconds, in which the first requests reach their deadlines: there the memory is kept.
 */
export const shedStartMemorySoon = (shed: () => void = shedMemory): void => {
  const { user, system } = process.cpuUsage();
  const share = (user + system) / 1_000_000 / process.uptime();
  if (share >= leastShare) setTimeout(shed, firstAnswersMillis).unref();
};

const shedMemory = (): void => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  Reflect.apply(collect, undefined, [{ type: 'major', execution: 'sync', flavor: 'last-resort' }]);
};
