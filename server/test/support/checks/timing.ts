/**
 * Whether one kind of request takes longer than another, distinguished from noise by controls of the same run: a second
 * sample of the first kind (A/A) shows the difference between equal kinds, and one with a known delay shows the
 * detectable difference.
 */
import { setTimeout as delay } from 'node:timers/promises';

/** Sends one request; resolves when the answer has arrived. */
type Ask = () => Promise<unknown>;

export interface Arms {
  /** The reference kind. */
  readonly baseline: Ask;
  /** The kind that must not differ from it. */
  readonly other: Ask;
}

export interface Comparison {
  /** Median of the pairs' differences, in milliseconds. */
  readonly shift: number;
  /** Wilcoxon's signed-rank statistic in standard deviations: 0 for no tendency. */
  readonly score: number;
}

export interface Verdict {
  /** The smallest of the delays that this run could detect; null when the machine was too busy for any. */
  readonly tellable: number | null;
  readonly differs: boolean;
  readonly other: Comparison;
  readonly control: Comparison;
  readonly rounds: number;
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle] ?? 0, sorted[middle] ?? 0];
  return (low + high) / 2;
};

/** Ranks differences by size; ties do not occur in nanoseconds. */
export const compare = (differences: readonly number[]): Comparison => {
  const count = differences.length;
  const ranked = differences.toSorted((left, right) => Math.abs(left) - Math.abs(right));
  const sum = ranked.reduce((total, difference, index) => total + Math.sign(difference) * (index + 1), 0);
  const deviation = Math.sqrt((count * (count + 1) * (2 * count + 1)) / 6);
  return { shift: median(differences), score: count === 0 ? 0 : sum / deviation };
};

/** In milliseconds. The first is detected on a quiet machine; on a busy one, at least a later one. */
const delays = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560];
const [realDelay = 0] = delays;
const fewestRounds = 40;

/** A value reached by chance once in thousands of runs, or that of equal kinds in this run with a margin. */
const beyondChance = (control: Comparison): number => Math.max(3.5, Math.abs(control.score) + 2.5);

const shuffled = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);

const minus = (left: readonly number[], right: readonly number[]): number[] =>
  left.map((value, index) => value - (right[index] ?? Number.NaN));

/** Compares the samples of one run; each has one time a round. */
const judge = (times: Readonly<Record<'baseline' | 'control' | 'delayed' | 'other', readonly number[]>>): Verdict => {
  const control = compare(minus(times.control, times.baseline));
  const stands = ({ score, shift }: Comparison, delay: number): boolean =>
    Math.abs(score) > beyondChance(control) && Math.abs(shift) > delay / 2;
  const late = minus(times.delayed, times.baseline);
  const tellable =
    delays.find((delay) => stands(compare(late.map((difference) => difference + delay - realDelay)), delay)) ?? null;
  const other = compare(minus(times.other, times.baseline));
  const differs = tellable !== null && stands(other, tellable);
  return { tellable, differs, other, control, rounds: times.baseline.length };
};

/**
 * Sends rounds, each kind once a round in random order, until a delay of 5 ms can be detected or the time is up. The
 * delayed sample, the reference request answered 5 ms late, is the proof that such a delay is detected.
 */
export const compareTimes = async ({ baseline, other }: Arms, mostSeconds: number): Promise<Verdict> => {
  const late = async (): Promise<void> => {
    await baseline();
    await delay(realDelay);
  };
  const asks = { baseline, control: baseline, delayed: late, other };
  const times = { baseline: [] as number[], control: [] as number[], delayed: [] as number[], other: [] as number[] };
  const names = ['baseline', 'control', 'delayed', 'other'] as const;
  // The first requests of a process cost more.
  for (const name of names) await asks[name]();
  const end = performance.now() + mostSeconds * 1000;
  for (;;) {
    for (const name of shuffled(names)) {
      const begun = performance.now();
      await asks[name]();
      times[name].push(performance.now() - begun);
    }
    if (times.baseline.length < fewestRounds) continue;
    const verdict = judge(times);
    if (verdict.tellable === realDelay || performance.now() > end) return verdict;
  }
};
