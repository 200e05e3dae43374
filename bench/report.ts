/** The printed report: sections with one line for each variant, and the targets with value, bound and verdict. */
import { availableParallelism } from 'node:os';
import type { Outcome } from './load/job.ts';
import type { CpuSpent } from './processes.ts';
import { median, spread } from './rounds.ts';

/** One variant in one round. */
export interface Sample {
  readonly outcome: Outcome;
  readonly cpu: CpuSpent;
}

export interface Target {
  readonly what: string;
  readonly value: number | null;
  readonly bound: number;
  readonly atLeast: boolean;
  readonly unit: string;
}

export const rateOf = ({ outcome }: Sample): number => outcome.requests / outcome.seconds;

/** CPU milliseconds for each request, server and PostgreSQL together; null where the kernel does not say. */
export const cpuOf = ({ outcome, cpu }: Sample): number | null =>
  cpu.server === null || cpu.database === null ? null : (cpu.server + cpu.database) / outcome.requests;

export const medianOf = (samples: readonly Sample[], figure: (sample: Sample) => number | null): number | null => {
  const values = samples.map(figure).filter((value) => value !== null);
  return values.length === 0 ? null : median(values);
};

/** The ratio of two medians. */
export const ratio = (
  over: readonly Sample[],
  under: readonly Sample[],
  figure: (sample: Sample) => number | null,
): number | null => {
  const [above, below] = [medianOf(over, figure), medianOf(under, figure)];
  return above === null || below === null ? null : above / below;
};

export const heading = (text: string): void => console.log(`\n${text}`);

const columns = [34, 10, 8, 9, 9, 9, 9, 9, 9] as const;

const line = (cells: readonly string[]): void =>
  console.log(
    `  ${cells.map((cell, at) => (at === 0 ? cell.padEnd(columns[at]) : cell.padStart(columns[at] ?? 9))).join('')}`,
  );

export const printSampleHeader = (): void =>
  line(['', 'per s', 'spread', 'p50 ms', 'p99 ms', 'CPU app', 'CPU pg', 'CPU load', 'others']);

export const printSamples = (name: string, samples: readonly Sample[]): void => {
  const shareOf = (part: (sample: Sample) => number | null): string =>
    shown(
      medianOf(samples, (sample) => {
        const spent = part(sample);
        return spent === null ? null : spent / sample.outcome.requests;
      }),
      3,
    );
  line([
    name,
    shown(medianOf(samples, rateOf), 0),
    `±${(spread(samples.map(rateOf)) * 100).toFixed(0)} %`,
    shown(
      medianOf(samples, ({ outcome }) => outcome.p50),
      2,
    ),
    shown(
      medianOf(samples, ({ outcome }) => outcome.p99),
      2,
    ),
    shareOf(({ cpu }) => cpu.server),
    shareOf(({ cpu }) => cpu.database),
    shareOf(({ outcome }) => outcome.ownCpu),
    `${shown(medianOf(samples, othersOf), 0)} %`,
  ]);
};

/** Share of the machine taken by other processes meanwhile, in percent. */
export const othersOf = ({ outcome, cpu }: Sample): number | null => {
  if (cpu.machine === null || cpu.server === null) return null;
  const others = cpu.machine - cpu.server - (cpu.database ?? 0) - outcome.ownCpu;
  return (Math.max(0, others) * 100) / (cpu.elapsed * availableParallelism());
};

const shown = (value: number | null, digits: number): string => (value === null ? '-' : value.toFixed(digits));

export const fact = (what: string, value: number | null, unit: string, digits = 2): void =>
  console.log(`  ${what}: ${value === null ? 'not measurable here' : `${shown(value, digits)}${unit}`}`);

const isMet = ({ value, bound, atLeast }: Target): boolean | null =>
  value === null ? null : atLeast ? value >= bound : value <= bound;

/** Prints the verdicts; returns whether any target was missed. */
export const printTargets = (targets: readonly Target[]): boolean => {
  heading('Targets');
  for (const target of targets) {
    const verdict = { true: 'met', false: 'MISSED', null: 'not measurable here' }[`${isMet(target)}`];
    const bound = `${target.atLeast ? '≥' : '≤'} ${target.bound}${target.unit}`;
    console.log(`  ${verdict.padEnd(7)} ${target.what}: ${shown(target.value, 2)}${target.unit} (target ${bound})`);
  }
  return targets.some((target) => isMet(target) === false);
};
