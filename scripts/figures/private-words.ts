/**
 * Words of this repository that a reader of the field would have to learn, or that leave out who acts. Prose and names
 * should use the term of the field instead.
 */

/** Counted in comments, pages and messages, and in names. A plural or past form in -s or -d counts too. */
export const privateWords: readonly string[] = [
  'adopted tool',
  'anybody',
  'deed',
  'fact',
  'held back',
  'holder',
  'lent',
  'letgo',
  'minted',
  'nobody',
  'own text',
  'patience',
  'rehearse',
  'sighting',
  'somebody',
  'sought',
  'sparse',
  'stand for',
  'stands for',
  'standing',
  'untold',
  'useless passkey',
  'whoever',
];

/** Words of everyday English that are private only as the name of something: counted in names alone. */
export const privateNames: readonly string[] = [
  'asked',
  'choice',
  'ending',
  'ends',
  'everywhere',
  'held',
  'lack',
  'note',
  'reach',
  'stage',
  'tell',
  'way',
];
