/**
 * Finds import cycles: for each knot of files that reach each other, one shortest way round.
 */

export type Graph = ReadonlyMap<string, readonly string[]>;

/** The shortest way from `start` back to itself, or null. */
const shortestLoop = (graph: Graph, start: string): string[] | null => {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let current = queue.shift(); current !== undefined; current = queue.shift()) {
    for (const next of graph.get(current) ?? []) {
      if (next === start) return [...pathTo(cameFrom, start, current), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, current);
      queue.push(next);
    }
  }
  return null;
};

const pathTo = (cameFrom: ReadonlyMap<string, string>, start: string, end: string): string[] => {
  const path = [end];
  for (let step: string | undefined = end; step !== undefined && step !== start; ) {
    step = cameFrom.get(step);
    if (step !== undefined) path.unshift(step);
  }
  return path;
};

/** Each cycle as the files on it, the first repeated at the end; a file is reported in one cycle only. */
export const cyclesIn = (graph: Graph): string[][] => {
  const reported = new Set<string>();
  const cycles: string[][] = [];
  for (const file of [...graph.keys()].sort()) {
    if (reported.has(file)) continue;
    const loop = shortestLoop(graph, file);
    if (loop === null || loop.some((member) => reported.has(member))) continue;
    for (const member of loop) reported.add(member);
    cycles.push(loop);
  }
  return cycles;
};
