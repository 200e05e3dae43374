/** Number of rounds of a race: RACE_FACTOR multiplies it, TEST_RACE_ROUNDS sets it to find a rare failure. */
const { TEST_RACE_ROUNDS: asked, RACE_FACTOR: factor = '1' } = process.env;

/** @param usual the rounds of a run by hand */
export const roundsOf = (usual: number): number =>
  asked === undefined ? Math.ceil(usual * Number(factor)) : Number(asked);
