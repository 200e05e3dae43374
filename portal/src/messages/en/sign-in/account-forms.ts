/** Messages shared by the forms that sign in or create an account: the provider link and the password rules. */

export const provider = {
  continueWith: 'Continue with {provider}',
  or: 'or',
} as const;

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
