/**
 * Numbers that are counted often and read seldom: plain ones, which cost an addition. Whoever counts on the path of every
 * request keeps the tally itself, so that nothing is looked up twice.
 */

/** Grows by what is added to it. */
export class Tally {
  value = 0;
}

/** How many values fell below each of a row of bounds, and their sum: from it shares and percentiles are told. */
export class Histogram {
  readonly bounds: readonly number[];
  /** One for each bound, and one for what is above them all; each value counts in one of them. */
  readonly counts: number[];
  sum = 0;

  /** @param bounds ascending; a value that equals one counts below it */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = [...bounds.map(() => 0), 0];
  }

  observe(value: number): void {
    let place = 0;
    while (place < this.bounds.length && value > (this.bounds[place] ?? 0)) place += 1;
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.sum += value;
  }

  get count(): number {
    return this.counts.reduce((total, count) => total + count, 0);
  }
}

/** Of a thousandth of a second to ten. */
export const secondsBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Labels = Readonly<Record<string, string>>;

/** One number, or one row of them, for each combination of values of a few labels. */
export class Family<Of> {
  readonly #labels: readonly string[];
  readonly #make: () => Of;
  readonly #members = new Map<string, { readonly labels: Labels; readonly member: Of }>();

  constructor(labels: readonly string[], make: () => Of) {
    this.#labels = labels;
    this.#make = make;
  }

  /** @param values of the labels, in their order, out of a closed list: each combination stays for good */
  at(...values: readonly string[]): Of {
    const key = values.join('\n');
    const known = this.#members.get(key);
    if (known !== undefined) return known.member;
    const member = this.#make();
    const labels = Object.fromEntries(this.#labels.map((label, index) => [label, values[index] ?? '']));
    this.#members.set(key, { labels, member });
    return member;
  }

  all(): Iterable<{ readonly labels: Labels; readonly member: Of }> {
    return this.#members.values();
  }
}

export const tallies = (...labels: readonly string[]): Family<Tally> => new Family(labels, () => new Tally());

export const histograms = (...labels: readonly string[]): Family<Histogram> =>
  new Family(labels, () => new Histogram(secondsBounds));
