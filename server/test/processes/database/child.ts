/** Starts `database-child.ts` and reads its acknowledgements. */
import { fileURLToPath } from 'node:url';
import { type Child, startScript } from '../../support/gatehouse/script-child.ts';

const script = fileURLToPath(new URL('database-child.ts', import.meta.url));

export const startChild = (...args: readonly string[]): Child => startScript(script, ...args);

export const acknowledged = (child: Child): number[] =>
  child.lines
    .filter((line) => line.startsWith('acknowledged '))
    .map((line) => Number(line.slice('acknowledged '.length)));
