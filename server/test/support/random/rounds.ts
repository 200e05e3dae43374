/**
 * Number of rounds of a race. RACE_FACTOR multiplies it: a change has fewer of them than a night. TEST_RACE_ROUNDS sets
 * the number of each, to look for a rare failure.
 */
const { TEST_RACE_ROUNDS: asked, RACE_FACTOR: factor = '1' } = process.env;

/** @param usual the rounds of a run by hand */
export const roundsOf = (usual: number): number =>
  asked === undefined ? Math.ceil(usual * Number(factor)) : Number(asked);
