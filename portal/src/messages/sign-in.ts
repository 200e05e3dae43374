/** Words of /signin. */

export const signIn = {
  title: 'Sign in',
  lead: 'Enter your e-mail address and password.',
  submit: 'Sign in',
  newHere: 'New here?',
  createAccount: 'Create an account',
  refused: 'The e-mail address or the password is not right.',
  notVerifiedTitle: 'Your e-mail address is not confirmed yet',
  notVerified:
    'Open the link in the message we sent you. If you cannot find it, sign up again with the same address: a fresh link goes out, at most once an hour.',
  signUpAgain: 'Sign up again',
  endings: {
    'signed-out': 'You have signed out.',
    'signed-out-everywhere': 'You are signed out on every device.',
    'left-organization':
      'You have left the organization, and this session has ended with it. Sign in again to continue.',
    ended: 'Your session has ended. Sign in again to continue.',
  },
} as const;
