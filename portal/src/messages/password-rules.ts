/** Words beside every field for a new password. */

export const passwordRules = {
  label: 'What a password needs',
  met: 'met',
  notMet: 'not met yet',
  length: '8 to 40 characters',
  upperCase: 'An upper-case letter',
  lowerCase: 'A lower-case letter',
  digit: 'A digit',
  symbol: 'One of {characters}',
} as const;
