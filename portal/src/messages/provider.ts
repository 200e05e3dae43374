/** Words of the way in by the outside provider, wherever it is offered. */

export const provider = {
  continueWith: 'Continue with {provider}',
  or: 'or',
} as const;
