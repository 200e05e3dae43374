/** Messages of the question whether the person set the password of an account that a provider was linked to. */

export const passwordReview = {
  someProvider: 'the provider',
  title: 'Did you set the password of this account?',
  text: 'This account is now connected to {provider}, because the address is the same. It also has a password, which was set before. If you did not set it, another person may know it: remove it.',
  consequence: 'Removing it signs out every other device and client. You sign in with {provider} from then on.',
  remove: 'Remove the password',
  keep: 'I set it: keep it',
  removed: 'The password is removed, and every other device is signed out. You sign in with {provider} from now on.',
  kept: 'The password stays. You can sign in with it or with {provider}.',
} as const;
