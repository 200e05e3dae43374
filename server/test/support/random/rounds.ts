/**
 * How often a race is run. RACE_FACTOR multiplies the rounds: a change has fewer of them than a night.
 * TEST_RACE_ROUNDS says how many there are of each, to look for one that is rare.
 */
const { TEST_RACE_ROUNDS: asked, RACE_FACTOR: factor = '1' } = process.env;

/** @param usual the rounds of a run by hand */
export const roundsOf = (usual: number): number =>
  asked === undefined ? Math.ceil(usual * Number(factor)) : Number(asked);
