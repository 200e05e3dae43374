/**
 * Rounds: every variant once in each, in a rotating order, so that a slow minute of the machine affects all of them.
 */

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
};

/** Largest distance of a value from the median, as a share of it: the uncertainty of a figure. */
export const spread = (values: readonly number[]): number => {
  const middle = median(values);
  return Math.max(...values.map((value) => Math.abs(value / middle - 1)));
};

/** Runs `measure` for each variant in each round; returns each variant's results in the order of the rounds. */
export const interleave = async <Name extends string, Result>(
  rounds: number,
  names: readonly Name[],
  measure: (name: Name, round: number) => Promise<Result>,
): Promise<Record<Name, readonly Result[]>> => {
  const results = Object.fromEntries(names.map((name): [string, Result[]] => [name, []])) as Record<Name, Result[]>;
  for (let round = 0; round < rounds; round += 1) {
    const turn = round % names.length;
    for (const name of [...names.slice(turn), ...names.slice(0, turn)]) results[name].push(await measure(name, round));
  }
  return results;
};
