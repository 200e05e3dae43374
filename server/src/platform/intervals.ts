/** The waits of a process that another process may be built with: a test waits for less, and never for a clock. */

export interface Intervals {
  /** Milliseconds from the hash of a sign-up to its answer, for every address alike. */
  readonly signUpAnswer: number;
  /** Seconds that the identity provider may take for each answer. */
  readonly identityProvider: number;
}

export const defaultIntervals: Intervals = {
  // Longer than the database work of any sign-up on a healthy machine; not felt behind a bcrypt hash.
  signUpAnswer: 60,
  identityProvider: 5,
};
