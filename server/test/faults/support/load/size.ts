/** Size of a fault test: FAULTS_SIZE is `change` (minutes, for every change) or `nightly` (the required numbers). */

export type Size = 'change' | 'nightly';

const sizeOf = (text: string | undefined): Size => {
  if (text === undefined || text === 'change' || text === 'nightly') return text ?? 'change';
  throw new Error(`FAULTS_SIZE is ${text}; it is change or nightly.`);
};

export const size: Size = sizeOf(process.env['FAULTS_SIZE']);

export const isNightly = size === 'nightly';

/** One of two numbers. */
export const sized = (change: number, nightly: number): number => (isNightly ? nightly : change);

/** The maximum of a measurement, judged only at night, on unshared processors. Finite in both sizes. */
export const atNight = (most: number): number => sized(Number.MAX_VALUE, most);

/** Seconds of `until`: the maximum at night, and otherwise enough for a busy machine. */
export const secondsAtNight = (most: number): number => sized(100, most);
