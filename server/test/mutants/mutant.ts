/**
 * A fault for one line of the source, and the tests that must detect it. `npm run test:mutants` plants each in turn.
 */

export const areas = [
  'authority',
  'revocation',
  'race',
  'origin',
  'cookie',
  'limit',
  'mail',
  'audit',
  'paging',
  'account',
  'machine',
  'document',
  'organization',
  'payment',
] as const;
type Area = (typeof areas)[number];

/** The command that runs the named tests as part of a suite. */
type SuiteCommand = 'npm test' | 'npm run test:all';

export interface Fault {
  /** The rule that the fault breaks: a sentence. */
  readonly rule: string;
  /** Path from the root of the repository, like those of the tests. */
  readonly file: string;
  /** Text of the file that occurs in it exactly once. */
  readonly find: string;
  /** The faulty text. The file must still load. */
  readonly replace: string;
  /** Test files of which at least one assertion must fail. */
  readonly tests: readonly string[];
  readonly command: SuiteCommand;
}

export interface Mutant extends Fault {
  readonly area: Area;
}
