/**
 * Releases memory that only the start needed. Loading the modules makes V8 grow its young generation, which an idle
 * process would keep: a fifth of its memory on PostgreSQL, a seventh on the embedded engine (decision 0034).
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Blocks for about a tenth of a second: call it before the process listens. */
export const shedStartMemory = (): void => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect !== 'function') return;
  Reflect.apply(collect, undefined, [{ type: 'major', execution: 'sync', flavor: 'last-resort' }]);
};
