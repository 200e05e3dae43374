/** What the process counts of itself: requests by route, calls of tools, and what it takes to run. */

export interface Metrics {
  /**
   * Counts a tools/call (specification, "Events" 2).
   * @param tool of the catalogue, or `unknown`: each name is a series of its own, and clients can think of many
   */
  countToolCall(tool: string, outcome: 'success' | 'deny' | 'error'): void;
  readonly requests: RequestCounts;
  /** Everything in the text format of Prometheus, version 0.0.4. */
  render(): Promise<string>;
}

/** HTTP requests by the pattern of their route and the class of their status. */
export class RequestCounts {
  readonly #answered = new Map<string, number[]>();
  inFlight = 0;

  /** @param route a pattern, never an address: there are only so many of them */
  answered(route: string, status: number): void {
    const place = Math.floor(status / 100);
    const counts = this.#answered.get(route);
    if (counts === undefined) this.#answered.set(route, countsWithOne(place));
    else counts[place] = (counts[place] ?? 0) + 1;
  }

  *all(): Generator<{ readonly route: string; readonly status: string; readonly count: number }> {
    for (const [route, counts] of this.#answered)
      for (const [place, count] of counts.entries()) if (count > 0) yield { route, status: `${place}xx`, count };
  }
}

const statusClasses = 6;

const countsWithOne = (place: number): number[] =>
  Array.from({ length: statusClasses }, (_, index) => (index === place ? 1 : 0));

/** Where nobody can read them, nothing is counted. */
export const uncountedMetrics = (): Metrics => ({
  countToolCall: () => undefined,
  requests: new RequestCounts(),
  render: async () => '',
});
