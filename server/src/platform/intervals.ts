/** Owns waiting times that can be configured per process: tests use shorter ones. */

export interface Intervals {
  /** Milliseconds from the hash of a sign-up to its answer, the same for every address. */
  readonly signUpAnswer: number;
  /** Timeout of each answer of the identity provider, in seconds. */
  readonly identityProvider: number;
}

export const defaultIntervals: Intervals = {
  // Longer than the database work of any sign-up on a healthy machine; unnoticeable after a bcrypt hash.
  signUpAnswer: 60,
  identityProvider: 5,
};
