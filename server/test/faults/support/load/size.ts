/**
 * How much of a fault is tried: FAULTS_SIZE is `change` (minutes, for every change) or `nightly` (the stated numbers).
 */

export type Size = 'change' | 'nightly';

const sizeOf = (text: string | undefined): Size => {
  if (text === undefined || text === 'change' || text === 'nightly') return text ?? 'change';
  throw new Error(`FAULTS_SIZE is ${text}; it is change or nightly.`);
};

export const size: Size = sizeOf(process.env['FAULTS_SIZE']);

/** One of two numbers. */
export const sized = (change: number, nightly: number): number => (size === 'nightly' ? nightly : change);

/**
 * The most that something may take, in any unit of time. Judged at night alone: for a change the processors may be
 * shared, and a time says nothing of the service. Finite in both sizes: what takes for ever is refused in both.
 */
export const atNight = (most: number): number => sized(Number.MAX_VALUE, most);
